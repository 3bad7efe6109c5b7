"""What happens to a state when numbers of the equations change at an instant.

Positions stay. Velocities change only if the new equations forbid the old ones, and then as by an
impulse: least in the metric of the mass matrix. Accelerations and multipliers follow from the new
equations. The change of the energy is the work of whoever changed the numbers.
"""

from typing import NamedTuple

import numpy as np

from mbdgen.runtime.initialisation.assembly import accelerations, impulse
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

BROKEN = 1e-9
"""Change of a constraint, relative to coordinates or velocities, that is no rounding error."""


class Energies(NamedTuple):
    """Energies of a state under some numbers of the equations, and its violations.

    Attributes
    ----------
    total : float
        Kinetic and potential energy.
    power : float
        Of drivers and non-conservative loads.
    phi, phi_dot : array
        Constraint rows of positions and of velocities.
    """

    total: float
    power: float
    phi: FloatArray
    phi_dot: FloatArray


def look(system: System, state: State) -> Energies:
    """Return what the present equations say of a state."""
    t, q, v, a, lam = float(state.clock[0]), state.q, state.v, state.a, state.lam
    kinetic, potential, power = map(float, system.energies(t, q, v, a, lam))
    rows = system.work.rows
    phi, phi_dot = system.residual(t, q, v, a, lam)[rows], system.rates(t, q, v, a, lam)[0][rows]
    return Energies(kinetic + potential, power, phi, phi_dot)


def before(system: System, state: State, p: FloatArray) -> Energies:
    """Return what the equations with the parameters ``p`` said of it."""
    now = system.work.p.copy()
    system.work.p[:] = p
    try:
        return look(system, state)
    finally:
        system.work.p[:] = now


def breaks(system: System, state: State, old: Energies) -> bool:
    """Whether the positions contradict the new equations, as they did not contradict the old."""
    phi = look(system, state).phi
    # Formulations that let constraints drift leave violations of their own.
    change = np.abs(phi - old.phi).max(initial=0.0)
    return not change <= BROKEN * (1.0 + np.abs(state.q).max(initial=0.0))


def make_consistent(system: System, state: State, old: Energies) -> Energies:
    """Give a state the velocities and accelerations of the new equations; return its energies."""
    t = float(state.clock[0])
    system.regularise(t, state.q)
    change = look(system, state).phi_dot - old.phi_dot
    if np.abs(change).max(initial=0.0) > BROKEN * (1.0 + np.abs(state.v).max(initial=0.0)):
        state.v[:] += impulse(system, t, state.q, state.v)
    accelerations(system, state)
    return look(system, state)
