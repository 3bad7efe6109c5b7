r"""Inverse dynamics: reactions and driving forces for a prescribed motion.

.. math::
    M a - f = G^T \lambda + T^T E \tau

with unit vectors ``E`` of prescribed coordinates; ``tau`` are the generalised forces on them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mbdgen.errors import OptionError
from mbdgen.mechanics.prescribed_motion import Guided, Law, PrescribedState
from mbdgen.runtime.monitors.angle_unwrapping import count_turns_to
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.displacement_maps import rates_of_displacements
from mbdgen.runtime.system.model_argument import takes_model
from mbdgen.runtime.system.run_workspace import PASSES_READING
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray

UNBALANCED = 1e-7
"""Tolerance for unbalanced forces, relative to the largest force."""


def forces_of(
    system: System, place: PrescribedState, given: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return the Lagrange multipliers and the forces on given coordinates for a motion.

    With redundant constraints the multipliers are those of a simulation: of minimum norm in the
    metric of its regularisation.

    Raises
    ------
    OptionError
        If no such forces produce this motion.
    """
    t, q, v, a = place
    reads, still = system.data.reads, np.zeros(system.n_q)
    dynamics = np.setdiff1d(np.arange(system.n_q), system.work.rows)
    # No friction at rest: the columns of reactions are those of joints alone.
    moving = (still, still) if reads else (v, a)
    matrix = system.matrix(t, q, *moving, np.zeros(system.n_lam), (0.0, 0.0, 1.0)).toarray()
    T = rates_of_displacements(system, t, q)[:, dynamics]
    columns = np.hstack([-matrix[dynamics, system.n_q :], T[given].T])
    system.regularise(t, q)
    ease = np.concatenate([system.work.eps**-0.5, np.ones(len(given))])
    size = np.abs(columns).max(initial=0.0) or 1.0
    forces = np.zeros(columns.shape[1])
    for _ in range(PASSES_READING[1]):
        # Forces may depend on the reactions of the previous pass, see
        # `mbdgen.runtime.system.run_workspace.PASSES`.
        residual = system.residual(t, q, v, a, forces[: system.n_lam])[dynamics]
        left = residual - columns[:, system.n_lam :] @ forces[system.n_lam :]
        change = ease * np.linalg.lstsq(columns * ease, left, rcond=1e-13)[0]
        forces += change
        if not reads or np.abs(change).max(initial=0.0) <= 1e-12 * np.abs(forces).max(initial=0.0):
            break
    else:
        raise OptionError(
            f"At t = {t:g} friction of joints finds no reactions: it jams, or has no bounds.",
            "Check its coefficient and the load that it reads.",
        )
    needed = columns @ (forces - change) + left
    rest = np.abs(columns @ forces - needed)
    worst = int(np.argmax(rest)) if len(rest) else 0
    scale = np.abs(needed).max(initial=0.0) + size * np.abs(forces).max(initial=0.0)
    if len(rest) and rest[worst] > UNBALANCED * scale:
        raise OptionError(
            f"At t = {t:g} no driver makes this motion: {rest[worst]:.3g} are missing in the row "
            f"'{system.names.rows[dynamics[worst]]}'.",
            "Prescribe as many coordinates or drivers as there are freedoms.",
        )
    return forces[: system.n_lam], forces[system.n_lam :]


@dataclass(frozen=True, eq=False)
class Needed:
    """Motion with the forces that produce it.

    Attributes
    ----------
    motion : Result
        Positions, velocities, accelerations; the multipliers of drivers are their forces.
    names : tuple of str
        Names of prescribed coordinates.
    forces : array, shape (n_t, n)
        Forces on them (moments, if they are angles).
    """

    motion: Result
    names: tuple[str, ...]
    forces: FloatArray

    def __getitem__(self, key: str) -> FloatArray:
        """Return the force on a prescribed coordinate, or a series of the motion."""
        if key in self.names:
            return self.forces[:, self.names.index(key)]
        return self.motion[key]


@takes_model
def inverse_dynamics(
    system: System, t: ArrayLike, prescribed: Mapping[str, Law] | None = None
) -> Needed:
    """Return the driving forces for a prescribed motion: ``M a - f = G^T lam + T^T E tau``.

    Parameters
    ----------
    system : System or model
        With drivers, or without.
    t : array
        Times; the position at the first is assembled from ``system.q0``.
    prescribed : mapping, optional
        Functions of time by coordinate, which return value, rate and second rate.

    Returns
    -------
    Needed
        ``found["rod.theta"]`` is the moment on it; ``found["driver.torque"]`` an output of the
        model.
    """
    from mbdgen.mechanics.kinematics import kinematics

    found = kinematics(system, t, prescribed, reactions=True)
    if not found.motion.success:
        raise OptionError(found.motion.message, "Stop before that instant.")
    return Needed(found.motion, tuple(prescribed or ()), found.forces)


def forces_along(system: System, result: Result, names: tuple[str, ...]) -> FloatArray:
    """Return the forces on coordinates for a recorded motion, shape (n_t, n)."""
    guided = Guided.of(system, dict.fromkeys(names, lambda t: (0.0, 0.0, 0.0)))
    rows = zip(result.t.tolist(), result.q, result.v, result.a, strict=True)
    places = [PrescribedState(*row) for row in rows]
    forces, before = [], float(result.t[0])
    for place in places:
        count_turns_to(guided.system, before, *place[:3])
        forces.append(forces_of(guided.system, place, guided.given)[1])
        before = place.t
    return np.array(forces)
