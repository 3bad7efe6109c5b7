"""The compiled loop over members for every method and layout."""

from typing import Any

from numba import types

from mbdgen.runtime import loop
from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.compiled import direct, separate
from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.runtime.ensembles.block import (
    ASSEMBLED,
    BLOCK,
    MEMBER,
    NEW,
    PENDING,
    RUNNING,
    STAGE,
    Block,
    end_of_piece,
    prepare,
    start,
)
from mbdgen.runtime.equations import factorise_mass
from mbdgen.runtime.factors import DENSE
from mbdgen.runtime.integrators.base import STEP
from mbdgen.runtime.linear import FACTORS, Factors
from mbdgen.runtime.recording import FIRST_ROW, PROGRESS, RECORD, Progress, Record
from mbdgen.runtime.regular import ROOM, Room
from mbdgen.runtime.work import (
    FACTORISATIONS,
    INT_ARRAY,
    NEEDS_PIVOTS,
    OK,
    REAL_ARRAY,
    STATE,
    WORK,
    State,
    Work,
)


@separate(
    types.int64(
        *(STEP, KERNELS, WORK, ROOM, STATE, STATE, PROGRESS, RECORD, REAL_ARRAY, INT_ARRAY),
        *(types.int64, types.int64, REAL_ARRAY, FACTORS, FACTORS, REAL_ARRAY, REAL_ARRAY, BLOCK),
    ),
    from_python=True,
    nogil=True,  # other threads compute other members meanwhile
)
def run(
    step: Any,
    kernels: Kernels,
    work: Work,
    room: Room,
    state: State,
    backup: State,
    progress: Progress,
    record: Record,
    instants: FloatArray,
    substeps: IntArray,
    last: int,
    budget: int,
    options: FloatArray,
    tangent: Factors,
    mass: Factors,
    q0: FloatArray,
    v0: FloatArray,
    block: Block,
) -> int:
    """Compute the members up to ``last``, from where ``block.place`` stands.

    On a status other than 0 another call continues with the same member, unless Python has noted a
    status for it and gone to the next. Sparse matrices need pivots for every member.
    """
    place, position, intervals = block.place, progress.position, len(substeps)
    while place[MEMBER] < last:
        if block.status[place[MEMBER]] != PENDING:
            place[MEMBER] += 1
            continue
        if place[STAGE] == NEW:
            status = prepare(kernels, work, room, state, progress, q0, v0, block, instants[0])
            if status != OK:
                return status
            place[STAGE] = ASSEMBLED
        if place[STAGE] == ASSEMBLED:
            status = start(kernels, work, state, progress, record, block)
            if status != OK:
                return status
            place[STAGE] = RUNNING
            if mass.header[1] != DENSE:
                return NEEDS_PIVOTS
            # A step expects the factors of the position that it begins with.
            status = factorise_mass(kernels, work, mass, state, state.clock[0])
            work.counters[FACTORISATIONS] = 0
            if status != OK:
                return NEEDS_PIVOTS
        status = loop.run(
            step,
            kernels,
            work,
            state,
            backup,
            progress,
            record,
            instants,
            substeps,
            min(position[FIRST_ROW] + len(record.q) - 1, intervals),
            budget,
            options,
            tangent,
            mass,
        )
        if not end_of_piece(work, state, progress, record, block, status, intervals):
            return status
    return OK


RUN = direct(run)
