"""Conditions of active elements: contributions are zero unless all of them hold.

There are two sources. A force may have conditions (`Force.acts`): a belt is pushed where it is
inside a pulley, an element by a load that is over it. An element for each piece of a path is active
on the piece of the moving point (`mbdgen.topology.elements.Within`). Both are treated alike:

- The graph of an element selects a result, or zero. Straight-line code uses only this.
- Loops over elements, and over quadrature points, check the conditions first and continue with the
  next if one does not hold (`mbdgen.emit.element_kernels`); the code behind is `unconditional`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mbdgen.interface import CONDITIONS
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.topology.elements import Within


def pieces(builder: GraphBuilder, within: Iterable[Within]) -> list[int]:
    """Return the conditions of a moving point to be on pieces of paths."""
    found = []
    for where in within:
        number, (first, last) = builder.input(where.number), map(builder.input, where.borders)
        if where.around:
            length = builder.input(where.around)
            rounds = builder.call("floor", builder.div(number, length))
            number = builder.sub(number, builder.mul(length, rounds))
        found += [builder.compare("le", first, number), builder.compare("lt", number, last)]
    return found


def counted(builder: GraphBuilder, asked: Sequence[int], node: int) -> int:
    """Return a node that is zero unless all conditions hold."""
    for condition in reversed(asked):
        node = builder.select(condition, node, builder.const(0.0))
    return node


def unconditional(ir: ElementIR) -> ElementIR:
    """Return an element without its conditions, for code that has checked them."""
    asked = {node for _, node in ir.entries(CONDITIONS)}

    def behind(node: int) -> int:
        operation, *operands = ir.graph.nodes[node]
        return behind(operands[1]) if operation == "select" and operands[0] in asked else node

    if not asked:
        return ir
    quantities = tuple(
        (name, tuple((index, behind(node)) for index, node in entries))
        for name, entries in ir.quantities
    )
    return replace(ir, quantities=quantities)
