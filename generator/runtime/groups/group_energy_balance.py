"""Energy balance of a run by groups: the work of drivers and loads, and the energy drift."""

from typing import Any

import numpy as np

from mbdgen.runtime.groups.group_steps import DRIVERS, LOADS, NO_POWER, find_energies
from mbdgen.runtime.linalg.linear_solver import SingularMatrixError, analyse, new_factors
from mbdgen.runtime.monitors.work_quadrature import (
    DRIFT,
    ENERGY,
    NOISE,
    POTENTIAL,
    SCALE,
    WORK_DONE,
    begin_numbers,
    new_numbers,
)
from mbdgen.runtime.system.run_workspace import OK, REPIVOT_MASS, SINGULAR_MASS, State, new_state
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

MOST_PIVOTS = 4


class GroupEnergyBalance:
    """Accumulated energy balance of a run.

    Parameters
    ----------
    system : System
        The whole mechanism.
    order : int
        Of the method.

    Attributes
    ----------
    numbers : array
        See `mbdgen.runtime.monitors.work_quadrature`.
    """

    def __init__(self, system: System, order: int) -> None:
        self._system, self.numbers = system, new_numbers(order)
        self._mass = new_factors(system.work.indptr, system.work.indices)
        self._at, self._powered = new_state(system.n_q, system.n_lam), NO_POWER

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Arguments of compiled steps."""
        return self._mass, self._at, self.numbers, self._powered

    def begin(self, state: State) -> int:
        """Store the energies of the initial state."""
        system, at, numbers = self._system, self._at, self.numbers
        for mine, theirs in zip(at, state, strict=True):
            mine[:] = theirs
        if system.data.powered:
            system.regularise(float(at.clock[0]), at.q)
            self._powered = LOADS
            at.lam[:] = np.nan
            if not np.isfinite(system.energies(float(at.clock[0]), *at[1:])[2]):
                self._powered = DRIVERS  # their power is that of reactions
        at.lam[:] = 0.0
        for _ in range(MOST_PIVOTS):
            status = find_energies(system.kernels, system.work, self._mass, at, self._powered)
            if status not in (REPIVOT_MASS, SINGULAR_MASS):
                break
            self.renew(status)
        if status == OK:
            kinetic, potential, power = system.work.energies[:3]
            numbers[ENERGY], numbers[POTENTIAL] = kinetic + potential, potential
            numbers[SCALE] = max(kinetic, NOISE * abs(potential))
            begin_numbers(numbers, power)
        return int(status)

    def renew(self, status: int) -> None:
        """Choose pivots for the matrix that was evaluated last.

        If the whole mechanism has no unique reactions, the work is unknown from then on.
        """
        work = self._system.work
        try:
            if status == REPIVOT_MASS:
                self._mass = analyse(work.indptr, work.indices, work.values)
                return
        except SingularMatrixError:
            pass
        self._powered = NO_POWER
        self.numbers[WORK_DONE] = np.nan

    def compared(self, energies: FloatArray) -> tuple[float, float]:
        """Return the energy drift, and its scale.

        Parameters
        ----------
        energies : array, shape (n, 3)
            Recorded energies, which suffice if no work is done.
        """
        if self._powered:
            return float(self.numbers[DRIFT]), float(self.numbers[SCALE])
        kinetic, potential = energies[:, 0], energies[:, 1]
        total = kinetic + potential
        changes = [np.abs(x - x[0]).max() for x in (potential, total)]
        drift = changes[1] + 0.0 * self.numbers[WORK_DONE]  # unknown where work is
        return float(drift), float(max(kinetic.max(), *changes))
