"""Groups as compiled loops want them: addresses of kernels, and tables of integers beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numba import types

from mbdgen.runtime.addresses import address_of
from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.runtime.groups.decomposition import Decomposition
from mbdgen.runtime.work import INT_ARRAY, INT_TABLE, REAL_ARRAY

KERNELS = ("block", "penalty", "position", "motion", "reach")
"""Of a type, in the order of their addresses; 0 stands for one that there is not."""
BLOCK, PENALTY, POSITION, MOTION, REACH = range(5)
COUNT, N_ROWS, N_DEPENDENT, N_KNOWN, N_LOCAL, N_P, N_ENTRIES, N_PULLED = range(5, 13)
"""Behind the addresses: how many groups there are, and the sizes of one."""
LOCAL_AT, P_AT, DEPENDENT_AT, KNOWN_AT, ENTRIES_AT, PULLED_AT = range(13, 19)
"""Where the tables of a type begin."""
HEAD = 19

ITERATIONS, OTHER_PIVOTS, FAILED_TYPE, FAILED_GROUP = range(4)
"""Places in ``counters``."""


class Groups(NamedTuple):
    """All groups of a mechanism, in the order of solution.

    Attributes
    ----------
    head : array, shape (types, HEAD)
        Addresses, sizes and places of every type.
    local : array
        For every group the places of its local coordinates in ``q``.
    dependent, known : array
        The same of its dependent and of its known coordinates.
    p : array
        For every group its parameters.
    entries, pulled : array
        For every group where its part of the penalty matrix and of its right-hand side belongs.
    inputs : array
        Given coordinates.
    out : array
        What a kernel writes.
    table : array
        Equations of a group with right-hand sides, for a solution with other pivots.
    counters : array of int
        Iterations, solutions with other pivots, type and number of a group that failed.
    """

    head: IntArray
    local: IntArray
    dependent: IntArray
    known: IntArray
    p: FloatArray
    entries: IntArray
    pulled: IntArray
    inputs: IntArray
    out: FloatArray
    table: FloatArray
    counters: IntArray


GROUPS = types.NamedTuple(
    (
        INT_TABLE,
        *(INT_ARRAY, INT_ARRAY, INT_ARRAY),
        REAL_ARRAY,
        *(INT_ARRAY, INT_ARRAY, INT_ARRAY),
        *(REAL_ARRAY, REAL_ARRAY),
        INT_ARRAY,
    ),
    Groups,
)


@dataclass(frozen=True)
class GroupType:
    """One type of group with its compiled kernels.

    Attributes
    ----------
    kernels : dict of str to compiled function
        By the names of `KERNELS`; those of a straight solution may be missing.
    coordinates : array, shape (groups, local coordinates)
        Places in ``q``.
    parameters : array, shape (groups, parameters)
        Places in the table ``p`` of the mechanism.
    dependent, known : array
        Local coordinates.
    rows : int
        Number of equations.
    pattern : array, shape (entries, 2)
        Local row and column of what ``penalty`` writes.
    pulled : array
        Local rows of its right-hand sides.
    """

    kernels: dict[str, Any]
    coordinates: IntArray
    parameters: IntArray
    dependent: IntArray
    known: IntArray
    rows: int
    pattern: IntArray
    pulled: IntArray


class GroupSolver:
    """The compiled groups of a mechanism.

    Parameters
    ----------
    decomposition : Decomposition
        Which groups there are.
    kinds : sequence of GroupType
        Their types, in the order of solution.

    Attributes
    ----------
    groups : Groups
        What compiled loops read.
    """

    def __init__(self, decomposition: Decomposition, kinds: Sequence[GroupType]) -> None:
        self.decomposition = decomposition
        self.kinds = tuple(kinds)
        self._places = _joined([k.parameters for k in kinds])
        self.groups = _tables(decomposition, self.kinds)

    def set_parameters(self, p: FloatArray) -> None:
        """Take the parameters of the mechanism over."""
        self.groups.p[:] = p[self._places]

    def places(self, indptr: IntArray, indices: IntArray) -> IntArray:
        """Return where the entries of all groups stand in a matrix compressed by columns."""
        found = []
        for k in self.kinds:
            rows = k.coordinates[:, k.pattern[:, 0]]
            columns = k.coordinates[:, k.pattern[:, 1]]
            found.append((rows, columns))
        n = len(indptr) - 1
        column_of = np.repeat(np.arange(n), np.diff(indptr))
        codes = column_of * n + indices
        wanted = _joined([columns * n + rows for rows, columns in found])
        return np.searchsorted(codes, wanted).astype(np.int64)


def _joined(tables: Sequence[IntArray]) -> IntArray:
    parts = [np.zeros(0, np.int64), *(np.asarray(t, np.int64).ravel() for t in tables)]
    return np.ascontiguousarray(np.concatenate(parts))


def _tables(decomposition: Decomposition, kinds: Sequence[GroupType]) -> Groups:
    head = np.zeros((len(kinds), HEAD), np.int64)
    sizes = np.zeros((len(kinds) + 1, 6), np.int64)
    for k, kind in enumerate(kinds):
        for place, name in enumerate(KERNELS):
            if name in kind.kernels:
                head[k, place] = address_of(kind.kernels[name])
        count, n_local = kind.coordinates.shape
        widths = (
            *(n_local, kind.parameters.shape[1], len(kind.dependent), len(kind.known)),
            *(len(kind.pattern), len(kind.pulled)),
        )
        head[k, COUNT], head[k, N_ROWS] = count, kind.rows
        head[k, N_LOCAL], head[k, N_P], head[k, N_DEPENDENT], head[k, N_KNOWN] = widths[:4]
        head[k, N_ENTRIES], head[k, N_PULLED] = widths[4:]
        sizes[k + 1] = sizes[k] + count * np.array(widths)
    head[:, LOCAL_AT:] = sizes[:-1]
    largest = max((_written(kind) for kind in kinds), default=1)
    table = max((k.rows * (2 * len(k.dependent) + len(k.known) + 2) for k in kinds), default=1)
    return Groups(
        head=head,
        local=_joined([k.coordinates for k in kinds]),
        dependent=_joined([k.coordinates[:, k.dependent] for k in kinds]),
        known=_joined([k.coordinates[:, k.known] for k in kinds]),
        p=np.zeros(int(sizes[-1, 1])),
        entries=np.zeros(int(sizes[-1, 4]), np.int64),
        pulled=_joined([k.coordinates[:, k.pulled] for k in kinds]),
        inputs=np.ascontiguousarray(decomposition.inputs, np.int64),
        out=np.zeros(largest),
        table=np.zeros(table),
        counters=np.zeros(4, np.int64),
    )


def _written(kind: GroupType) -> int:
    """Return the length of the longest result of a kernel."""
    n, known = len(kind.dependent), len(kind.known)
    block = kind.rows * (3 + n + known)
    return max(block, n * (2 + known), len(kind.pattern) + len(kind.pulled), 1)
