"""Pivot reuse: pivot rows and independent unknowns are kept from one elimination to the next.

If the dropped redundant row changed from one evaluation to the next, accelerations would be
discontinuous at positions that violate the constraints, as in the stages of a step: [M] `rk4` with
Householder QR then has order 2 on Bricard's mechanism. New pivots are chosen only when a pivot has
become small relative to its size when chosen.
"""

from typing import NamedTuple

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.system.system_data import FloatArray, IntArray

SMALL = 0.01
"""Ratio of a pivot to its size when chosen, below which new pivots are chosen."""
CLEARLY = 1.01
"""Factor by which a pivot must exceed an earlier candidate: symmetric mechanisms have many equal
ones, and the choice must depend neither on round-off nor on the step."""
LOST = 1e-12
"""Ratio below which a pivot is unusable."""

GAUSS_H, GAUSS_G, ROWS_H, ROWS_G = range(4)
"""Index of a choice: of Gaussian elimination or of orthonormal rows, for ``H`` or for ``G``."""
BASIS = 4
"""First row of ``dense.held`` with a frozen basis."""
AGE = 8
"""Row of ``dense.held_order`` whose first value is the age of that basis."""


class PivotChoice(NamedTuple):
    """Order of rows and columns, and the sizes of pivots when chosen; zero before a choice."""

    rows: IntArray
    columns: IntArray
    sizes: FloatArray


@internal
def kept_pivots(dense: DenseWorkspace, which: int) -> PivotChoice:
    """Return the storage of a choice."""
    orders = dense.held_order
    return PivotChoice(orders[2 * which], orders[2 * which + 1], dense.held[which])


@internal
def no_pivots(m: int, n: int) -> PivotChoice:
    """Return storage for the pivots of one factorisation."""
    return PivotChoice(np.zeros(m, np.int64), np.zeros(n, np.int64), np.zeros(max(m, n)))


@internal
def next_row(
    rest: FloatArray, k: int, first_column: int, pivots: PivotChoice, choose: bool
) -> tuple[int, float]:
    """Return pivot row ``k`` (the kept one, or the longest by choice) and its length."""
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
    """Return the ratio of a pivot to its size when chosen; zero if unusable or not finite."""
    ratio = size / first
    return ratio if LOST < ratio <= 1e300 and size > 0.0 else 0.0
