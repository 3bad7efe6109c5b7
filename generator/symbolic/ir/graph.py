"""Expression graph (DAG) with hash consing: equal operations are one node.

Nodes are numbered in the order of creation, so a node's operands come before it (topological
order). The builder recognises equal nodes (hash consing, common subexpressions), folds constants
and applies the identities of 0, 1 and the minus sign, so inlining an element with known values
specialises it without any algebra system. The graph is plain data (tuples, strings, floats): it can
be stored as JSON and printed by any backend.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mbdgen.errors import BuildError
from mbdgen.symbolic.ir.operations import ARITHMETIC, COMPARISONS, FUNCTIONS

Node = tuple[Any, ...]  # ("const", value) | ("input", name) | (operation, operand, ...)


@dataclass(frozen=True)
class Graph:
    """Finished graph.

    Attributes
    ----------
    nodes : tuple of Node
        Operations in topological order.
    labels : tuple of (int, str)
        Names given to nodes, used for the names of generated variables.
    sections : tuple of (int, str)
        First node and title of each section: headings of generated code.
    """

    nodes: tuple[Node, ...]
    labels: tuple[tuple[int, str], ...]
    sections: tuple[tuple[int, str], ...] = ()

    @property
    def inputs(self) -> dict[str, int]:
        """Node number of every input name."""
        return {n[1]: k for k, n in enumerate(self.nodes) if n[0] == "input"}

    def needed(self, roots: Iterable[int]) -> list[int]:
        """Return, in order, the nodes that the roots depend on."""
        keep: set[int] = set()
        stack = list(roots)
        while stack:
            k = stack.pop()
            if k not in keep:
                keep.add(k)
                stack.extend(operands(self.nodes[k]))
        return sorted(keep)

    def inputs_of(self, roots: Iterable[int]) -> set[str]:
        """Return the names of the inputs that the roots depend on."""
        nodes = (self.nodes[k] for k in self.needed(roots))
        return {node[1] for node in nodes if node[0] == "input"}

    def operation_count(self, roots: Iterable[int]) -> int:
        """Return the number of arithmetic operations for the roots."""
        return sum(self.nodes[k][0] not in ("const", "input") for k in self.needed(roots))


def operands(node: Node) -> tuple[int, ...]:
    """Return the node numbers that a node reads."""
    return () if node[0] in ("const", "input") else node[1:]


class GraphBuilder:
    """Builder of a graph, with simplification of every new node."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []
        self._index: dict[Node, int] = {}
        self._labels: dict[int, str] = {}
        self._sections: list[tuple[int, str]] = []

    def finish(self) -> Graph:
        """Return the graph built so far."""
        labels = tuple(sorted(self._labels.items()))
        return Graph(tuple(self._nodes), labels, tuple(self._sections))

    def section(self, title: str) -> None:
        """Begin a section: the title of the nodes that follow."""
        self._sections.append((len(self._nodes), title))

    def label(self, k: int, name: str) -> None:
        """Propose a name for a node; the first proposal is kept.

        A multiple of an input is shared by many results, and gets no name from them.
        """
        node = self._nodes[k]
        trivial = (
            node[0] in ("neg", "mul")
            and all(self._nodes[i][0] in ("const", "input") for i in node[1:])
            and any(self._nodes[i][0] == "const" or node[0] == "neg" for i in node[1:])
        )
        if node[0] not in ("const", "input") and not trivial:
            self._labels.setdefault(k, name)

    def is_constant(self, k: int) -> bool:
        """Return whether a node is a number."""
        return self._value(k) is not None

    def is_zero(self, k: int) -> bool:
        """Return whether a node is the number zero."""
        return self._value(k) == 0.0

    def is_positive(self, k: int) -> bool:
        """Return whether a node is a number above zero."""
        value = self._value(k)
        return value is not None and value > 0.0

    def operation(self, k: int) -> str:
        """Return the kind of a node: ``const``, ``input`` or its operation."""
        return str(self._nodes[k][0])

    def const(self, value: float) -> int:
        """Return the node of a number."""
        return self._intern(("const", float(value) + 0.0))  # + 0.0 turns -0.0 into 0.0

    def input(self, name: str) -> int:
        """Return the node of an input."""
        return self._intern(("input", name))

    def neg(self, a: int) -> int:
        """Return -a."""
        op, *args = self._nodes[a]
        if op == "const":
            return self.const(-args[0])
        if op == "neg":
            return int(args[0])
        if op == "sub":
            return self.sub(args[1], args[0])
        return self._intern(("neg", a))

    def add(self, a: int, b: int) -> int:
        """Return a + b."""
        va, vb = self._value(a), self._value(b)
        if va is not None and vb is not None:
            return self.const(va + vb)
        if va == 0.0:
            return b
        if vb == 0.0:
            return a
        na, nb = self._negated(a), self._negated(b)
        if na is not None and nb is not None:
            return self.neg(self.add(na, nb))
        if nb is not None:
            return self.sub(a, nb)
        if na is not None:
            return self.sub(b, na)
        return self._intern(("add", *sorted((a, b))))

    def sub(self, a: int, b: int) -> int:
        """Return a - b."""
        va, vb = self._value(a), self._value(b)
        if a == b:
            return self.const(0.0)
        if va is not None and vb is not None:
            return self.const(va - vb)
        if vb == 0.0:
            return a
        if va == 0.0:
            return self.neg(b)
        nb = self._negated(b)
        if nb is not None:
            return self.add(a, nb)
        na = self._negated(a)
        if na is not None:
            return self.neg(self.add(na, b))
        if ("sub", b, a) in self._index:  # one subtraction for both signs
            return self._intern(("neg", self._index["sub", b, a]))
        return self._intern(("sub", a, b))

    def mul(self, a: int, b: int) -> int:
        """Return a * b."""
        va, vb = self._value(a), self._value(b)
        if va is not None and vb is not None:
            return self.const(va * vb)
        if va == 0.0 or vb == 0.0:
            return self.const(0.0)
        if va == 1.0:
            return b
        if vb == 1.0:
            return a
        if va is not None and va < 0.0:
            return self.neg(self.mul(self.const(-va), b))
        if vb is not None and vb < 0.0:
            return self.neg(self.mul(a, self.const(-vb)))
        na, nb = self._negated(a), self._negated(b)
        if na is not None and nb is not None:
            return self.mul(na, nb)
        if na is not None:
            return self.neg(self.mul(na, b))
        if nb is not None:
            return self.neg(self.mul(a, nb))
        return self._intern(("mul", *sorted((a, b))))

    def div(self, a: int, b: int) -> int:
        """Return a / b."""
        va, vb = self._value(a), self._value(b)
        if va is not None and vb is not None and vb != 0.0:
            return self.const(va / vb)
        if va == 0.0:
            return a
        if vb == 1.0:
            return a
        na, nb = self._negated(a), self._negated(b)
        if na is not None:
            return self.neg(self.div(na, b))
        if nb is not None:
            return self.neg(self.div(a, nb))
        return self._intern(("div", a, b))

    def power(self, a: int, exponent: int) -> int:
        """Return a**exponent for an integer exponent, by products."""
        if exponent == 0:
            return self.const(1.0)
        if exponent < 0:
            return self.div(self.const(1.0), self.power(a, -exponent))
        if exponent == 1:
            return a
        half = self.power(a, exponent // 2)
        square = self.mul(half, half)
        return self.mul(square, a) if exponent % 2 else square

    def call(self, function: str, *args: int) -> int:
        """Return function(args); numbers are folded where the function is defined."""
        if function not in FUNCTIONS:
            raise BuildError(
                f"The function {function!r} has no counterpart in generated code. "
                f"Use one of: {', '.join(sorted(FUNCTIONS))}."
            )
        values = [self._value(k) for k in args]
        if all(v is not None for v in values):
            try:
                return self.const(FUNCTIONS[function](*values))
            except (ValueError, ZeroDivisionError, OverflowError):
                pass  # left to run time, where it becomes a reported NaN
        return self._intern((function, *args))

    def compare(self, relation: str, a: int, b: int) -> int:
        """Return the truth of a relation, as 1 or 0."""
        va, vb = self._value(a), self._value(b)
        if va is not None and vb is not None:
            return self.const(float(COMPARISONS[relation](va, vb)))
        return self._intern((relation, a, b))

    def select(self, condition: int, yes: int, no: int) -> int:
        """Return `yes` where the condition holds, else `no`."""
        value = self._value(condition)
        if value is not None:
            return yes if value else no
        return yes if yes == no else self._intern(("select", condition, yes, no))

    def total(self, terms: Sequence[int]) -> int:
        """Return the sum of the terms."""
        result = self.const(0.0)
        for k in terms:
            result = self.add(result, k)
        return result

    def inline(
        self,
        graph: Graph,
        roots: Sequence[int],
        inputs: dict[str, int],
        labels: Mapping[int, str] | None = None,
    ) -> list[int]:
        """Copy part of another graph into this one, its inputs replaced by nodes of this one.

        Nodes keep their labels, unless others are given (with the name of the instance).
        """
        image: dict[int, int] = {}
        if labels is None:
            labels = dict(graph.labels)
        for k in graph.needed(roots):
            node = graph.nodes[k]
            image[k] = inputs[node[1]] if node[0] == "input" else self.copied(node, image)
            if k in labels:
                self.label(image[k], labels[k])
        return [image[k] for k in roots]

    def copied(self, node: Node, image: Mapping[int, int]) -> int:
        """Return the copy of a node of another graph, whose operands are copied already."""
        op, *args = node
        if op == "const":
            return self.const(args[0])
        if op == "input":
            return self.input(args[0])
        new = [image[k] for k in args]
        if op in ARITHMETIC or op == "select":
            return int(getattr(self, op)(*new))
        if op in COMPARISONS:
            return self.compare(op, *new)
        return self.call(op, *new)

    def _intern(self, node: Node) -> int:
        k = self._index.get(node)
        if k is None:
            k = self._index[node] = len(self._nodes)
            self._nodes.append(node)
        return k

    def _value(self, k: int) -> float | None:
        node = self._nodes[k]
        return node[1] if node[0] == "const" else None

    def _negated(self, k: int) -> int | None:
        node = self._nodes[k]
        return node[1] if node[0] == "neg" else None
