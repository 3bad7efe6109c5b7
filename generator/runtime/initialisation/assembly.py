"""Consistent initialisation (assembly): positions, velocities, accelerations and multipliers."""

import logging

import numpy as np
import scipy.sparse as sp

from mbdgen.errors import AssemblyError
from mbdgen.runtime.accuracy.violated_equations import report, undefined
from mbdgen.runtime.initialisation import fast_initialisation
from mbdgen.runtime.initialisation.fast_initialisation import CONTRADICTION
from mbdgen.runtime.initialisation.initial_velocities import velocities
from mbdgen.runtime.initialisation.nearest_position import begin_near_stated
from mbdgen.runtime.initialisation.position_equations import Positions
from mbdgen.runtime.linalg.index1_factors import factors
from mbdgen.runtime.linalg.least_change import least_change
from mbdgen.runtime.monitors.path_limits import Ranges
from mbdgen.runtime.system.equation_scales import Sizes
from mbdgen.runtime.system.run_workspace import OK, State, new_state
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

LOG = logging.getLogger("mbdgen.runtime.initialisation.assembly")


def assemble(system: System, t: float = 0.0) -> State:
    """Make the initial conditions of a system consistent with its constraints.

    Parameters
    ----------
    system : System
        Its ``q0``, ``v0`` are the initial guess; coordinates marked as fixed do not change.
    t : float
        Initial time (constraints may depend on it).

    Returns
    -------
    State
        ``phi = 0``, ``phi_dot = 0``, ``M a = f + G^T lam``, ``phi_ddot = 0``.

    Raises
    ------
    AssemblyError
        The constraints are inconsistent or cannot be fulfilled from the guess.
    SingularSystemError
        The mass matrix is singular for a motion that the constraints allow.
    """
    state = new_state(system.n_q, system.n_lam)
    state.clock[0] = t
    if system.n <= fast_initialisation.LIMIT:
        work = system.work
        workspace = fast_initialisation.new_initialisation_workspace(
            work, system.data, system.as_given
        )
        if (
            fast_initialisation.assemble(
                system.kernels, work, workspace, state, system.q0, system.v0
            )
            == OK
        ):
            _check_on_paths(system, state.q)
            _log_corrections(system, state.q)
            return state
    return assemble_with_care(system, t)


def assemble_with_care(system: System, t: float) -> State:
    """Initialise any system by robust methods, or explain why it cannot be done.

    Levenberg-Marquardt for positions, least kinetic energy for velocities, and the index-1
    equations for accelerations and Lagrange multipliers.
    """
    state = new_state(system.n_q, system.n_lam)
    state.clock[0] = t
    state.q[:] = positions(system, t)
    _log_corrections(system, state.q)
    system.regularise(t, state.q)
    state.v[:] = velocities(system, t, state.q)
    accelerations(system, state)
    return state


def _log_corrections(system: System, q: FloatArray) -> None:
    """Log the largest correction of the initial position: often it shows an input error."""
    moves = np.abs(q - system.q0)
    k = int(np.argmax(moves)) if len(moves) else 0
    if moves.max(initial=0.0) > 1e-6 * (1.0 + np.abs(q).max(initial=0.0)):
        name, count = system.names.coordinates[k], int((moves > 1e-6).sum())
        LOG.info("assembly moved %d coordinates, '%s' most, by %.3g", count, name, moves[k])


def positions(system: System, t: float, ease: FloatArray | None = None) -> FloatArray:
    """Solve ``phi(t, q) = 0`` with the least change of the guess (Levenberg-Marquardt).

    Each step is ``dq = -H^T (H H^T + mu)^-1 phi`` in the free coordinates, where the damping
    ``mu`` shrinks with ``phi``: no rank is ever decided, so redundant constraints and singular
    positions need no special treatment. Residuals are relative to the size of their terms
    (`Sizes`), lengths to that of the mechanism; changes are measured in units of ``ease``, one
    for each coordinate.

    Raises
    ------
    AssemblyError
        If the iteration does not converge, or converges beyond the end of a path.
    """
    q = _nearest(system, t, ease)
    _check_on_paths(system, q)
    return q


def _check_on_paths(system: System, q: FloatArray) -> None:
    """Refuse positions beyond the end of a path, where its equations are only continued."""
    if beyond := Ranges(system).beyond(q):
        raise AssemblyError(
            f"The mechanism cannot be assembled on its paths: {beyond}.",
            "Make the path longer, or begin nearer to a position on it.",
        )


def _nearest(system: System, t: float, ease: FloatArray | None) -> FloatArray:
    q, n_q = begin_near_stated(system, t), system.n_q
    free = ~system.data.fixed
    unit = (np.ones(n_q) if ease is None else ease)[free]
    equations = Positions.of(system, t, q)
    phi = equations.violation(q)
    damping = 1e-6
    for _ in range(200):
        if not np.isfinite(phi).all():
            raise undefined(system, t, q)
        if np.abs(phi).max(initial=0.0) <= equations.tolerance(q):
            equations = Positions.of(system, t, q)  # scales may be smaller than at the guess
            phi = equations.violation(q)
            if np.abs(phi).max(initial=0.0) <= equations.tolerance(q):
                return _polished(equations, q, phi)
        jacobian = equations.jacobian(q)[:, free] @ sp.diags_array(unit)
        slope = jacobian.T @ phi
        size = float(abs(jacobian).max()) if jacobian.nnz else 0.0
        if np.abs(slope).max(initial=0.0) <= 1e-9 * size * np.linalg.norm(phi):
            break
        step = least_change(jacobian, -phi, max(damping, 1e-12) * size**2)
        trial = q.copy()
        trial[free] += unit * step
        new = equations.violation(trial)
        if np.linalg.norm(new) < np.linalg.norm(phi):
            q, phi, damping = trial, new, min(damping, float(phi @ phi)) * 0.1
        else:
            damping = max(damping, 1e-12) * 10.0
        if damping > 1e8:
            break
    if float(np.abs(phi).max()) <= 1e2 * equations.tolerance(q):
        return q
    raise AssemblyError(
        f"The mechanism cannot be assembled: {equations.report(q)}.",
        "Correct the geometry of these joints, improve the guess or fix fewer coordinates.",
    )


def _polished(equations: "Positions", q: FloatArray, phi: FloatArray) -> FloatArray:
    """Take one more Newton step, undamped: quadratic convergence doubles the correct digits."""
    if np.abs(phi).max(initial=0.0) <= 1e-15:
        return q
    free = ~equations.system.data.fixed
    jacobian = equations.jacobian(q)[:, free]
    trial = q.copy()
    trial[free] += least_change(jacobian, -phi, 1e-12 * float(abs(jacobian).max()) ** 2)
    new = equations.violation(trial)
    return trial if np.linalg.norm(new) < np.linalg.norm(phi) else q


def accelerations(system: System, state: State) -> None:
    """Solve ``[M, -G^T; H, eps] [a; lam] = [f; gamma]``, with iterative refinement for ``eps``.

    With redundant constraints the Lagrange multipliers are those of least norm in the metric of
    ``eps``.
    """
    t, rows, n_q = float(state.clock[0]), system.work.rows, system.n_q
    solve = factors(system, t, state.q)
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
    sizes = Sizes.of(system, system.jacobian(t, state.q))
    known = system.rates(t, state.q, state.v, 0.0 * state.a, state.lam)[1][rows]
    large = max(sizes.speed(state.a), sizes.speed(_free_accelerations(system, state)))
    if sizes.worst(phi_ddot, large, known) > CONTRADICTION:
        raise AssemblyError(
            f"The constraints contradict each other at the level of accelerations: "
            f"{report(system, phi_ddot)}.",
            "Remove one of these joints or drivers, or start outside a singular position.",
        )


def _free_accelerations(system: System, state: State) -> FloatArray:
    """Return the largest accelerations without constraints, as a scale where nothing can move."""
    t, rest, n_q = float(state.clock[0]), np.zeros(system.n_q), system.n_q
    forces = np.abs(system.residual(t, state.q, state.v, rest, np.zeros(system.n_lam)))[:n_q]
    forces[system.work.rows[system.work.rows < n_q]] = 0.0
    matrix = abs(system.index_1_matrix(t, state.q)).tocsr()[:n_q, :n_q]
    mass = matrix.max(axis=1).toarray().ravel()
    found: FloatArray = forces / np.where(mass > 0.0, mass, np.inf)
    return found


def impulse(system: System, t: float, q: FloatArray, v: FloatArray) -> FloatArray:
    """Return the change of ``v`` of least kinetic energy that makes ``phi_dot = 0`` (impulse).

    ``[M, -G^T; H, eps] [dv; kappa] = [0; -phi_dot]`` with the impulsive reactions ``kappa``.
    """
    rows, now = system.work.rows, v.copy()
    for _ in range(4):
        violation = system.rates(t, q, now, np.zeros(system.n_q))[0][rows]
        if np.abs(violation).max(initial=0.0) <= 1e-14 * (1.0 + np.abs(now).max(initial=0.0)):
            break
        full = np.zeros(system.n)
        full[rows] = -violation
        now += factors(system, t, q)(full)[: system.n_q]
    return now - v
