"""Integrals along elements in generated code: tables of precomputed shape functions.

The values of shape functions at quadrature points are constants.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mbdgen.emit.code_parts import CodeLine
from mbdgen.interface import QUADRATURE
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.graph import Graph, GraphBuilder, operands
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.symbolic.ir.system_ir import TypeTable


@dataclass(frozen=True)
class QuadraturePlaces:
    """Table of precomputed values at the quadrature points of an element type.

    Attributes
    ----------
    name : str
        Name of the table.
    columns : tuple of str
        Variables.
    rows : tuple of tuple of float
        Their values, one row per quadrature point.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]


def with_places(table: TypeTable) -> tuple[TypeTable, QuadraturePlaces | None]:
    """Return a type whose equations read a table at every quadrature point, and the table, if any.

    Columns are the results that depend only on quadrature point and weight and are read by others.
    """
    if not table.rule:
        return table, None
    ir = table.ir
    roots = [node for _, entries in ir.quantities for _, node in entries]
    read = _read(ir.graph, roots)
    names = _names(ir.graph, read)
    rows = tuple(
        tuple(map(float, evaluate(ir.graph, read, dict(zip(QUADRATURE, place, strict=True)))))
        for place in table.rule
    )
    found = QuadraturePlaces(f"{table.title.upper()}_PLACES", tuple(names.values()), rows)
    return replace(table, ir=_reading(ir, names)), found


def summed(stores: Sequence[CodeLine]) -> tuple[tuple[CodeLine, ...], list[CodeLine]]:
    """Return the sums over all quadrature points, equal ones once, and the stores of these sums."""
    names = {text: f"sum_{k}" for k, text in enumerate(dict.fromkeys(x.text for x in stores))}
    sums = tuple(CodeLine(name, text, add=True) for text, name in names.items())
    return sums, [replace(line, text=names[line.text]) for line in stores]


def _read(graph: Graph, roots: Sequence[int]) -> list[int]:
    """Return the unsigned nodes that depend on the quadrature point only and are read by others."""
    needed = graph.needed(roots)
    known: set[int] = set()  # constants, and functions of the quadrature point
    for k in needed:
        node = graph.nodes[k]
        if node[0] == "input":
            follows = node[1] in QUADRATURE
        else:
            follows = known.issuperset(operands(node))
        if follows:
            known.add(k)
    users = [graph.nodes[k] for k in needed if k not in known or graph.nodes[k][0] == "neg"]
    ends = {k for node in users for k in operands(node)} | set(roots)
    return sorted(k for k in ends & known if graph.nodes[k][0] not in ("const", "neg"))


def _names(graph: Graph, nodes: Sequence[int]) -> dict[int, str]:
    labels, taken = dict(graph.labels), set(graph.inputs)
    found: dict[int, str] = {}
    for k in nodes:
        node = graph.nodes[k]
        name = node[1] if node[0] == "input" else labels.get(k, f"shape_{len(found)}")
        while name in found.values() or (name in taken and node[0] != "input"):
            name += "_"
        found[k] = name
    return found


def _reading(ir: ElementIR, names: dict[int, str]) -> ElementIR:
    """Return the equations with nodes replaced by inputs of these names."""
    builder, labels = GraphBuilder(), dict(ir.graph.labels)
    image: dict[int, int] = {}
    roots = [node for _, entries in ir.quantities for _, node in entries]
    for k in ir.graph.needed(roots):
        if k in names:
            image[k] = builder.input(names[k])
        else:
            image[k] = builder.copied(ir.graph.nodes[k], image)
            if k in labels:
                builder.label(image[k], labels[k])
    quantities = tuple(
        (name, tuple((index, image[node]) for index, node in entries))
        for name, entries in ir.quantities
    )
    return replace(ir, graph=builder.finish(), quantities=quantities)
