"""Conditions in generated loops: what is asked before the body is done, or left out."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mbdgen.emit.parts import Line
from mbdgen.emit.printer import Printer
from mbdgen.emit.quadrature import Places
from mbdgen.emit.schedule import schedule
from mbdgen.interface import CONDITIONS
from mbdgen.symbolic.ir import ElementIR


@dataclass(frozen=True)
class Asked:
    """What a loop asks before it goes on.

    Attributes
    ----------
    lines : tuple of Line
        Temporaries.
    holds : tuple of str
        Relations that must all hold.
    inputs : tuple of str
        What is read.
    """

    lines: tuple[Line, ...]
    holds: tuple[str, ...]
    inputs: tuple[str, ...]


NOTHING = Asked((), (), ())


def asked(ir: ElementIR, places: Places | None, printer: Printer) -> tuple[Asked, Asked]:
    """Return what is asked of an element, and what at every place of its quadrature."""
    own: Collection[str] = () if places is None else places.columns
    graph = ir.graph
    once: list[int] = []
    everywhere: list[int] = []
    for _, node in ir.entries(CONDITIONS):
        inputs = {graph.nodes[k][1] for k in graph.needed([node]) if graph.nodes[k][0] == "input"}
        (once if inputs.isdisjoint(own) else everywhere).append(node)
    return _asked(ir, once, printer), _asked(ir, everywhere, printer)


def _asked(ir: ElementIR, nodes: Sequence[int], printer: Printer) -> Asked:
    nodes = [k for k in nodes if ir.graph.nodes[k][0] != "const"]
    if not nodes:
        return NOTHING
    code = schedule(ir.graph, nodes, printer, ["counts"] * len(nodes), ir.graph.inputs)
    lines = tuple(Line(name, text) for name, text in code.assignments)
    return Asked(lines, code.results, code.inputs)
