"""Optimisation of divisions: quotients with a common divisor as products with its reciprocal.

Integrands along an element divide by its length and by powers of a stretch at every quadrature
point; a division costs as much as ten products [M].
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from mbdgen.interface import QUADRATURE
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.graph import Graph, GraphBuilder, operands


def with_products(ir: ElementIR) -> ElementIR:
    """Return an element type with products instead of quotients.

    Divisors that occur once and depend on the quadrature point are kept.
    """
    graph = ir.graph
    needed = graph.needed(node for _, entries in ir.quantities for _, node in entries)
    shared = Counter(graph.nodes[k][2] for k in needed if graph.nodes[k][0] == "div")
    local = _local(graph, needed)
    builder, labels = GraphBuilder(), dict(graph.labels)
    image: dict[int, int] = {}
    for k in needed:
        op, *args = graph.nodes[k]
        if op == "div" and (shared[args[1]] > 1 or args[1] not in local):
            over = builder.div(builder.const(1.0), image[args[1]])
            image[k] = builder.mul(image[args[0]], over)
        else:
            image[k] = builder.copied(graph.nodes[k], image)
        if k in labels:
            builder.label(image[k], labels[k])
    quantities = tuple(
        (name, tuple((index, image[node]) for index, node in entries))
        for name, entries in ir.quantities
    )
    return replace(ir, graph=builder.finish(), quantities=quantities)


def _local(graph: Graph, needed: Sequence[int]) -> set[int]:
    """Return the nodes that depend on the quadrature point."""
    found: set[int] = set()
    for k in needed:
        node = graph.nodes[k]
        if node in {("input", name) for name in QUADRATURE} or found & {*operands(node)}:
            found.add(k)
    return found
