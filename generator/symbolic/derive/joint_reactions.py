r"""Reactions of joints in relative coordinates: Lagrange multipliers of tree joints.

The wrench :math:`w` on all outboard bodies of a branch is the reaction of its joint, :math:`G^T
\lambda = w`. The rows of a joint with exactly the freedoms of its moves are independent, so

.. math:: \lambda = (G G^T)^{-1} G w
"""

from collections.abc import Sequence

from mbdgen.symbolic.coordinates.relative_system import RelativeSystem, State
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.symbolic.ir.graph_gradient import Gradient, gradients
from mbdgen.symbolic.ir.vector_nodes import Nodes, dot


def with_reactions(
    system: RelativeSystem, state: State, wanted: Sequence[tuple[str, range]]
) -> Nodes:
    """Return all multipliers of the mechanism, those of branches where requested.

    Parameters
    ----------
    wanted : sequence of (joint, multipliers)
        Branches whose reactions are requested.
    """
    b = system.builder
    full = system.full(state)
    lam: Nodes = list(full["lam"])
    wrenches = system.wrenches(full, system.rows(full)) if wanted else {}
    for joint, own in wanted:
        loaded = list(full["lam"])
        unknown = [b.input(f"reaction_{k}") for k in own]
        loaded[own.start : own.stop] = unknown
        rows = system.rows({**full, "lam": loaded})
        child = system.child(joint)
        at = system.first(child)
        balance = system.body_rows(child, full, wrenches[child])
        nodes = [rows.get(at + k, b.const(0.0)) for k in balance]
        seeds = {node: {k: b.const(1.0)} for k, node in enumerate(unknown)}
        directions = gradients(b, nodes, seeds)
        columns = [_column(b, directions, k) for k in range(len(own))]
        matrix = [[dot(b, x, y) for y in columns] for x in columns]
        rhs = [dot(b, x, list(balance.values())) for x in columns]
        lam[own.start : own.stop] = _solved(b, matrix, rhs)
    return lam


def _column(b: GraphBuilder, directions: Sequence[Gradient], k: int) -> Nodes:
    return [b.neg(d[k]) if k in d else b.const(0.0) for d in directions]


def _solved(b: GraphBuilder, matrix: list[Nodes], rhs: Nodes) -> Nodes:
    """Solve a small system with a positive definite matrix, without pivoting."""
    n = len(rhs)
    for k in range(n):
        inverse = b.div(b.const(1.0), matrix[k][k])
        for i in range(k + 1, n):
            factor = b.mul(matrix[i][k], inverse)
            for j in range(k + 1, n):
                matrix[i][j] = b.sub(matrix[i][j], b.mul(factor, matrix[k][j]))
            rhs[i] = b.sub(rhs[i], b.mul(factor, rhs[k]))
    for k in reversed(range(n)):
        known = b.total([b.mul(matrix[k][j], rhs[j]) for j in range(k + 1, n)])
        rhs[k] = b.div(b.sub(rhs[k], known), matrix[k][k])
    return rhs
