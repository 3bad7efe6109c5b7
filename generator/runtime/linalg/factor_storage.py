"""Storage of an LU factorisation with fixed pattern, as arrays shared by compiled loops."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

# Four bytes: half as much memory is read.
IndexArray = NDArray[np.uint32]

OK, REPIVOT, SINGULAR = 0, 1, 2
DENSE, SPARSE, UNKNOWN = 0, 1, 2
KNOWN, SAME = 1.0, 2.0
"""Status of stored values: those of the factors, and also of the matrix requested last."""


class Factors(NamedTuple):
    """Order of elimination, pattern, values and workspace of a factorisation; arrays only.

    In dense mode ``l_value`` holds the whole matrix by columns, ``columns`` and ``column_scale``
    are results of each factorisation, and the pattern of the factors is empty. In the mode of
    unknown pivots every factorisation requests new pivots.

    Attributes
    ----------
    header : array of int
        ``n`` and the mode.
    limits : array
        Largest growth and smallest pivot that `factorise` accepts, and its cost, in Newton
        iterations with an old factorisation.
    rows, columns : array of int
        Rows and columns of ``A`` in the order of elimination.
    row_scale, column_scale : array
        Equilibration in the order of elimination; only for comparing sizes, never applied.
    a_ptr, a_source, a_row : array of int
        Entries of column ``k``: index in ``values``, and row in the order of elimination.
    absent, noise : array
        Indices in ``values`` of entries outside the pattern, and the magnitude that counts as zero
        there: differences of equal products are sometimes zero and sometimes round-off.
    l_ptr, l_row, l_value : array
        ``L`` below its unit diagonal, by columns.
    u_ptr, u_row, u_value : array
        ``U`` above its diagonal, by columns.
    inverse : array
        Reciprocals of the pivots, the diagonal of ``U``.
    work : array
        One column, zero between calls.
    residual : array
        Workspace of `refine`.
    held : array
        `KNOWN` or `SAME` and the values of the matrix, to detect whether it has changed;
        every `factorise` sets the first value to zero.
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
        """Number of entries of ``L`` and ``U`` off the diagonal (fill-in included)."""
        return int(self.l_value.size + self.u_value.size)

    @property
    def products(self) -> int:
        """Number of multiplications of one factorisation; 0 in dense mode."""
        return products(self.l_ptr, self.l_row, self.u_row)


def products(
    l_ptr: IntArray | IndexArray, l_row: IntArray | IndexArray, u_row: IntArray | IndexArray
) -> int:
    """Return the number of multiplications of a factorisation, by the pattern of its factors."""
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
