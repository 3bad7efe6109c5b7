"""Consistent initial values: positions, velocities, accelerations and multipliers."""

import logging
from collections import defaultdict
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from mbdgen.errors import AssemblyError, SingularSystemError
from mbdgen.runtime import regular
from mbdgen.runtime.culprit import ADVICE, not_finite
from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.runtime.leaving import Ranges
from mbdgen.runtime.regular import CONTRADICTION, POSITION_TOLERANCE, SINGULAR_RESPONSE
from mbdgen.runtime.system import System
from mbdgen.runtime.work import OK, State, new_state

SMALL = 150
"""Unknowns up to which a dense solution costs less than making a sparse matrix."""

LOG = logging.getLogger("mbdgen.runtime.assemble")


def assemble(system: System, t: float = 0.0) -> State:
    """Make the initial values of a system fulfil its constraints.

    Parameters
    ----------
    system : System
        Its ``q0``, ``v0`` are the guesses; coordinates marked as fixed stay as they are.
    t : float
        Initial time (constraints may depend on it).

    Returns
    -------
    State
        ``phi = 0``, ``phi_dot = 0``, ``M a = f + G^T lam``, ``phi_ddot = 0``.

    Raises
    ------
    AssemblyError
        The constraints contradict each other or cannot be reached from the guess.
    SingularSystemError
        A motion that the constraints allow has no inertia.
    """
    state = new_state(system.n_q, system.n_lam)
    state.clock[0] = t
    if system.n <= regular.LIMIT:
        work = system.work
        room = regular.new_room(work, system.data)
        if regular.assemble(system.kernels, work, room, state, system.q0, system.v0) == OK:
            _require_on_paths(system, state.q)
            _tell_of_moves(system, state.q)
            return state
    return assemble_with_care(system, t)


def assemble_with_care(system: System, t: float) -> State:
    """Do what `assemble` does for any system, or explain why it cannot be done."""
    state = new_state(system.n_q, system.n_lam)
    state.clock[0] = t
    state.q[:] = positions(system, t)
    _tell_of_moves(system, state.q)
    system.regularise(t, state.q)
    state.v[:] = velocities(system, t, state.q)
    accelerations(system, state)
    return state


def _tell_of_moves(system: System, q: FloatArray) -> None:
    """Log how far assembly moved the initial position: a large move is often a slip."""
    moves = np.abs(q - system.q0)
    k = int(np.argmax(moves)) if len(moves) else 0
    if moves.max(initial=0.0) > 1e-6 * (1.0 + np.abs(q).max(initial=0.0)):
        name, count = system.names.coordinates[k], int((moves > 1e-6).sum())
        LOG.info("assembly moved %d coordinates, '%s' most, by %.3g", count, name, moves[k])


def positions(system: System, t: float, ease: FloatArray | None = None) -> FloatArray:
    """Move the guess as little as possible until ``phi(t, q) = 0`` (Levenberg and Marquardt).

    Each step is ``dq = -H^T (H H^T + mu)^-1 phi`` in the free coordinates, where ``mu`` shrinks
    with ``phi``: no rank is ever decided, so redundant constraints and singular positions need
    no special treatment. Changes are measured in units of ``ease``, one for each coordinate.

    Raises
    ------
    AssemblyError
        If that leads nowhere, or to a place beyond the path that it moves along.
    """
    q = _nearest(system, t, ease)
    _require_on_paths(system, q)
    return q


def _require_on_paths(system: System, q: FloatArray) -> None:
    """Refuse positions with a place beyond its path, whose equations go on behind its ends."""
    if beyond := Ranges(system).beyond(q):
        raise AssemblyError(
            f"The mechanism cannot be assembled on its paths: {beyond}.",
            "Make the path longer, or begin nearer to a position on it.",
        )


def _nearest(system: System, t: float, ease: FloatArray | None) -> FloatArray:
    q, rows, n_q = system.q0.copy(), system.position_rows, system.n_q
    free = ~system.data.fixed
    unit = (np.ones(n_q) if ease is None else ease)[free]
    rest = (np.zeros(n_q), np.zeros(n_q), np.zeros(system.n_lam))
    phi = system.residual(t, q, *rest)[rows]
    damping = 1e-6
    for _ in range(200):
        scale = 1.0 + np.abs(q).max(initial=0.0)
        if not np.isfinite(phi).all():
            raise undefined(system, t, q)
        if np.abs(phi).max(initial=0.0) <= max(POSITION_TOLERANCE, 2e-14 * scale):
            return _polished(system, t, q, phi)
        jacobian = system.jacobian(t, q, rows)[:, free] @ sp.diags_array(unit)
        slope = jacobian.T @ phi
        size = float(abs(jacobian).max()) if jacobian.nnz else 0.0
        if np.abs(slope).max(initial=0.0) <= 1e-9 * size * np.linalg.norm(phi):
            break
        step = least_change(jacobian, -phi, max(damping, 1e-12) * size**2)
        trial = q.copy()
        trial[free] += unit * step
        new = system.residual(t, trial, *rest)[rows]
        if np.linalg.norm(new) < np.linalg.norm(phi):
            q, phi, damping = trial, new, min(damping, float(phi @ phi)) * 0.1
        else:
            damping = max(damping, 1e-12) * 10.0
        if damping > 1e8:
            break
    violation = float(np.abs(phi).max())
    if violation <= 1e-10 * (1.0 + np.abs(q).max()):
        return q
    raise AssemblyError(
        f"The mechanism cannot be assembled: {report(system, phi, rows)}.",
        "Correct the geometry of these joints, improve the guess or fix fewer coordinates.",
    )


def _polished(system: System, t: float, q: FloatArray, phi: FloatArray) -> FloatArray:
    """Take one more step, undamped: it doubles the digits that the tolerance left."""
    if np.abs(phi).max(initial=0.0) <= 1e-15:
        return q
    rest = (np.zeros(system.n_q), np.zeros(system.n_q), np.zeros(system.n_lam))
    free = ~system.data.fixed
    rows = system.position_rows
    jacobian = system.jacobian(t, q, rows)[:, free]
    trial = q.copy()
    trial[free] += least_change(jacobian, -phi, 1e-12 * float(abs(jacobian).max()) ** 2)
    new = system.residual(t, trial, *rest)[rows]
    return trial if np.linalg.norm(new) < np.linalg.norm(phi) else q


def velocities(system: System, t: float, q: FloatArray) -> FloatArray:
    """Change the velocity guess as little as possible until ``H v + phi_t = 0``.

    Smallest in the metric of the mass matrix, so that the result does not depend on the choice of
    coordinates. If velocities are fixed, the others change instead; where that is impossible the
    fixed ones are released and a warning is logged.
    """
    v, fixed = system.v0.copy(), system.data.fixed_velocity
    jacobian, rows = system.jacobian(t, q), system.work.rows
    size = float(abs(jacobian).max()) if jacobian.nnz else 1.0

    def violation() -> FloatArray:
        return system.rates(t, q, v, np.zeros(system.n_q))[0][rows]

    def small(phi_dot: FloatArray, limit: float) -> bool:
        scale = size * (1.0 + np.abs(v).max(initial=0.0))
        return bool(np.abs(phi_dot).max(initial=0.0) <= limit * scale)

    if small(violation(), 1e-13):
        return v
    if fixed.any():
        for _ in range(4):
            v[~fixed] += least_change(jacobian[:, ~fixed], -violation(), 1e-12 * size**2)
        if small(violation(), CONTRADICTION):
            return v
        LOG.warning(
            "The fixed initial velocities contradict the constraints (%s); they were changed.",
            report(system, violation()),
        )
        v = system.v0.copy()
    for _ in range(4):
        v += _smallest_kinetic_energy(system, t, q, -violation())
    if small(violation(), 1e-10):
        return v
    for _ in range(4):
        v += least_change(jacobian, -violation(), 1e-12 * size**2)
    if small(violation(), CONTRADICTION):
        return v
    raise AssemblyError(
        f"The constraints contradict each other at the level of velocities: "
        f"{report(system, violation())}.",
        "Remove one of these joints or drivers, or start outside a singular position.",
    )


def accelerations(system: System, state: State) -> None:
    """Solve ``[M, -G^T; H, eps] [a; lam] = [f; gamma]``, with iteration against ``eps``.

    With redundant constraints the multipliers are the smallest ones in the metric of ``eps``.
    """
    t, rows, n_q = float(state.clock[0]), system.work.rows, system.n_q
    solve = _factors(system, t, state.q)
    for _ in range(system.work.passes[1]):
        rhs = -system.residual(t, state.q, state.v, state.a, state.lam)
        rhs[rows] = -system.rates(t, state.q, state.v, state.a, state.lam)[1][rows]
        x = solve(rhs)
        state.a[:] += x[:n_q]
        state.lam[:] += x[n_q:]
        if np.abs(x).max(initial=0.0) <= 1e-13 * (1.0 + np.abs(state.a).max(initial=0.0)):
            break
    phi_ddot = system.rates(t, state.q, state.v, state.a, state.lam)[1][rows]
    if not np.isfinite(state.a).all() or not np.isfinite(state.lam).all():
        raise undefined(system, t, state.q, state.v)
    scale = 1.0 + np.abs(state.a).max(initial=0.0) + float(np.abs(state.v).max(initial=0.0)) ** 2
    if np.abs(phi_ddot).max(initial=0.0) > CONTRADICTION * scale:
        raise AssemblyError(
            f"The constraints contradict each other at the level of accelerations: "
            f"{report(system, phi_ddot)}.",
            "Remove one of these joints or drivers, or start outside a singular position.",
        )


def report(system: System, violation: FloatArray, rows: IntArray | None = None) -> str:
    """Name the joints (or bodies) with the largest violation of all constraint rows, or of some."""
    rows, count = system.work.rows if rows is None else rows, 3
    owners = [system.names.row_owners[row] for row in rows]
    worst: dict[str, float] = defaultdict(float)
    for owner, value in zip(owners, np.abs(np.nan_to_num(violation, nan=np.inf)), strict=True):
        worst[owner] = max(worst[owner], float(value))
    ranking = sorted(worst.items(), key=lambda item: -item[1])[:count]
    ranking = [item for item in ranking if item[1] >= 1e-3 * ranking[0][1]]
    return ", ".join(f"'{owner}' is violated by {size:.3g}" for owner, size in ranking)


def least_change(jacobian: sp.csr_array, rhs: FloatArray, mu: float) -> FloatArray:
    """Return ``H^T (H H^T + mu)^-1 rhs``, from ``[1, -H^T; H, mu] [x; y] = [0; rhs]``.

    So nothing is squared.
    """
    m, n = jacobian.shape
    if m == 0 or n == 0:
        return np.zeros(n)
    if m + n <= SMALL:
        dense = np.eye(m + n)
        dense[n:, :n] = jacobian.toarray()
        dense[:n, n:] = -dense[n:, :n].T
        dense[n:, n:] *= mu
        change: FloatArray = np.linalg.solve(dense, np.concatenate([np.zeros(n), rhs]))[:n]
        return change
    matrix = sp.block_array(
        [[sp.eye_array(n), -jacobian.T], [jacobian, mu * sp.eye_array(m)]], format="csc"
    )
    x: FloatArray = splu(matrix).solve(np.concatenate([np.zeros(n), rhs]))[:n]
    return x


def _smallest_kinetic_energy(
    system: System, t: float, q: FloatArray, rhs: FloatArray
) -> FloatArray:
    full = np.zeros(system.n)
    full[system.work.rows] = rhs
    change: FloatArray = _factors(system, t, q)(full)[: system.n_q]
    return change


def impulse(system: System, t: float, q: FloatArray, v: FloatArray) -> FloatArray:
    """Return the change of ``v``, least in kinetic energy, after which ``phi_dot = 0``."""
    rows, now = system.work.rows, v.copy()
    for _ in range(4):
        violation = system.rates(t, q, now, np.zeros(system.n_q))[0][rows]
        if np.abs(violation).max(initial=0.0) <= 1e-14 * (1.0 + np.abs(now).max(initial=0.0)):
            break
        now += _smallest_kinetic_energy(system, t, q, -violation)
    return now - v


def _factors(system: System, t: float, q: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """Return a solver of the index-1 matrix, or explain why there is none."""
    matrix = system.index_1_matrix(t, q)
    if not np.isfinite(matrix.data).all():
        raise undefined(system, t, q)
    try:
        solve: Callable[[FloatArray], FloatArray] = splu(matrix).solve
    except RuntimeError:
        raise massless(system, matrix) from None
    if _response(system, matrix, solve)[1] > SINGULAR_RESPONSE:
        raise massless(system, matrix)
    return solve


def massless(system: System, matrix: sp.csc_array) -> SingularSystemError:
    """Explain a singular index-1 matrix by the coordinates of a motion without inertia.

    The response to any force is dominated by that motion once the matrix is disturbed a little.
    """
    size = abs(matrix).max(axis=1).toarray().ravel()
    size[size == 0.0] = size.max() or 1.0
    disturbed = sp.csc_array(matrix + sp.diags_array(1e-13 * size))
    motion = _response(system, matrix, splu(disturbed).solve)[0]
    largest = np.flatnonzero(motion > 0.3 * motion.max())[:6]
    bodies = ", ".join(dict.fromkeys(f"'{system.names.row_owners[k]}'" for k in largest))
    names = ", ".join(f"'{system.names.coordinates[k]}'" for k in largest)
    cause = f"The mass matrix is singular: {bodies} can move (in {names}) without any inertia."
    if all(system.names.coordinates[k].rpartition(".")[2] not in tuple("xyz") for k in largest):
        # It turns in its place: a thin rod between spherical joints, most of the time.
        return SingularSystemError(
            cause,
            "If it is a thin rod between two spherical joints, which can spin about its own line, "
            "give it a moment of inertia about that line, or put a universal joint in the place of "
            "one of them; otherwise constrain that motion.",
        )
    return SingularSystemError(
        cause, "Give the body mass and inertia there, or constrain that motion."
    )


def _response(
    system: System, matrix: sp.csc_array, solve: Callable[[FloatArray], FloatArray]
) -> tuple[FloatArray, float]:
    """Accelerations under random forces, and their size after rows and columns are scaled to 1."""
    scaled = abs(matrix)
    rows = scaled.max(axis=1).toarray().ravel()
    rows[rows == 0.0] = 1.0
    columns = (sp.diags_array(1.0 / rows) @ scaled).max(axis=0).toarray().ravel()
    force = regular.random_force(system.n, system.work.rows) * rows
    with np.errstate(all="ignore"):
        motion = np.nan_to_num(np.abs(solve(force))[: system.n_q], nan=np.inf)
        return motion, float((motion * columns[: system.n_q]).max(initial=0.0))


def undefined(
    system: System, t: float, q: FloatArray, v: FloatArray | None = None
) -> AssemblyError:
    """Say which equation is not finite."""
    state = new_state(system.n_q, system.n_lam)
    state.q[:] = q
    state.v[:] = 0.0 if v is None else v
    where = not_finite(system, t, state) or "the accelerations"
    return AssemblyError(f"The equations are not finite at t = {t:g}: {where}.", ADVICE)
