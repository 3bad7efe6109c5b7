"""Tables of structural groups for compiled loops: kernel addresses and integer index tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from mbdgen.runtime.groups.group_decomposition import Decomposition
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.function_addresses import address_of
from mbdgen.runtime.program.kernel_abi import KERNEL_SIGNATURE
from mbdgen.runtime.system.run_workspace import INT_ARRAY, INT_TABLE, REAL_ARRAY
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

KERNELS = ("block", "penalty", "position", "motion", "reach", "condense")
"""Kernels of a type, in the order of their addresses; 0 for missing ones."""
BLOCK, PENALTY, POSITION, MOTION, REACH, CONDENSE = range(6)
COUNT, N_ROWS = 6, 7
"""Behind the addresses: how many groups there are, and equations of one; then more of its sizes."""
N_LOCAL, N_P, N_DEPENDENT, N_KNOWN, N_ENTRIES, N_PULLED, N_FRONT, N_BORDER, N_ADDED, N_KEPT = range(
    8, 18
)
LOCAL_AT, P_AT, DEPENDENT_AT, KNOWN_AT, ENTRIES_AT, PULLED_AT, FRONT_AT, BORDER_AT = range(18, 26)
"""Where the tables of a type begin, in the order of these sizes."""
ADDED_AT, KEPT_AT = 26, 27
HEAD = 28
SIZES = 10

WEIGHTS = 3
"""Length of a record before the entries of the matrix that a kernel reads: penalty coefficients."""

ITERATIONS, OTHER_PIVOTS, FAILED_TYPE, FAILED_GROUP = range(4)
"""Indices of ``counters``."""


class Groups(NamedTuple):
    """All groups of a mechanism, in the order of solution.

    Attributes
    ----------
    head : array, shape (batches, HEAD)
        Addresses, sizes and offsets of groups of one type and level.
    local : array
        For every group the indices of its local coordinates in ``q``.
    dependent, known : array
        The same of its dependent and of its known coordinates.
    p : array
        For every group its parameters.
    entries, pulled : array
        For every group where its part of the penalty matrix and of its right-hand side belongs.
    front, added : array
        For every group that eliminates its own unknowns the entries of the penalty matrix that it
        reads and changes.
    border : array
        Coordinates of other groups on which its unknowns depend.
    kept, record : array
        Their linear relations; further kernel input after the weights.
    inputs : array
        Given coordinates.
    out : array
        Output of a kernel.
    table : array
        Equations of a group with right-hand sides, for a solution with new pivots.
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
    front: IntArray
    added: IntArray
    border: IntArray
    kept: FloatArray
    record: FloatArray
    inputs: IntArray
    out: FloatArray
    table: FloatArray
    counters: IntArray


GROUPS = types.NamedTuple(
    (
        INT_TABLE,
        *(INT_ARRAY, INT_ARRAY, INT_ARRAY),
        REAL_ARRAY,
        *(INT_ARRAY,) * 5,
        *(REAL_ARRAY, REAL_ARRAY),
        INT_ARRAY,
        *(REAL_ARRAY, REAL_ARRAY),
        INT_ARRAY,
    ),
    Groups,
)


@dataclass(frozen=True)
class LoadedGroupType:
    """Groups of one structure, with their common kernels.

    Attributes
    ----------
    kernels : dict of str to function
        By the names of `KERNELS`, not yet compiled; those of a straight solution may be missing.
    coordinates : array, shape (groups, local coordinates)
        Indices in ``q``.
    parameters : array, shape (groups, parameters)
        Indices in the parameter table ``p`` of the mechanism.
    levels : array
        Levels of the groups.
    dependent, known : array
        Local coordinates.
    rows : int
        Number of equations.
    pattern : array, shape (entries, 2)
        Local row and column of what ``penalty`` writes.
    pulled : array
        Local rows of its right-hand sides.
    front, added : array, shape (entries, 2)
        Local row and column of what ``condense`` reads and changes; none without it.
    border : array
        Local coordinates of others, which it changes right-hand sides of.
    """

    kernels: dict[str, Callable[..., int]]
    coordinates: IntArray
    parameters: IntArray
    levels: IntArray
    dependent: IntArray
    known: IntArray
    rows: int
    pattern: IntArray
    pulled: IntArray
    front: IntArray
    added: IntArray
    border: IntArray

    def of_level(self, level: int) -> "LoadedGroupType":
        """Return the groups of one level."""
        mine = self.levels == level
        return replace(
            self,
            coordinates=self.coordinates[mine],
            parameters=self.parameters[mine],
            levels=self.levels[mine],
        )


class GroupSolver:
    """Solver of the structural groups of a mechanism, for compiled loops.

    Parameters
    ----------
    decomposition : Decomposition
        The structural groups.
    kinds : sequence of LoadedGroupType
        Their types.

    Attributes
    ----------
    groups : Groups
        Tables read by compiled loops.
    batches : tuple of LoadedGroupType
        Groups of one type and level, in the order of solution.
    """

    def __init__(self, decomposition: Decomposition, kinds: Sequence[LoadedGroupType]) -> None:
        self.decomposition = decomposition
        self.batches = tuple(
            kind.of_level(level)
            for level in range(1, decomposition.levels + 1)
            for kind in kinds
            if (kind.levels == level).any()
        )
        self._parameter_indices = _joined([k.parameters for k in self.batches])
        self._compiled: dict[Callable[..., int], Any] = {}
        self.groups = _tables(decomposition, self.batches)

    def prepare(self, *names: str) -> None:
        """Compile the kernels of the given names, unless already compiled."""
        for k, kind in enumerate(self.batches):
            for name in names:
                if function := kind.kernels.get(name):
                    if function not in self._compiled:
                        self._compiled[function] = _as_kernel(function)
                    address = address_of(self._compiled[function])
                    self.groups.head[k, KERNELS.index(name)] = address

    def prepare_penalties(self) -> None:
        """Compile what groups need that do not eliminate their own unknowns, if there are any."""
        if len(self._condensing()) < len(self.batches):
            self.prepare("penalty")

    def set_parameters(self, p: FloatArray) -> None:
        """Copy the parameters of the mechanism."""
        self.groups.p[:] = p[self._parameter_indices]

    def condensed(self) -> IntArray:
        """Return the coordinates that groups eliminate from the penalty equations themselves."""
        return _joined([b.coordinates[:, b.dependent] for b in self._condensing()])

    def leave_condensing(self) -> None:
        """Solve the penalty equations for the whole mechanism from now on."""
        self.groups.head[:, CONDENSE] = 0

    def reads_all(self, codes: IntArray, n: int) -> bool:
        """Return whether groups read mass-matrix entries in rows that they eliminate."""
        read = _joined([_codes(b, b.front, n) for b in self._condensing()])
        own = self.condensed()
        rows, columns = codes % n, codes // n
        concerned = np.isin(rows, own) | np.isin(columns, own)
        either = np.union1d(read, read % n * n + read // n)
        return bool(np.isin(codes[concerned], either).all())

    def set_entry_indices(self, codes: IntArray, n: int) -> None:
        """Store the positions of the entries of all groups in a sparse matrix.

        Parameters
        ----------
        codes : array
            ``column n + row`` of its entries, rising.
        """
        for name, kind in (("entries", "pattern"), ("front", "front"), ("added", "added")):
            mine = _joined([_codes(b, getattr(b, kind), n) for b in self.batches])
            getattr(self.groups, name)[:] = np.searchsorted(codes, mine)

    def entry_codes(self, n: int) -> IntArray:
        """Return ``column n + row`` of every entry that the groups write with penalties."""
        condensing = self._condensing()
        others = [b for b in self.batches if not any(b is c for c in condensing)]
        parts = [_codes(b, b.pattern, n) for b in others]
        parts += [_codes(b, part, n) for b in condensing for part in (b.front, b.added)]
        return _joined(parts)

    def _condensing(self) -> list[LoadedGroupType]:
        return [b for k, b in enumerate(self.batches) if self.groups.head[k, CONDENSE] != 0]


def _codes(kind: LoadedGroupType, pairs: IntArray, n: int) -> IntArray:
    found: IntArray = kind.coordinates[:, pairs[:, 1]] * n + kind.coordinates[:, pairs[:, 0]]
    return found


_as_kernel = separate(KERNEL_SIGNATURE)


def _joined(tables: Sequence[IntArray]) -> IntArray:
    parts = [np.zeros(0, np.int64), *(np.asarray(t, np.int64).ravel() for t in tables)]
    return np.ascontiguousarray(np.concatenate(parts))


def _tables(decomposition: Decomposition, kinds: Sequence[LoadedGroupType]) -> Groups:
    head = np.zeros((len(kinds), HEAD), np.int64)
    sizes = np.zeros((len(kinds) + 1, SIZES), np.int64)
    for k, kind in enumerate(kinds):
        count, n_local = kind.coordinates.shape
        n, border = len(kind.dependent), len(kind.border)
        widths = (
            *(n_local, kind.parameters.shape[1], n, len(kind.known)),
            *(len(kind.pattern), len(kind.pulled), len(kind.front), border, len(kind.added)),
            n * (1 + border) if "condense" in kind.kernels else 0,
        )
        head[k, COUNT], head[k, N_ROWS] = count, kind.rows
        head[k, N_LOCAL:LOCAL_AT] = widths
        sizes[k + 1] = sizes[k] + count * np.array(widths)
    head[:, LOCAL_AT:] = sizes[:-1]
    largest = max((_written(kind) for kind in kinds), default=1)
    table = max((k.rows * (2 * len(k.dependent) + len(k.known) + 2) for k in kinds), default=1)
    return Groups(
        head=head,
        local=_joined([k.coordinates for k in kinds]),
        dependent=_joined([k.coordinates[:, k.dependent] for k in kinds]),
        known=_joined([k.coordinates[:, k.known] for k in kinds]),
        p=np.zeros(int(sizes[-1, N_P - N_LOCAL])),
        entries=np.zeros(int(sizes[-1, N_ENTRIES - N_LOCAL]), np.int64),
        pulled=_joined([k.coordinates[:, k.pulled] for k in kinds]),
        front=np.zeros(int(sizes[-1, N_FRONT - N_LOCAL]), np.int64),
        added=np.zeros(int(sizes[-1, N_ADDED - N_LOCAL]), np.int64),
        border=_joined([k.coordinates[:, k.border] for k in kinds]),
        kept=np.zeros(int(sizes[-1, N_KEPT - N_LOCAL])),
        record=np.zeros(WEIGHTS + max((len(k.front) for k in kinds), default=0)),
        inputs=np.ascontiguousarray(decomposition.inputs, np.int64),
        out=np.zeros(largest),
        table=np.zeros(table),
        counters=np.zeros(4, np.int64),
    )


def _written(kind: LoadedGroupType) -> int:
    """Return the length of the longest result of a kernel."""
    n, known = len(kind.dependent), len(kind.known)
    block = kind.rows * (3 + n + known)
    border = len(kind.border)
    condense = len(kind.added) + border + n * (1 + border)
    return max(block, n * (2 + known), len(kind.pattern) + len(kind.pulled), condense, 1)
