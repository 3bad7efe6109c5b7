"""Conditions: what an element states counts where all of them hold, and is zero elsewhere.

There are two sources. A force may say where it acts (`Force.acts`): a belt is pushed where it is
inside a pulley, an element by a load that is over it. What is stated on every piece of a path
counts on the one where the place is (`mbdgen.topology.elements.Within`). Whoever asks makes no
difference to what follows:

- The graph of an element chooses: a result, or zero. Straight lines have nothing else.
- Loops over elements, and over the places of a quadrature, ask first and go on to the next if a
  condition does not hold (`mbdgen.emit.element_kernels`); what is printed behind is
  `unconditional`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mbdgen.interface import CONDITIONS
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.topology.elements import Within


def pieces(builder: GraphBuilder, within: Iterable[Within]) -> list[int]:
    """Return the conditions of being on pieces of paths."""
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
    """Return an element whose results are as if its conditions held: for code behind them."""
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
