"""Names of intermediate results: from the derivation, or from their meaning or use.

Names do not affect results: ``two_q0`` and ``q1_squared`` describe the expression,
``moment_b_x_part`` is a term of the result of that name.
"""

import keyword
import re
from collections.abc import Mapping, Sequence

from mbdgen.symbolic.ir.graph import Graph, operands

LONGEST = 32
LONGEST_PRODUCT = 22  # longer lists of factors are unreadable
LONGEST_PART = 20  # so are parts of long names
MOST_PARTS = 3  # more of them are not terms of one long sum
_NO_SUM = re.compile(r"_by_|row_|^U_|^pivot_|^inverse_")  # derivatives, whole rows, elimination
_MULTIPLES = {2.0: "two", 4.0: "four", 0.5: "half"}


class IntermediateNames:
    """Unique names of nodes.

    Parameters
    ----------
    graph : Graph
        Graph of the nodes.
    needed : sequence of int
        Nodes that are printed, in order.
    roots : sequence of int
        Results.
    results : sequence of str
        Names of the results, or empty.
    taken : set of str
        Names that are in use.
    """

    def __init__(
        self,
        graph: Graph,
        needed: Sequence[int],
        roots: Sequence[int],
        results: Sequence[str],
        taken: set[str],
    ) -> None:
        self._nodes = graph.nodes
        self._taken = taken
        self._reserved = len(taken)
        self._labels = {k: x for k, x in graph.labels if _is_usable(x)}
        self._results: dict[int, str] = {}
        for k, name in zip(roots, results, strict=False):
            if _is_usable(name):
                self._results.setdefault(k, name)
        self._products: dict[int, str] = {}
        self._wholes = self._whole_of(needed)
        self._pieces: dict[str, int] = {}

    def name(self, k: int) -> str:
        """Return an unused name for a node."""
        known = (self._labels.get(k), self.product(k), self._results.get(k))
        free = (x for x in known if x and x not in self._taken)
        name = next(free, "") or self._part(k) or self._number()
        self._taken.add(name)
        return name

    def product(self, k: int) -> str:
        """Return the name of a square, a multiple or a product of inputs, or empty."""
        if k not in self._products:
            self._products[k] = self._product(k)
        return self._products[k]

    def _product(self, k: int) -> str:
        op, *args = self._nodes[k]
        if op == "input":
            return str(args[0])
        if op != "mul" or k in self._labels:
            return ""
        a, b = args
        if a == b:
            name = f"{self.product(a)}_squared" if self._nodes[a][0] == "input" else ""
        elif _value(self._nodes[a]) in _MULTIPLES or _value(self._nodes[b]) in _MULTIPLES:
            a, b = (a, b) if self._nodes[a][0] == "const" else (b, a)
            name = self.product(b) and f"{_MULTIPLES[self._nodes[a][1]]}_{self.product(b)}"
        else:
            first, second = sorted((self.product(a), self.product(b)), key=_by_multiple)
            name = f"{first}_{second}" if first and second else ""
        return name if len(name) <= LONGEST_PRODUCT else ""

    def _part(self, k: int) -> str:
        """Return a name from the vector or energy that a node is a term of."""
        whole = self._wholes.get(k)
        if not whole or _NO_SUM.search(whole):
            return ""
        number = self._pieces.get(whole, 0) + 1
        name = f"{whole}_part_{number}" if number > 1 else f"{whole}_part"
        if number > MOST_PARTS or len(name) > LONGEST_PART or name in self._taken:
            return ""
        self._pieces[whole] = number
        return name

    def _number(self) -> str:
        number = len(self._taken) - self._reserved
        while (name := f"x{number}") in self._taken:
            number += 1
        return name

    def _whole_of(self, needed: Sequence[int]) -> Mapping[int, str]:
        """Return for each node the label of the first labelled result that depends on it."""
        found: dict[int, str] = {}
        for k in reversed(needed):
            whole = self._labels.get(k) or self._results.get(k) or found.get(k, "")
            for j in operands(self._nodes[k]):
                found[j] = whole  # in reverse order: the first user comes last
        return found


def _value(node: tuple[object, ...]) -> object:
    return node[1] if node[0] == "const" else None


def _by_multiple(name: str) -> tuple[bool, str]:
    """Return a sort key with multiples first: ``two_q0_q1``."""
    return not name.startswith(tuple(f"{x}_" for x in _MULTIPLES.values())), name


def _is_usable(name: str) -> bool:
    return len(name) <= LONGEST and name.isidentifier() and not keyword.iskeyword(name)
