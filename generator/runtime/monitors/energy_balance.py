"""Energy balance: relative energy error of a motion, and whether it makes the motion invalid.

Results and members of an ensemble are judged by the same signed quantities, because a dissipative
method only removes energy, while a motion that gains energy from nowhere is invalid.
"""

from math import inf, isfinite
from typing import NamedTuple

import numpy as np

from mbdgen.runtime.accuracy.result_accuracy import WARNED
from mbdgen.runtime.monitors.work_quadrature import NOISE
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.system.system_data import FloatArray

BROKEN_ENERGY = 0.5
"""Fraction of the energy of the motion that may not appear from nowhere, or vanish."""
AT_REST = 1e-3
"""Fraction of the largest kinetic energy that remains of a motion that has come to rest."""
DAMPED = "The method damps what its steps do not resolve, and has taken this energy away."
RESTS = (
    "The motion has come to rest because the method takes energy away: the end is an equilibrium, "
    "the way to it is not to be trusted."
)

# Recorded energies at recorded instants: the unbalanced part (kinetic and potential energy minus
# work), kinetic and potential energy, work.
LEFT_FIRST, LEFT_LAST, LEFT_MOST, KINETIC_LAST, KINETIC_MOST = range(5)
POTENTIAL_LEAST, POTENTIAL_MOST, WORK_FIRST, WORK_LEAST, WORK_MOST = range(5, 10)
NOTES = 10


@internal
def larger(a: float, b: float) -> float:
    """Return the larger value; NaN if one is NaN."""
    return a if a >= b or a != a else b


@internal
def note_energies(
    notes: FloatArray, first: bool, kinetic: float, potential: float, work: float
) -> None:
    """Add the energies at one more instant; see `balance_terms`."""
    left = kinetic + potential - work
    if first:
        notes[LEFT_FIRST], notes[LEFT_MOST] = left, left
        notes[KINETIC_MOST], notes[WORK_FIRST] = kinetic, work
        notes[POTENTIAL_LEAST], notes[POTENTIAL_MOST] = potential, potential
        notes[WORK_LEAST], notes[WORK_MOST] = work, work
    notes[LEFT_LAST], notes[KINETIC_LAST] = left, kinetic
    notes[LEFT_MOST] = larger(notes[LEFT_MOST], left)
    notes[KINETIC_MOST] = larger(notes[KINETIC_MOST], kinetic)
    notes[POTENTIAL_LEAST] = -larger(-notes[POTENTIAL_LEAST], -potential)
    notes[POTENTIAL_MOST] = larger(notes[POTENTIAL_MOST], potential)
    notes[WORK_LEAST] = -larger(-notes[WORK_LEAST], -work)
    notes[WORK_MOST] = larger(notes[WORK_MOST], work)


def balance_terms(energies: FloatArray) -> FloatArray:
    """Return the quantities for `Balance` from a table of kinetic and potential energy and work.

    Parameters
    ----------
    energies : array, shape (n_t, 3)
        Values at recorded instants.
    """
    notes = np.full(NOTES, np.nan)
    if len(energies) == 0:
        return notes
    kinetic, potential, work = energies.T
    left = kinetic + potential - work
    notes[LEFT_FIRST], notes[LEFT_LAST], notes[LEFT_MOST] = left[0], left[-1], left.max()
    notes[KINETIC_LAST], notes[KINETIC_MOST] = kinetic[-1], kinetic.max()
    notes[POTENTIAL_LEAST], notes[POTENTIAL_MOST] = potential.min(), potential.max()
    notes[WORK_FIRST], notes[WORK_LEAST], notes[WORK_MOST] = work[0], work.min(), work.max()
    return notes


class Balance(NamedTuple):
    """Numerical energy loss and gain of a motion, not explained by work.

    Attributes
    ----------
    drift : float
        Largest energy error at any instant, in J.
    part : float
        The same, relative to the energy of the motion; NaN if that is not known.
    lost : float
        Energy lost from the beginning to the end, in J.
    gained : float
        Largest energy gain at any instant.
    scale : float
        Energy of the motion.
    rests : bool
        Whether hardly any kinetic energy remains at the end.
    """

    drift: float
    part: float
    lost: float
    gained: float
    scale: float
    rests: bool

    @classmethod
    def of(cls, notes: FloatArray, drift: float, scale: float, moves: bool = True) -> "Balance":
        """Compute the balance from the recorded energies of a motion.

        Parameters
        ----------
        notes : array
            See `balance_terms`.
        drift : float
            Largest energy error at all evaluated instants.
        scale : float
            Energy of the motion at these instants; NaN if that is not known.
        moves : bool
            Whether anything moves: a system at rest has no energy of a motion.
        """
        x = notes.tolist()
        most, change = x[KINETIC_MOST], x[POTENTIAL_MOST] - x[POTENTIAL_LEAST]
        work = max(x[WORK_MOST] - x[WORK_FIRST], x[WORK_FIRST] - x[WORK_LEAST])
        known = isfinite(drift) and all(map(isfinite, x))
        size = most + max(abs(x[POTENTIAL_LEAST]), abs(x[POTENTIAL_MOST]))
        size += max(abs(x[WORK_LEAST]), abs(x[WORK_MOST]))
        energy = max(most, change, work, scale)
        part = missing_part(drift, energy, size) if known else float("nan")
        return cls(
            drift=drift,
            part=part if moves else 0.0,
            lost=x[LEFT_FIRST] - x[LEFT_LAST],
            gained=x[LEFT_MOST] - x[LEFT_FIRST],
            scale=max(most, change, scale),
            rests=0.0 < most and x[KINETIC_LAST] <= AT_REST * most,
        )

    @property
    def came_to_rest(self) -> bool:
        """Whether the motion has lost energy until it stopped, as in dynamic relaxation.

        The energy was dissipated numerically. The end is an equilibrium nevertheless; only the path
        to it is not the motion of the mechanism.
        """
        return self.rests and self.lost > 0.0 and self.gained <= AT_REST * self.lost

    @property
    def only_lost(self) -> bool:
        """Whether the motion has only lost energy and never gained any."""
        return self.gained <= WARNED * self.scale

    def is_excused(self, damps: bool) -> bool:
        """Whether missing energy is numerical dissipation that does not make the motion invalid.

        Parameters
        ----------
        damps : bool
            Whether the method has intended numerical dissipation at high frequencies.
        """
        return self.came_to_rest or (damps and self.only_lost)

    def broken(self, damps: bool) -> str:
        """Return a sentence about an energy error that invalidates the motion; else empty."""
        return "" if self.is_excused(damps) else out_of_balance(self.drift, self.part)

    def doubt(self) -> str:
        """Return a warning about the energy error of a valid motion; empty if it is small."""
        if not self.part >= WARNED:
            return ""
        text = f"The energy balance is wrong by {self.part:.0%} of the energy of the motion."
        if self.part < BROKEN_ENERGY:
            return text
        return f"{text} {RESTS if self.came_to_rest else DAMPED}"


def missing_part(drift: float, scale: float, size: float = 0.0) -> float:
    """Return the energy error relative to the energy of the motion.

    Parameters
    ----------
    drift : float
        Energy error, in J.
    scale : float
        Energy of the motion: the variation of its parts.
    size : float
        Magnitude of the energies themselves, whose round-off is not counted.
    """
    part = drift / scale if scale > 0.0 else inf
    return part if drift > NOISE * size else min(part, NOISE)


def out_of_balance(drift: float, part: float) -> str:
    """Return a sentence with the absolute and relative energy error; empty if it is small.

    Parameters
    ----------
    drift : float
        Energy error, in J.
    part : float
        Relative energy error, from `missing_part`.
    """
    if not part >= BROKEN_ENERGY:
        return ""
    of = f"{part:.0%} of" if part < 10.0 else f"{part:.2g} times"
    return (
        f"the energy does not balance: {drift:.3g} J are missing or too many, {of} the energy of "
        "the motion."
    )
