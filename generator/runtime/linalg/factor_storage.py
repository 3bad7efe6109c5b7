"""Everything a factorisation with a fixed pattern keeps, as arrays that compiled loops share."""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from mbdgen.runtime.system.system_data import FloatArray, IntArray

# [M] Unsigned, because Numba spends a quarter of the time of `factorise` on negative indices.
IndexArray = NDArray[np.uint32]

OK, REPIVOT, SINGULAR = 0, 1, 2
DENSE, SPARSE, UNKNOWN = 0, 1, 2
KNOWN, SAME = 1.0, 2.0
"""Of held values: those of the factors, and those of the matrix that was asked for last, too."""


class Factors(NamedTuple):
    """Order of elimination, pattern, numbers and work space; arrays only, so that it nests.

    In dense mode ``l_value`` holds the whole matrix by columns, ``columns`` and ``column_scale``
    are results of each factorisation, and what describes the pattern of the factors is empty.
    In the mode of unknown pivots every factorisation asks for some.

    Attributes
    ----------
    header : array of int
        ``n`` and the mode.
    limits : array
        Largest growth and smallest pivot that `factorise` accepts, and what it costs: so many
        iterations of Newton's method that make do without it.
    rows, columns : array of int
        Row and column of ``A`` that are eliminated first, second, ...
    row_scale, column_scale : array
        Equilibration in the order of elimination; only for judging sizes, never applied.
    a_ptr, a_source, a_row : array of int
        Entries of column ``k``: where in ``values``, and to which row of the elimination.
    absent, noise : array
        Positions in ``values`` that the pattern has no room for, and what counts as zero there:
        differences of equal products are sometimes zero and sometimes round-off.
    l_ptr, l_row, l_value : array
        ``L`` below its unit diagonal by columns.
    u_ptr, u_row, u_value : array
        ``U`` above its diagonal by columns.
    inverse : array
        Inverses of the pivots, the diagonal of ``U``.
    work : array
        One column, zero between calls.
    residual : array
        Work space of `refine`.
    held : array
        `KNOWN` or `SAME` and the values of the matrix, for callers that ask whether it has changed;
        every `factorise` makes the first number zero.
    """

    header: IntArray
    limits: FloatArray
    rows: IndexArray
    columns: IndexArray
    row_scale: FloatArray
    column_scale: FloatArray
    a_ptr: IndexArray
    a_source: IndexArray
    a_row: IndexArray
    absent: IndexArray
    noise: FloatArray
    l_ptr: IndexArray
    l_row: IndexArray
    l_value: FloatArray
    u_ptr: IndexArray
    u_row: IndexArray
    u_value: FloatArray
    inverse: FloatArray
    work: FloatArray
    residual: FloatArray
    held: FloatArray

    @property
    def fill(self) -> int:
        """Number of entries of ``L`` and ``U`` beside the diagonal."""
        return int(self.l_value.size + self.u_value.size)

    @property
    def products(self) -> int:
        """Number of multiplications of one factorisation; 0 in dense mode."""
        return products(self.l_ptr, self.l_row, self.u_row)


def products(
    l_ptr: IntArray | IndexArray, l_row: IntArray | IndexArray, u_row: IntArray | IndexArray
) -> int:
    """Count the multiplications of a factorisation by the pattern of its factors."""
    below = np.diff(l_ptr.astype(np.int64))
    return int(below[u_row].sum()) + l_row.size


REALS = types.float64[::1]
INTS = types.int64[::1]
INDICES = types.uint32[::1]
FACTORS = types.NamedTuple(
    tuple(
        REALS if kind is FloatArray else INTS if kind is IntArray else INDICES
        for kind in Factors.__annotations__.values()
    ),
    Factors,
)
