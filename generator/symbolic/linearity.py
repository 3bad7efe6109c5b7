"""Which equations of a joint are linear in the coordinates, without a time before them."""

from mbdgen.symbolic.ir import ElementIR


def linear_equations(ir: ElementIR) -> list[bool]:
    """Return for every equation of positions whether its derivatives are numbers."""
    states = {x.name for x in ir.inputs()} | {"t"}
    found = [True] * (ir.n_lam - ir.n_velocity)
    for (row, column), node in ir.entries("matrix"):
        k = row - ir.n_q
        if not 0 <= k < len(found) or column >= ir.n_q:
            continue
        nodes = (ir.graph.nodes[j] for j in ir.graph.needed([node]))
        found[k] &= not any(op == "input" and args[0] in states for op, *args in nodes)
    return found
