"""Scaling of constraint equations: the size of their terms, by the units of the coordinates.

An equation ``phi`` adds lengths, or direction cosines, or other quantities, with round-off relative
to these. The row of the Jacobian shows which: its entries multiply lengths, which are as large as
the mechanism, or angles and other coordinates of order one.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from mbdgen.runtime.initialisation.void_equations import are_void
from mbdgen.runtime.results.result_series import lengths
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

ALL = slice(None)
SMALLEST = 1e-13
"""In metres: positions that differ by less differ by round-off, as a wheel and its bearing."""


@dataclass(frozen=True)
class Sizes:
    """Sizes of the rows of a Jacobian.

    Attributes
    ----------
    rows : array
        Size of the terms of each row for lengths as large as the mechanism; 1 for rows whose
        derivatives vanish.
    units : array
        Scale of each coordinate: size of the mechanism for a length, else 1.
    """

    rows: FloatArray
    units: FloatArray

    @classmethod
    def of(cls, system: System, jacobian: sp.csr_array, q: FloatArray | None = None) -> "Sizes":
        """Return the sizes of rows at a position, by default the initial one."""
        kinds = lengths(system.names)
        beside = _largest(jacobian[:, kinds]), _largest(jacobian[:, ~kinds])
        own = system.q0 if q is None else q
        length = _length(*beside, own[kinds])
        rows = np.maximum(beside[0] * length, beside[1])
        nothing = are_void(np.maximum(*beside))
        return cls(np.where(nothing, 1.0, rows), np.where(kinds, length, 1.0))

    def speed(self, x: FloatArray) -> float:
        """Return the largest rate; rates of lengths relative to the size of the mechanism."""
        return float((np.abs(x) / self.units).max(initial=0.0))

    def worst(
        self, violation: FloatArray, speed: float, known: FloatArray, rows: slice = ALL
    ) -> float:
        """Return the largest violation of rates, relative to the terms of its row.

        Parameters
        ----------
        violation : array
            Residual of each row.
        speed : float
            Size of velocities, or accelerations.
        known : array
            Terms of a row without them, such as the velocity of a driver.
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
    """Return the size of a mechanism: its largest coordinate, or the longest arm of its joints.

    A row that has lengths besides entries of 1 has arms besides angles.
    """
    both = of_lengths > 0.0
    arms = of_others[both] / of_lengths[both]
    found = max(float(np.abs(own).max(initial=0.0)), float(arms.max(initial=0.0)))
    return found if found > SMALLEST else 1.0
