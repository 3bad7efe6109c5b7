"""From a graph to readable assignments: what becomes a named temporary, and what is written inline.

A node gets a line of its own if it is used more than once or if its text grows too long; names come
from the derivation (``R_a_1_x``), so equations stay recognisable.
"""

import keyword
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mbdgen.emit.printer import Printer, Text
from mbdgen.interface import LOCALS
from mbdgen.symbolic.graph import Graph, operands

MAX_WIDTH = 60  # operands of one expression together, in characters
MAX_RESULT = 62  # a longer result gets a line of its own, because its target takes room too
# Names that templates use in the same functions, and built-in functions of the languages.
RESERVED = LOCALS | set("values x abs min max math np float range".split())


@dataclass(frozen=True)
class Code:
    """Assignments and the texts of the results.

    Attributes
    ----------
    assignments : tuple of (name, text)
        In order.
    results : tuple of str
        Text of every root.
    inputs : tuple of str
        Input names that are read.
    operations : int
        Arithmetic operations in all.
    """

    assignments: tuple[tuple[str, str], ...]
    results: tuple[str, ...]
    inputs: tuple[str, ...]
    operations: int


def schedule(graph: Graph, roots: Sequence[int], printer: Printer) -> Code:
    """Return the code that computes the roots.

    Parameters
    ----------
    graph : Graph
        Where they are.
    roots : sequence of int
        Nodes to compute.
    printer : Printer
        Writes expressions in the target language.
    """
    needed = graph.needed(roots)
    uses = Counter(k for n in needed for k in operands(graph.nodes[n]))
    uses.update(roots)
    labels = dict(graph.labels)
    taken = {graph.nodes[k][1] for k in needed if graph.nodes[k][0] == "input"} | RESERVED
    text: dict[int, Text] = {}
    assignments: list[tuple[str, str]] = []

    def store(k: int) -> None:
        name = printer.name(_fresh(labels.get(k), taken))
        assignments.append((name.text, text[k].text))
        text[k] = name

    for k in needed:
        node = graph.nodes[k]
        # Long operands get names of their own before they are combined.
        args = operands(node)
        longest = sorted((a for a in set(args)), key=lambda a: (-len(text[a].text), a))
        for a in longest:
            if sum(len(text[b].text) for b in args) > MAX_WIDTH and not text[a].atomic:
                store(a)
        text[k] = printer.node(node, [text[a] for a in args])
        if uses[k] > 1 and not text[k].atomic and not _cheap(graph, k, text):
            store(k)
    for k in dict.fromkeys(roots):
        if len(text[k].text) > MAX_RESULT:
            store(k)
    results = tuple(text[k].text for k in roots)
    inputs = tuple(graph.nodes[k][1] for k in needed if graph.nodes[k][0] == "input")
    return Code(tuple(assignments), results, inputs, graph.operation_count(roots))


def _cheap(graph: Graph, k: int, text: dict[int, Text]) -> bool:
    """A minus sign before a name is not worth a line."""
    node = graph.nodes[k]
    return bool(node[0] == "neg" and text[node[1]].atomic)


def _fresh(label: str | None, taken: set[str]) -> str:
    if label is not None and len(label) <= 32 and label not in taken and _is_name(label):
        taken.add(label)
        return label
    k = len(taken) - len(RESERVED)
    while f"x{k}" in taken:
        k += 1
    taken.add(f"x{k}")
    return f"x{k}"


def _is_name(label: str) -> bool:
    return label.isidentifier() and not keyword.iskeyword(label)
