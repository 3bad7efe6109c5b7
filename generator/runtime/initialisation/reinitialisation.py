"""Reinitialisation of a state after a discontinuous change of parameters.

Positions are kept. Velocities change only if they violate the new constraints, and then by an
impulse: least in the metric of the mass matrix. Accelerations and Lagrange multipliers follow from
the new equations. The change of energy is the external work of the change of parameters.
"""

from typing import NamedTuple

import numpy as np

from mbdgen.runtime.initialisation.assembly import accelerations, impulse
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

BROKEN = 1e-9
"""Change of a constraint, relative to coordinates or velocities, above round-off."""


class Energies(NamedTuple):
    """Energies and constraint violations of a state under given parameters.

    Attributes
    ----------
    total : float
        Kinetic and potential energy.
    power : float
        Power of drivers and non-conservative loads.
    phi, phi_dot : array
        Residuals of the constraints on positions and on velocities.
    """

    total: float
    power: float
    phi: FloatArray
    phi_dot: FloatArray


def look(system: System, state: State) -> Energies:
    """Return energies and constraint violations of a state under the present parameters."""
    t, q, v, a, lam = float(state.clock[0]), state.q, state.v, state.a, state.lam
    kinetic, potential, power = map(float, system.energies(t, q, v, a, lam))
    rows = system.work.rows
    phi, phi_dot = system.residual(t, q, v, a, lam)[rows], system.rates(t, q, v, a, lam)[0][rows]
    return Energies(kinetic + potential, power, phi, phi_dot)


def before(system: System, state: State, p: FloatArray) -> Energies:
    """Return energies and constraint violations of a state under the parameters ``p``."""
    now = system.work.p.copy()
    system.work.p[:] = p
    try:
        return look(system, state)
    finally:
        system.work.p[:] = now


def breaks(system: System, state: State, old: Energies) -> bool:
    """Whether the change of parameters makes the positions inconsistent."""
    phi = look(system, state).phi
    # Formulations with constraint drift have violations of their own.
    change = np.abs(phi - old.phi).max(initial=0.0)
    return not change <= BROKEN * (1.0 + np.abs(state.q).max(initial=0.0))


def make_consistent(system: System, state: State, old: Energies) -> Energies:
    """Make velocities and accelerations consistent with the new equations; return the energies."""
    t = float(state.clock[0])
    system.regularise(t, state.q)
    change = look(system, state).phi_dot - old.phi_dot
    if np.abs(change).max(initial=0.0) > BROKEN * (1.0 + np.abs(state.v).max(initial=0.0)):
        state.v[:] += impulse(system, t, state.q, state.v)
    accelerations(system, state)
    return look(system, state)
