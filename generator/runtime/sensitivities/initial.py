r"""Variations of the consistent initial state: assembly is differentiated like a step.

Positions are found by changes of least size, ``[1, -H^T; H, mu] [x; y] = [0; -phi]`` in the free
coordinates. The variation of each of them solves

.. math::
    \begin{bmatrix} 1 & -H^T \\ H & \mu \end{bmatrix}
    \begin{bmatrix} \delta x \\ \delta y \end{bmatrix} =
    \begin{bmatrix} \delta H^T y \\ -\delta\phi - \delta H x \end{bmatrix}

so that a guess which had to be moved is differentiated along its way. Velocities are changed with
the least kinetic energy, ``[M, -G^T; H, 0] [d; mu] = [0; -phi_dot]``, or with the least change
beside fixed ones; accelerations and multipliers solve the equations of motion.
"""

from collections.abc import Callable, Sequence

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from mbdgen.errors import AssemblyError
from mbdgen.runtime.assemble import report
from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.runtime.regular import CONTRADICTION, DAMPING, POSITION_TOLERANCE
from mbdgen.runtime.sensitivities.directions import Direction
from mbdgen.runtime.sensitivities.evaluate import (
    Change,
    Point,
    mass_change,
    no_change,
    rates_change,
    residual_change,
    rest,
)
from mbdgen.runtime.system import System
from mbdgen.runtime.work import INDEX_1, State

STEPS = 50
FOLLOWED = 1e-6
"""Distance from the assembled position at which another way to it was taken."""

Solve = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


def vary_initial(system: System, state: State, wanted: Sequence[Direction]) -> list[Change]:
    """Return the changes of an assembled state, one for each direction.

    Raises
    ------
    AssemblyError
        If the constraints cannot be fulfilled for a changed number.
    """
    t = float(state.clock[0])
    changes = _positions(system, t, state.q, wanted)
    changes = _velocities(system, t, state, wanted, changes)
    return _accelerations(system, state, changes)


def _positions(
    system: System, t: float, assembled: FloatArray, wanted: Sequence[Direction]
) -> list[Change]:
    """Return changes of ``q``, along the way of the guess to the assembled position."""
    starts = [no_change(system, d.p)._replace(q=d.q0.copy()) for d in wanted]
    q, changes = _follow(system, t, system.q0.copy(), starts)
    if np.abs(q - assembled).max(initial=0.0) > FOLLOWED * (1.0 + np.abs(q).max(initial=0.0)):
        changes = starts  # assembly was careful: count from where it came to
    rows, free = system.position_rows, ~system.data.fixed
    at = rest(system, t, assembled)
    solve = _least_change(system.jacobian(t, assembled, rows)[:, free])
    zero = np.zeros(int(free.sum()))
    for d, change in zip(wanted, changes, strict=True):
        for _ in range(3):  # repetition removes the effect of the damping
            change.q[free] += solve(zero, -residual_change(system, at, change)[rows])[0]
        _require(system, d, residual_change(system, at, change)[rows], change.q, rows)
    return changes


def _follow(
    system: System, t: float, q: FloatArray, starts: Sequence[Change]
) -> tuple[FloatArray, list[Change]]:
    """Repeat the assembly of a guess with its changes."""
    rows, free = system.position_rows, ~system.data.fixed
    changes = [start._replace(q=start.q.copy()) for start in starts]
    for _ in range(STEPS):
        at = rest(system, t, q.copy())
        phi = system.residual(*at)[rows]
        size = np.abs(phi).max(initial=0.0)
        if not 1e-15 < size < np.inf:
            break
        jacobian = system.jacobian(t, q, rows)[:, free]
        solve = _least_change(jacobian)
        x, y = solve(np.zeros(jacobian.shape[1]), -phi)
        for change in changes:
            moved = mass_change(system, at, change).tocsr()[rows][:, : system.n_q][:, free]
            right = -residual_change(system, at, change)[rows] - moved @ x
            change.q[free] += solve(moved.T @ y, right)[0]
        q[free] += x
        if size <= POSITION_TOLERANCE:
            break
    return q, changes


def _velocities(
    system: System, t: float, state: State, wanted: Sequence[Direction], changes: list[Change]
) -> list[Change]:
    """Return the changes with those of ``v``."""
    q, v, v0, rows = state.q, state.v, system.v0, system.work.rows
    fixed = system.data.fixed_velocity
    at = rest(system, t, q)._replace(v=v.copy())
    changes = [c._replace(v=d.v0.copy()) for d, c in zip(wanted, changes, strict=True)]
    kept = bool(fixed.any()) and np.array_equal(v[fixed], v0[fixed])
    free = ~fixed if kept else np.ones(system.n_q, bool)
    jacobian = system.jacobian(t, q)[:, free]
    if kept:
        solve = _least_change(jacobian)
        _, y = solve(np.zeros(jacobian.shape[1]), jacobian @ (v - v0)[free])
    else:
        exact = exact_solver(system, system.matrix(*rest(system, t, q), INDEX_1))
        x = np.zeros(system.n)
        x[rows] = jacobian @ (v - v0)
        x = exact(x)
    for d, change in zip(wanted, changes, strict=True):
        moved = mass_change(system, rest(system, t, q), change)
        for again in range(3):
            left = -rates_change(system, at, change)[0][rows]
            if kept:
                bent = moved.tocsr()[rows][:, : system.n_q][:, free].T @ y
                change.v[free] += solve(bent * (again == 0), left)[0]
            else:
                rhs = -(moved @ x) * (again == 0)
                rhs[rows] = left
                change.v[:] += exact(rhs)[: system.n_q]
        _require(system, d, rates_change(system, at, change)[0][rows], change.v, rows)
    return changes


def _accelerations(system: System, state: State, changes: list[Change]) -> list[Change]:
    """Return the changes with those of ``a`` and ``lam``."""
    at = Point(float(state.clock[0]), state.q, state.v, state.a, state.lam)
    exact = exact_solver(system, system.matrix(*at, INDEX_1))
    found = []
    for change in changes:
        rhs = -residual_change(system, at, change)
        rows = system.work.rows
        rhs[rows] = -rates_change(system, at, change)[1][rows]
        x = exact(rhs)
        found.append(change._replace(a=x[: system.n_q], lam=x[system.n_q :]))
    return found


def exact_solver(system: System, matrix: sp.csc_array) -> Callable[[FloatArray], FloatArray]:
    """Return a solver of ``[..., -G^T; H, 0]`` that works with ``eps`` and removes its effect."""
    disturbed = matrix.copy()
    disturbed.data[system.work.diagonal] += system.work.eps
    inverse = splu(disturbed).solve

    def solve(rhs: FloatArray) -> FloatArray:
        x: FloatArray = inverse(rhs)
        for _ in range(3):
            x = x + inverse(rhs - matrix @ x)
        return x

    return solve


def _least_change(jacobian: sp.csr_array) -> Solve:
    """Return a solver of ``[1, -H^T; H, mu] [x; y] = [f; g]``."""
    m, n = jacobian.shape
    if m == 0 or n == 0:
        return lambda f, g: (f, g)
    size = float(abs(jacobian).max()) if jacobian.nnz else 1.0
    ones = sp.eye_array(n), DAMPING * size**2 * sp.eye_array(m)
    inverse = splu(
        sp.block_array([[ones[0], -jacobian.T], [jacobian, ones[1]]], format="csc")
    ).solve

    def solve(f: FloatArray, g: FloatArray) -> tuple[FloatArray, FloatArray]:
        both = inverse(np.concatenate([f, g]))
        return both[:n], both[n:]

    return solve


def _require(
    system: System, d: Direction, left: FloatArray, change: FloatArray, rows: IntArray
) -> None:
    """Refuse a direction in which the constraints do not stay fulfilled."""
    scale = 1.0 + np.abs(change).max(initial=0.0)
    if not np.abs(left).max(initial=0.0) <= CONTRADICTION * scale:
        violated = report(system, left, rows)
        raise AssemblyError(
            f"The mechanism cannot be assembled for a changed '{d.name}': {violated}.",
            "Let redundant joints depend on it alike, or fix fewer coordinates.",
        )
