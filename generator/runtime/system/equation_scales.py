"""How large the numbers in an equation of a mechanism are, by the kinds of its coordinates.

An equation ``phi`` adds lengths, or direction cosines, or other numbers, and round-off leaves some
part of these. A row of the Jacobian says which: its entries multiply lengths, which are as large as
the mechanism, or angles and the like, which are of the order of one.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from mbdgen.runtime.initialisation.void_equations import say_nothing
from mbdgen.runtime.results.result_series import lengths
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

ALL = slice(None)
SMALLEST = 1e-13
"""In metres: places that differ by less differ by round-off, as those of a wheel in its bearing."""


@dataclass(frozen=True)
class Sizes:
    """Sizes of the rows of a Jacobian.

    Attributes
    ----------
    rows : array
        Size of the terms of each row, where lengths are as large as the mechanism; 1 of those that
        say nothing.
    units : array
        Size of each coordinate: that of the mechanism if it is a length, else 1.
    """

    rows: FloatArray
    units: FloatArray

    @classmethod
    def of(cls, system: System, jacobian: sp.csr_array, q: FloatArray | None = None) -> "Sizes":
        """Return the sizes of rows at a position, the initial one unless it is given."""
        kinds = lengths(system.names)
        beside = _largest(jacobian[:, kinds]), _largest(jacobian[:, ~kinds])
        own = system.q0 if q is None else q
        length = _length(*beside, own[kinds])
        rows = np.maximum(beside[0] * length, beside[1])
        nothing = say_nothing(np.maximum(*beside))
        return cls(np.where(nothing, 1.0, rows), np.where(kinds, length, 1.0))

    def speed(self, x: FloatArray) -> float:
        """Return the largest rate, of lengths in those of the mechanism."""
        return float((np.abs(x) / self.units).max(initial=0.0))

    def worst(
        self, violation: FloatArray, speed: float, known: FloatArray, rows: slice = ALL
    ) -> float:
        """Return the largest violation of rates as a part of the terms of its row.

        Parameters
        ----------
        violation : array
            What is left of each row.
        speed : float
            Of velocities, or accelerations.
        known : array
            What a row has without them: the velocity of a driver.
        """
        terms = np.maximum(self.rows * speed, np.abs(known))[rows]
        found = np.abs(violation)[rows] / np.where(terms > 0.0, terms, 1.0)
        return float(found.max(initial=0.0))


def _largest(jacobian: sp.csr_array) -> FloatArray:
    if min(jacobian.shape) == 0:
        return np.zeros(jacobian.shape[0])
    found: FloatArray = abs(jacobian).max(axis=1).toarray().ravel()
    return found


def _length(of_lengths: FloatArray, of_others: FloatArray, own: FloatArray) -> float:
    """Return how large a mechanism is: its farthest coordinate, and the longest arm of its joints.

    A row that has lengths beside entries of 1 has arms beside angles.
    """
    both = of_lengths > 0.0
    arms = of_others[both] / of_lengths[both]
    found = max(float(np.abs(own).max(initial=0.0)), float(arms.max(initial=0.0)))
    return found if found > SMALLEST else 1.0
