r"""Sensitivities of consistent initialisation: assembly is differentiated like a step.

Positions are found by changes of least size, ``[1, -H^T; H, mu] [x; y] = [0; -phi]`` in the free
coordinates. The variation of each of them solves

.. math::
    \begin{bmatrix} 1 & -H^T \\ H & \mu \end{bmatrix}
    \begin{bmatrix} \delta x \\ \delta y \end{bmatrix} =
    \begin{bmatrix} \delta H^T y \\ -\delta\phi - \delta H x \end{bmatrix}

so that a guess which had to be moved is differentiated along its path to the assembled position.
Velocities are changed with the least kinetic energy, ``[M, -G^T; H, 0] [d; mu] = [0; -phi_dot]``,
with the prescribed ones fixed; accelerations and multipliers solve the equations of motion.
"""

from collections.abc import Callable, Sequence

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from mbdgen.errors import AssemblyError, OptionError
from mbdgen.runtime.accuracy.violated_equations import report
from mbdgen.runtime.initialisation.fast_initialisation import (
    CONTRADICTION,
    DAMPING,
    POSITION_TOLERANCE,
)
from mbdgen.runtime.sensitivities.directions import Direction
from mbdgen.runtime.sensitivities.variation_kernels import (
    Change,
    Point,
    mass_change,
    no_change,
    rates_change,
    residual_change,
    rest,
)
from mbdgen.runtime.system.run_workspace import INDEX_1, State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray

STEPS = 50
EPS = 1e-10
"""Of what holds velocities: makes redundant ones harmless."""
FOLLOWED = 1e-6
"""Distance from the assembled position at which its branch is taken for another one."""

Solve = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


def vary_initial(system: System, state: State, wanted: Sequence[Direction]) -> list[Change]:
    """Return the changes of an assembled state, one for each direction.

    Raises
    ------
    AssemblyError
        If the constraints cannot be satisfied for a changed parameter.
    """
    t = float(state.clock[0])
    changes = _positions(system, t, state.q, wanted)
    changes = _velocities(system, t, state, wanted, changes)
    return _accelerations(system, state, changes)


def _positions(
    system: System, t: float, assembled: FloatArray, wanted: Sequence[Direction]
) -> list[Change]:
    """Return changes of ``q``, from the guess to the assembled position."""
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
        _check_fulfilled(system, d, residual_change(system, at, change)[rows], change.q, rows)
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
    """Return the changes with those of ``v``; fixed velocities keep their own."""
    q, v, v0, rows, n = state.q, state.v, system.v0, system.work.rows, system.n
    held = np.flatnonzero(system.data.fixed_velocity)
    at = rest(system, t, q)._replace(v=v.copy())
    changes = [c._replace(v=d.v0.copy()) for d, c in zip(wanted, changes, strict=True)]
    exact = _with_held(system, t, q, held)
    x = np.zeros(n + len(held))
    x[rows] = system.jacobian(t, q) @ (v - v0)
    x = exact(x)[:n]
    for d, change in zip(wanted, changes, strict=True):
        moved = mass_change(system, rest(system, t, q), change)
        for again in range(3):
            left = -rates_change(system, at, change)[0][rows]
            rhs = np.zeros(n + len(held))
            rhs[:n] = -(moved @ x) * (again == 0)
            rhs[rows] = left
            change.v[:] += exact(rhs)[: system.n_q]
        _check_fulfilled(system, d, rates_change(system, at, change)[0][rows], change.v, rows)
    return changes


def _with_held(
    system: System, t: float, q: FloatArray, held: IntArray
) -> Callable[[FloatArray], FloatArray]:
    """Return a solver of ``[M, -G^T, -F; H, 0, 0; K, 0, 0]``, where ``F`` are the forces that hold.

    They act on rows of their own: those of the coordinates, or all of an orientation.
    """
    matrix = system.matrix(*rest(system, t, q), INDEX_1)
    if not len(held):
        return exact_solver(system, matrix)
    _check_plain(system, q, held)
    norms = np.isin(held, system.work.rows)
    n, count = system.n, len(held)
    ones = np.ones(count)
    forces = sp.csr_array((-ones * ~norms, (held, np.arange(count))), shape=(n, count))
    rows = sp.csr_array((ones, (np.arange(count), held)), shape=(count, n))
    exact = sp.block_array([[matrix, forces], [rows, None]], format="csc")
    size = float(abs(matrix).max())
    eps = np.zeros(n + count)
    eps[system.n_q : n] = system.work.eps
    eps[n:] = np.where(norms, 1.0, EPS / size)
    inverse = splu(sp.csc_array(exact + sp.diags_array(eps))).solve

    def solve(rhs: FloatArray) -> FloatArray:
        x: FloatArray = inverse(rhs)
        for _ in range(3):
            x = x + inverse(rhs - exact @ x)
        return x

    return solve


def _check_plain(system: System, q: FloatArray, held: IntArray) -> None:
    """Refuse to differentiate orientations of which only some coordinates are fixed.

    Raises
    ------
    OptionError
        Naming the body.
    """
    blocks = [(int(a), int(n)) for a, n in system.data.unit_blocks]
    blocks += [(body.first, body.n_q) for body in system.data.displaced]
    turned = np.abs(q - system.q0).max(initial=0.0) > FOLLOWED
    for first, size in blocks:
        own = held[(held >= first) & (held < first + size)]
        owner = system.names.row_owners[first]
        if (len(own) and turned) or 0 < len(own) < size:
            names = ", ".join(f"'{system.names.coordinates[k]}'" for k in own)
            why = "which assembly turns" if turned else "not all of its orientation"
            raise OptionError(
                f"There are no sensitivities of a start that holds the rates of {names}: {why} "
                f"(body '{owner}').",
                "Hold its whole velocity (fixed_velocity='all'), at a position that fits.",
            )
    if len(system.data.stated.twists):
        names = ", ".join(f"'{system.data.bodies[k]}'" for k, _ in system.data.stated.twists)
        raise OptionError(
            f"There are no sensitivities of a start that holds a velocity of {names} which is no "
            "coordinate.",
            "Hold all of its coordinates (fixed_velocity='all').",
        )


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


def _check_fulfilled(
    system: System, d: Direction, left: FloatArray, change: FloatArray, rows: IntArray
) -> None:
    """Reject a direction in which the constraints do not stay fulfilled."""
    scale = 1.0 + np.abs(change).max(initial=0.0)
    if not np.abs(left).max(initial=0.0) <= CONTRADICTION * scale:
        violated = report(system, left, rows)
        raise AssemblyError(
            f"The mechanism cannot be assembled for a changed '{d.name}': {violated}.",
            "Let redundant joints depend on it alike, or fix fewer coordinates.",
        )
