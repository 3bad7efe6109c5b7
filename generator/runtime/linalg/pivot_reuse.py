"""Choices of an elimination that are kept: which rows, and which unknowns, it begins with.

If a dependent row were left out here and another one there, accelerations would jump at positions
that violate the constraints, as those of the stages of a step do: [M] `rk4` with Householder's QR
then has order 2 on Bricard's mechanism. A choice is made anew only when a pivot has become a small
part of what it was.
"""

from typing import NamedTuple

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.system.system_data import FloatArray, IntArray

SMALL = 0.01
"""Part of a pivot's first size below which another choice is made."""
CLEARLY = 1.01
"""How much larger than an earlier one a pivot must be: symmetric mechanisms have many equal ones,
and which of them is taken must depend on neither rounding nor the step."""
LOST = 1e-12
"""Part below which nothing can be computed with it."""

GAUSS_H, GAUSS_G, ROWS_H, ROWS_G = range(4)
"""Which choice: that of Gauss elimination or of orthonormal rows, for ``H`` or for ``G``."""
BASIS = 4
"""First of the rows of ``dense.held`` that have a frozen basis."""
AGE = 8
"""Row of ``dense.held_order`` that begins with the age of that basis."""


class PivotChoice(NamedTuple):
    """Order of rows and columns, and the sizes of pivots when chosen: zero if none have been."""

    rows: IntArray
    columns: IntArray
    sizes: FloatArray


@internal
def kept_pivots(dense: DenseWorkspace, which: int) -> PivotChoice:
    """Return where a choice is kept."""
    orders = dense.held_order
    return PivotChoice(orders[2 * which], orders[2 * which + 1], dense.held[which])


@internal
def no_pivots(m: int, n: int) -> PivotChoice:
    """Return room for the pivots of one factorisation."""
    return PivotChoice(np.zeros(m, np.int64), np.zeros(n, np.int64), np.zeros(max(m, n)))


@internal
def next_row(
    rest: FloatArray, k: int, first_column: int, pivots: PivotChoice, choose: bool
) -> tuple[int, float]:
    """Return row ``k`` of the choice, or make it the longest one, and its length."""
    row, longest = pivots.rows[k], -1.0
    for i in range(rest.shape[0]):
        if not choose and i != row:
            continue
        square = 0.0
        for j in range(first_column, rest.shape[1]):
            square += rest[i, j] ** 2
        if square > CLEARLY * longest:
            row, longest = i, square
    length = np.sqrt(max(longest, 0.0))
    if choose:
        pivots.rows[k], pivots.sizes[k] = row, length
    return row, length


@internal
def part_of(size: float, first: float) -> float:
    """Return the ratio of a pivot to its first size; zero if it is lost or not a number."""
    ratio = size / first
    return ratio if LOST < ratio <= 1e300 and size > 0.0 else 0.0
