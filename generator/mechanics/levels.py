"""Derivatives of the constraints on each level; the one place that knows which rows there are.

Rows of positions say which displacements are possible, rows of velocities which speeds, and rows of
accelerations are the rates of the latter. For holonomic constraints they are the same rows.
"""

from dataclasses import dataclass

import numpy as np

from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.second_derivatives import require_kernels, slopes
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

AT_REST = 1e-6
"""Velocities and accelerations up to this size, in units of the model, count as rest."""


@dataclass(frozen=True)
class Levels:
    """Constraint equations at one state, differentiated.

    Attributes
    ----------
    H : array, shape (n_position, n_q)
        ``d phi/dq`` of the equations that positions fulfil.
    V : array, shape (n_velocity, n_q)
        ``d phi_dot/dv`` of those that velocities fulfil; ``d phi_ddot/da`` is the same.
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
        If something moves, and the module has no second derivatives.
    """
    t = float(state.clock[0])
    H = system.jacobian(t, state.q, system.position_rows).toarray()
    V = system.jacobian(t, state.q).toarray()
    if not len(V) or (_at_rest(system, state) and "slopes" not in system.offers):
        nothing = np.zeros_like(V)
        return Levels(H, V, nothing, nothing, nothing)
    require_kernels(system, ("slopes",), "Linearisation about a motion")
    first, second = (part.toarray() for part in slopes(system, t, state.q, state.v, state.a))
    return Levels(H, V, first, second, _by_velocities(system, state))


def _by_velocities(system: System, state: State) -> FloatArray:
    """Return ``d phi_ddot/dv``, exactly: ``phi_ddot`` is a polynomial of degree 2 in ``v``.

    For such ones ``p(v + e) - p(v - e) = 2 p'(v) e``, however long ``e`` is. For holonomic
    constraints it is ``2 d phi_dot/dq``; for others it is not.
    """
    t, q, v, a, rows = float(state.clock[0]), state.q, state.v, state.a, system.work.rows
    length = 1.0 + np.abs(v).max(initial=0.0)
    columns = []
    for unit in np.eye(system.n_q) * length:
        ahead, behind = (system.rates(t, q, v + sign * unit, a)[1][rows] for sign in (1, -1))
        columns.append((ahead - behind) / (2.0 * length))
    return np.array(columns).T


def _at_rest(system: System, state: State) -> bool:
    """Whether nothing moves and no driver will, so that rates of the constraints do not change."""
    fastest = max(np.abs(x).max(initial=0.0) for x in (state.v, state.a))
    return bool(fastest <= AT_REST) and not system.data.drives
