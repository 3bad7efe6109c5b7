"""The balance of energy: by which part of it a motion is wrong, and whether that makes it none.

The same numbers are judged of a result and of a member of an ensemble.
"""

from math import inf
from typing import NamedTuple

import numpy as np

from mbdgen.runtime.accuracy import WARNED
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.quadrature import NOISE

BROKEN_ENERGY = 0.5
"""Part of the energy of the motion that may not appear from nowhere, or vanish."""
AT_REST = 1e-3
"""Part of the largest kinetic energy that is left of a motion that has come to rest."""


def missing_part(drift: float, scale: float, size: float = 0.0) -> float:
    """Return the energy that is missing or too much, relative to that of the motion.

    Parameters
    ----------
    drift : float
        What is missing or too much, in J.
    scale : float
        Energy of the motion: what its parts change by.
    size : float
        Of the energies themselves, whose round-off is no error.
    """
    part = drift / scale if scale > 0.0 else inf
    return part if drift > NOISE * size else min(part, NOISE)


def out_of_balance(drift: float, part: float) -> str:
    """Say that the energy of a motion is wrong, by how much and by which part; empty if it is not.

    Parameters
    ----------
    drift : float
        What is missing or too much, in J.
    part : float
        The same, as `missing_part` says.
    """
    if not part >= BROKEN_ENERGY:
        return ""
    of = f"{part:.0%} of" if part < 10.0 else f"{part:.2g} times"
    return (
        f"the energy does not balance: {drift:.3g} J are missing or too many, {of} the energy of "
        "the motion."
    )


class Spent(NamedTuple):
    """Energy that a motion has lost to its method, and gained from it: what no work explains.

    Attributes
    ----------
    lost : float
        From the beginning to the end, in J.
    gained : float
        The most at any instant.
    scale : float
        Energy of the motion.
    rests : bool
        Whether hardly any kinetic energy is left at the end.
    """

    lost: float
    gained: float
    scale: float
    rests: bool

    @classmethod
    def of(cls, energies: FloatArray, scale: float) -> "Spent":
        """Find it in a table of kinetic and potential energy and work.

        Parameters
        ----------
        energies : array, shape (n_t, 3)
            At some instants, the first and the last among them.
        scale : float
            Energy of the motion at all instants; NaN if that is not known.
        """
        kinetic, potential, work = energies.T
        left = kinetic + potential - work
        most = float(kinetic.max())
        return cls(
            lost=float(left[0] - left[-1]),
            gained=float((left - left[0]).max()),
            scale=max(most, float(np.ptp(potential)), scale),
            rests=0.0 < most and float(kinetic[-1]) <= AT_REST * most,
        )

    @property
    def came_to_rest(self) -> bool:
        """Whether the motion has lost energy until nothing moved, as in a dynamic relaxation.

        The method has taken the energy away. The end is an equilibrium nevertheless, only the way
        to it is not the motion of the mechanism.
        """
        return self.rests and self.lost > 0.0 and self.gained <= AT_REST * self.lost

    @property
    def only_lost(self) -> bool:
        """Whether the motion has lost energy, and nowhere gained some."""
        return self.gained <= WARNED * self.scale
