"""From minimal coordinates to the state of a generated system, with exact derivatives."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.initialisation.assembly import accelerations
from mbdgen.runtime.system.run_workspace import new_state
from mbdgen.runtime.system.system import System

FloatArray = NDArray[np.float64]
Pose = Callable[[NDArray[np.complex128]], NDArray[np.complex128]]
"""All coordinates ``q(p)`` of a mechanism; it must be analytic, so no ``abs`` and ``hypot``."""

TINY = 1e-30


def jacobian(pose: Pose, p: FloatArray) -> FloatArray:
    """``dq/dp`` by complex steps, exact to round-off."""
    steps = 1j * TINY * np.eye(len(p))
    return np.column_stack([np.imag(pose(p + step)) / TINY for step in steps])


def convective(pose: Pose, p: FloatArray, v: FloatArray) -> FloatArray:
    """``J' v``: differences of fourth order of exact Jacobians, good to about 1e-11."""
    s = 1e-3

    def moved(k: int) -> FloatArray:
        return np.asarray(jacobian(pose, p + k * s * v) @ v)

    return (8.0 * (moved(1) - moved(-1)) - (moved(2) - moved(-2))) / (12.0 * s)


def reduced(
    system: System, pose: Pose, p: FloatArray, v: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Mass matrix ``J^T M J`` and force ``J^T (f - M J' v)`` from the generated kernels.

    Only for bodies whose dynamics rows are those of their coordinates (planar ones). The reactions
    drop out because the constraints hold for every ``p``.
    """
    J = jacobian(pose, p)
    q, n_q = np.real(pose(p + 0j)), system.n_q
    rest, lam = np.zeros(n_q), np.zeros(system.n_lam)
    assert np.abs(system.jacobian(0.0, q) @ J).max() <= 1e-13, "the pose violates a constraint"
    mass = system.matrix(0.0, q, J @ v, rest, lam, (0.0, 0.0, 1.0)).toarray()[:n_q, :n_q]
    force = -system.residual(0.0, q, J @ v, rest, lam)[:n_q]
    return J.T @ mass @ J, J.T @ (force - mass @ convective(pose, p, v))


def acceleration(
    system: System, pose: Pose, p: FloatArray, v: FloatArray
) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
    """Consistent accelerations of the generated system, and the map from ``p''`` to the same."""
    J, bent = jacobian(pose, p), convective(pose, p, v)
    state = new_state(system.n_q, system.n_lam)
    state.q[:], state.v[:] = np.real(pose(p + 0j)), J @ v
    system.regularise(0.0, state.q)
    accelerations(system, state)
    return state.a, lambda second: J @ second + bent
