r"""Local iteration matrix: derivatives of the residual of an element by all unknowns.

.. math::
    A = c_q \frac{\partial r}{\partial q} + c_v \frac{\partial r}{\partial v}
      + c_a \frac{\partial r}{\partial a}, \quad -G^T, \quad H
"""

from collections.abc import Mapping

from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.interface import WEIGHTS
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.symbolic.statement.element_context import ElementContext

NO_WEIGHT = 1e-300
"""Added to the square of a weight, so that 0/0 is 0."""

Found = list[tuple[tuple[int, ...], Expr]]  # local indices and entry


def iteration_matrix(
    context: ElementContext,
    rows: Mapping[int, Expr],
    constraints: Mapping[int, Expr],
    velocities: Mapping[int, Expr],
    symmetric: bool,
) -> Found:
    """Return the local iteration matrix, row by row; its upper part mirrored if `symmetric`."""
    tape = context.tape
    c_q, c_v, c_a = (tape.input(w) for w in WEIGHTS)
    q, v, a = context.all("q"), context.all("v"), context.all("a")
    found: Found = []
    above: dict[tuple[int, int], Expr] = {}
    for row, e in sorted(rows.items()):
        for k in range(len(q)):
            if symmetric and k < row:
                value = above.get((k, row), 0)
            else:
                value = (
                    c_q * tape.derivative(e, q[k])
                    + c_v * tape.derivative(e, v[k])
                    + c_a * tape.derivative(e, a[k])
                )
                above[row, k] = value
            if value != 0:
                found.append(((row, k), value))
        for k, lam in enumerate(context.multipliers):
            value = tape.derivative(e, lam)
            if value != 0:
                found.append(((row, context.n_q + k), value))
        for k, lam in enumerate(context.read_multipliers(), len(context.multipliers)):
            value = tape.derivative(e, lam)
            if value != 0:
                found.append(((row, context.n_q + k), value))
    for row, e in sorted(constraints.items()):
        for k in range(len(q)):
            value = tape.derivative(e, q[k])
            if value != 0:
                found.append(((row, k), value))
    return found + _velocity_matrix(context, velocities)


def _velocity_matrix(context: ElementContext, velocities: Mapping[int, Expr]) -> Found:
    r"""Return :math:`\partial\psi/\partial v + (c_q/c_v)\,\partial\psi/\partial q` of every row.

    This is the derivative along an implicit relation, divided by :math:`c_v` as that of other rows
    is by :math:`c_q`. For :math:`c_v = 0` the first term remains, which takes the role of `H`.
    """
    if not velocities:
        return []
    tape = context.tape
    c_q, c_v = (tape.input(w) for w in WEIGHTS[:2])
    ratio = tape.name("c_q_over_c_v", c_q * c_v / (c_v * c_v + NO_WEIGHT))
    found: Found = []
    for row, e in sorted(velocities.items()):
        for k, (q, v) in enumerate(zip(context.all("q"), context.all("v"), strict=True)):
            value = tape.derivative(e, v) + ratio * tape.derivative(e, q)
            if value != 0:
                found.append(((row, k), value))
    return found


def of_tangent(builder: GraphBuilder, node: int) -> int:
    """Return an entry that is present in implicit steps only, with a weight of velocities.

    The dependence of forces on reactions is part of the tangent of the equations. ``[M, -G^T; H,
    eps]`` does not contain it, because projections need the directions of reactions.
    """
    zero = builder.const(0.0)
    alone = builder.compare("eq", builder.input(WEIGHTS[1]), zero)
    return builder.select(alone, zero, node)
