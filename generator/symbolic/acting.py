"""Forces that act somewhere only: zero elsewhere, and loops leave them out."""

from mbdgen.interface import ACTS
from mbdgen.symbolic.graph import GraphBuilder
from mbdgen.symbolic.ir import ElementIR


def where_acting(builder: GraphBuilder, acts: int, node: int) -> int:
    """Return a node that is zero where `acts` is not positive."""
    zero = builder.const(0.0)
    return builder.select(builder.compare("lt", zero, acts), node, zero)


def acting(ir: ElementIR) -> int | None:
    """Return the node that is positive where an element acts; None if it always does."""
    for _, node in ir.entries(ACTS):
        return node
    return None


def without_question(ir: ElementIR, node: int) -> int:
    """Return what `where_acting` was given, for code that is reached only where it acts."""
    operation, *operands = ir.graph.nodes[node]
    if operation != "select":
        return node
    question = ir.graph.nodes[operands[0]]
    asks = question[0] == "lt" and question[2] == acting(ir)
    return int(operands[1]) if asks else node
