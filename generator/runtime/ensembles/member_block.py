"""Common parts of the compiled loops over ensemble members: tables, start and end of a run."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.initialisation.fast_initialisation import (
    LIMIT,
    ROOM,
    InitialisationWorkspace,
    assemble,
)
from mbdgen.runtime.monitors.energy_balance import note_energies
from mbdgen.runtime.monitors.recorder import (
    FIRST_ROW,
    INTERVAL,
    PROGRESS,
    RECORD,
    Progress,
    Record,
    begin,
    copy,
)
from mbdgen.runtime.monitors.work_quadrature import DEGREE, DRIFT, PHI, PHI_DDOT, PHI_DOT, SCALE
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.system.run_workspace import (
    INT_ARRAY,
    INT_TABLE,
    IRREGULAR,
    OK,
    REAL_ARRAY,
    REAL_TABLE,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

PENDING = 1
"""Status of a member that has not been computed (the others are 0 or negative)."""

# Indices into ``Block.place``, and the stages of a member.
MEMBER, STAGE = 0, 1
NEW, ASSEMBLED, RUNNING = 0, 1, 2
# Columns of ``Block.numbers``.
REACHED, MAX_PHI, MAX_PHI_DOT, MAX_PHI_DDOT, ENERGY_DRIFT, ENERGY_SCALE = range(6)
COLUMNS = 6
FROM_PROGRESS = PHI, PHI_DOT, PHI_DDOT, DRIFT, SCALE
"""Sources of the columns after the first: indices into ``Progress.numbers``."""

SOURCES = ("q", "v", "a", "lam", "outputs", "energies")
"""Tables of a record, numbered as in ``Block.table``."""
TOTAL_ENERGY = len(SOURCES)
"""Stands for a series of a table: total energy, kinetic plus potential."""


class MemberBlock(NamedTuple):
    """Members computed by one thread one after the other, with their results.

    Attributes
    ----------
    p, q0, v0 : array, shape (members, ...)
        Table of parameters and initial guesses of every member.
    values : array, shape (members, instants, series)
        The results.
    row : array of int
        Which row of the results holds each instant of the schedule; -1 if none does.
    table, column : array of int
        Table and column of a record that each series is taken from.
    status : array of int
        0 done, below 0 failed, `PENDING` to do.
    counters : array of int, shape (members, COUNTERS)
        Steps, Newton iterations, factorisations, steps that were taken back.
    numbers : array, shape (members, COLUMNS)
        Time reached, largest constraint residuals, energy drift, and its scale.
    energies : array, shape (members, NOTES)
        See `mbdgen.runtime.monitors.energy_balance.balance_terms`.
    least, most : array, shape (members, n_q)
        Smallest and largest coordinates at recorded instants.
    place : array of int
        Next member and stage.
    """

    p: FloatArray
    q0: FloatArray
    v0: FloatArray
    values: NDArray[np.float64]
    row: IntArray
    table: IntArray
    column: IntArray
    status: IntArray
    counters: IntArray
    numbers: FloatArray
    energies: FloatArray
    least: FloatArray
    most: FloatArray
    place: IntArray


BLOCK = types.NamedTuple(
    (
        *(REAL_TABLE, REAL_TABLE, REAL_TABLE),
        types.float64[:, :, ::1],
        *(INT_ARRAY, INT_ARRAY, INT_ARRAY, INT_ARRAY),
        *(INT_TABLE, REAL_TABLE, REAL_TABLE, REAL_TABLE, REAL_TABLE, INT_ARRAY),
    ),
    MemberBlock,
)


@internal
def find_pending(block: MemberBlock, last: int) -> bool:
    """Go to the next pending member; return whether there is one before ``last``."""
    place = block.place
    while place[MEMBER] < last and block.status[place[MEMBER]] != PENDING:
        place[MEMBER] += 1
    return bool(place[MEMBER] < last)


@separate(types.void(RECORD, PROGRESS, BLOCK))
def note_motion(record: Record, progress: Progress, block: MemberBlock) -> None:
    """Note what is judged of the member that is computed: its energies, how far it moves."""
    first, last = progress.position[FIRST_ROW], progress.position[INTERVAL]
    i, energies = block.place[MEMBER], record.energies
    least, most = block.least[i], block.most[i]
    for k, row in enumerate(block.row[first : last + 1]):
        if row < 0:
            continue
        q = record.q[k]
        if row == 0:
            copy(q, least)
            copy(q, most)
        note_energies(block.energies[i], row == 0, energies[k, 0], energies[k, 1], energies[k, 2])
        for j in range(len(q)):
            least[j], most[j] = min(least[j], q[j]), max(most[j], q[j])


@separate(types.void(RECORD, PROGRESS, BLOCK))
def put_down(record: Record, progress: Progress, block: MemberBlock) -> None:
    """Copy the wanted series of what has been recorded into the results."""
    note_motion(record, progress, block)
    first, last = progress.position[FIRST_ROW], progress.position[INTERVAL]
    values, rows = block.values[block.place[MEMBER]], block.row[first : last + 1]
    energies = record.energies
    for c in range(len(block.table)):
        number, column = block.table[c], block.column[c]
        if number == TOTAL_ENERGY:
            for k, row in enumerate(rows):
                if row >= 0:
                    values[row, c] = energies[k, 0] + energies[k, 1]
        else:
            table = record[number]
            for k, row in enumerate(rows):
                if row >= 0:
                    values[row, c] = table[k, column]


@separate(types.void(WORK, STATE, PROGRESS, BLOCK, types.int64))
def note(
    work: RunWorkspace, state: State, progress: Progress, block: MemberBlock, status: int
) -> None:
    """Record the outcome of a member."""
    i = block.place[MEMBER]
    block.status[i] = status
    for k in range(len(work.counters)):
        block.counters[i, k] = work.counters[k]
    block.numbers[i, REACHED] = state.clock[0]
    for k in range(len(FROM_PROGRESS)):
        block.numbers[i, REACHED + 1 + k] = progress.numbers[FROM_PROGRESS[k]]


@separate(
    types.int64(
        *(KERNELS, WORK, ROOM, STATE, PROGRESS, RECORD, REAL_ARRAY, REAL_ARRAY, BLOCK),
        types.float64,
    )
)
def begin_member(
    kernels: Kernels,
    work: RunWorkspace,
    room: InitialisationWorkspace,
    state: State,
    progress: Progress,
    record: Record,
    q0: FloatArray,
    v0: FloatArray,
    block: MemberBlock,
    start: float,
) -> int:
    """Assemble the next member (consistent initialisation) and record its initial state.

    On a status other than 0 Python may assemble it, and another call goes on from there.
    """
    i, place = block.place[MEMBER], block.place
    if place[STAGE] == NEW:
        copy(block.p[i], work.p)
        copy(block.q0[i], q0)
        copy(block.v0[i], v0)
        for k in range(len(progress.position)):
            progress.position[k] = 0
        for k in range(DEGREE):  # what follows is specific to the method
            progress.numbers[k] = 0.0
        state.clock[0] = start
        status = IRREGULAR
        if len(work.x) <= LIMIT:
            status = assemble(kernels, work, room, state, q0, v0)
        if status != OK:
            return status
        place[STAGE] = ASSEMBLED
    # Nothing is left of what was before.
    for k in range(len(work.counters)):
        work.counters[k] = 0
    for k in range(len(work.memory)):
        work.memory[k] = 0.0
    for kept in work.kept:
        for k in range(len(kept)):
            kept[k] = 0.0
    status = begin(kernels, work, state, progress, record)
    if status == OK:
        put_down(record, progress, block)
        place[STAGE] = RUNNING
    return status


@internal
def next_stop(progress: Progress, record: Record, substeps: IntArray) -> int:
    """Return the instant at which the buffer is full, or the last one."""
    return min(progress.position[FIRST_ROW] + len(record.q) - 1, len(substeps))


@separate(types.boolean(WORK, STATE, PROGRESS, RECORD, BLOCK, types.int64, types.int64))
def end_of_piece(
    work: RunWorkspace,
    state: State,
    progress: Progress,
    record: Record,
    block: MemberBlock,
    status: int,
    intervals: int,
) -> bool:
    """Keep the records of a piece of a run; return whether the loop over members continues."""
    put_down(record, progress, block)
    if status != OK:
        return False
    position = progress.position
    if position[INTERVAL] < intervals:
        position[FIRST_ROW] = position[INTERVAL] + 1
        return True
    note(work, state, progress, block, OK)
    block.place[MEMBER] += 1
    block.place[STAGE] = NEW
    return True
