"""Derivatives of the constraints on position, velocity and acceleration level.

Position rows restrict displacements, velocity rows restrict speeds, and acceleration rows are the
time derivatives of the latter. For holonomic constraints they are the same rows; nonholonomic ones
have velocity rows only.
"""

from dataclasses import dataclass

import numpy as np

from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.second_derivatives import check_kernels, slopes
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

AT_REST = 1e-6
"""Velocities and accelerations up to this size, in units of the model, count as zero."""


@dataclass(frozen=True)
class Levels:
    """Derivatives of the constraint equations at a state.

    Attributes
    ----------
    H : array, shape (n_position, n_q)
        ``d phi/dq`` of the position-level equations.
    V : array, shape (n_velocity, n_q)
        ``d phi_dot/dv`` of the velocity-level equations; equal to ``d phi_ddot/da``.
    V_q : array, shape (n_velocity, n_q)
        ``d phi_dot/dq``.
    A_q, A_v : array, shape (n_velocity, n_q)
        ``d phi_ddot/dq`` and ``d phi_ddot/dv``.
    """

    H: FloatArray
    V: FloatArray
    V_q: FloatArray
    A_q: FloatArray
    A_v: FloatArray


def levels(system: System, state: State) -> Levels:
    """Return the derivatives of the constraints at a state.

    Raises
    ------
    OptionError
        If the state is not at rest, and the module has no second derivatives.
    """
    t = float(state.clock[0])
    H = system.jacobian(t, state.q, system.position_rows).toarray()
    V = system.jacobian(t, state.q).toarray()
    if not len(V) or (_at_rest(system, state) and "slopes" not in system.offers):
        nothing = np.zeros_like(V)
        return Levels(H, V, nothing, nothing, nothing)
    check_kernels(system, ("slopes",), "Linearisation about a motion")
    first, second = (part.toarray() for part in slopes(system, t, state.q, state.v, state.a))
    return Levels(H, V, first, second, _by_velocities(system, state))


def _by_velocities(system: System, state: State) -> FloatArray:
    """Return ``d phi_ddot/dv``, exactly: ``phi_ddot`` is a polynomial of degree 2 in ``v``.

    For such polynomials ``p(v + e) - p(v - e) = 2 p'(v) e`` for any ``e``. For holonomic
    constraints it equals ``2 d phi_dot/dq``; for nonholonomic ones it does not.
    """
    t, q, v, a, rows = float(state.clock[0]), state.q, state.v, state.a, system.work.rows
    length = 1.0 + np.abs(v).max(initial=0.0)
    columns = []
    for unit in np.eye(system.n_q) * length:
        ahead, behind = (system.rates(t, q, v + sign * unit, a)[1][rows] for sign in (1, -1))
        columns.append((ahead - behind) / (2.0 * length))
    return np.array(columns).T


def _at_rest(system: System, state: State) -> bool:
    """Return whether velocities, accelerations and drivers are zero: constant constraint rates."""
    fastest = max(np.abs(x).max(initial=0.0) for x in (state.v, state.a))
    return bool(fastest <= AT_REST) and not system.data.drives
