"""Scheduling of a graph as readable assignments: named temporaries or inline expressions.

A node becomes a temporary if it is used more than once or if its text is too long; names come from
the derivation (``R_a_1_x``), so equations remain recognisable.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from mbdgen.emit.intermediate_names import IntermediateNames
from mbdgen.emit.printer import PrintedText, Printer
from mbdgen.interface import LOCALS
from mbdgen.symbolic.ir.graph import Graph, operands

MAX_WIDTH = 90  # operands of an expression together, in characters
MAX_RESULT = 80  # a longer result becomes a temporary, because its target needs space too
# Names that templates use in the same functions, and built-in functions of the languages.
RESERVED = LOCALS | set("values x abs min max math np float range".split())


@dataclass(frozen=True)
class Code:
    """Code: assignments and the texts of the results.

    Attributes
    ----------
    assignments : tuple of (name, text)
        Temporaries in order.
    results : tuple of str
        Text of every root.
    inputs : tuple of str
        Names of the inputs that are read.
    operations : int
        Total number of arithmetic operations.
    sections : tuple of str
        For every assignment the heading of a section that begins there, or empty.
    """

    assignments: tuple[tuple[str, str], ...]
    results: tuple[str, ...]
    inputs: tuple[str, ...]
    operations: int
    sections: tuple[str, ...] = ()


def schedule(
    graph: Graph,
    roots: Sequence[int],
    printer: Printer,
    results: Sequence[str] = (),
    taken: Collection[str] = (),
) -> Code:
    """Return the code that computes the roots.

    Parameters
    ----------
    graph : Graph
        Graph of the roots.
    roots : sequence of int
        Nodes to compute.
    printer : Printer
        Printer of the target language.
    results : sequence of str
        Names of the results, as variables.
    taken : collection of str
        Names of other variables in the same function, besides the inputs that are read.
    """
    needed = graph.needed(roots)
    uses = Counter(k for n in needed for k in operands(graph.nodes[n]))
    uses.update(roots)
    inputs = tuple(graph.nodes[k][1] for k in needed if graph.nodes[k][0] == "input")
    names = IntermediateNames(graph, needed, roots, results, {*inputs, *taken} | RESERVED)
    text: dict[int, PrintedText] = {}
    assignments: list[tuple[str, str]] = []
    made_at: list[int] = []  # node during which each assignment was written

    def store(k: int, at: int) -> None:
        name = printer.name(names.name(k))
        assignments.append((name.text, text[k].text))
        made_at.append(at)
        text[k] = name

    for k in needed:
        node = graph.nodes[k]
        # Long operands become temporaries before they are combined.
        args = operands(node)
        longest = sorted((a for a in set(args)), key=lambda a: (-len(text[a].text), a))
        for a in longest:
            if sum(len(text[b].text) for b in args) > MAX_WIDTH and not text[a].atomic:
                store(a, k)
        text[k] = printer.node(node, [text[a] for a in args])
        if uses[k] > 1 and not text[k].atomic and not _cheap(graph, k, text):
            store(k, k)
    for k in dict.fromkeys(roots):
        if len(text[k].text) > MAX_RESULT:
            store(k, len(graph.nodes))
    return Code(
        assignments=tuple(assignments),
        results=tuple(text[k].text for k in roots),
        inputs=inputs,
        operations=graph.operation_count(roots),
        sections=tuple(_headings(graph, made_at)),
    )


def _headings(graph: Graph, made_at: Sequence[int]) -> Iterator[str]:
    """Yield for each assignment the title of the section that begins there, or an empty string."""
    begins = [k for k, _ in graph.sections]
    last = ""
    for k in made_at:
        place = bisect_right(begins, k) - 1
        title = graph.sections[place][1] if place >= 0 else ""
        yield title if title != last else ""
        last = title


def _cheap(graph: Graph, k: int, text: dict[int, PrintedText]) -> bool:
    """Return whether a node, such as a negated name, is not worth a temporary."""
    node = graph.nodes[k]
    return bool(node[0] == "neg" and text[node[1]].atomic)
