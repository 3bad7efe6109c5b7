"""The compiled loop over members whose steps have fused kernels."""

from numba import types

from mbdgen.runtime import lean
from mbdgen.runtime.addresses import kernels_at
from mbdgen.runtime.compiled import direct, separate
from mbdgen.runtime.context import FIRST_KERNEL, STALE
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
from mbdgen.runtime.lean import EXCHANGE, Exchange
from mbdgen.runtime.linear import FACTORS, Factors
from mbdgen.runtime.recording import FIRST_ROW, PROGRESS, RECORD, Progress, Record
from mbdgen.runtime.regular import ROOM, Room
from mbdgen.runtime.work import INT_ARRAY, OK, REAL_ARRAY, STATE, WORK, State, Work


@separate(
    types.int64(
        *(types.int64, types.int64, WORK, ROOM, STATE, STATE, STATE, EXCHANGE, INT_ARRAY),
        *(PROGRESS, RECORD, REAL_ARRAY, INT_ARRAY, types.int64, types.int64, REAL_ARRAY),
        *(FACTORS, FACTORS, types.boolean, REAL_ARRAY, REAL_ARRAY, BLOCK),
    ),
    from_python=True,
    nogil=True,  # other threads compute other members meanwhile
)
def run(
    step: int,
    generic: int,
    work: Work,
    room: Room,
    state: State,
    backup: State,
    small: State,
    exchange: Exchange,
    context: IntArray,
    progress: Progress,
    record: Record,
    instants: FloatArray,
    substeps: IntArray,
    last: int,
    budget: int,
    options: FloatArray,
    tangent: Factors,
    mass: Factors,
    powered: bool,
    q0: FloatArray,
    v0: FloatArray,
    block: Block,
) -> int:
    """Compute the members up to ``last``, from where ``block.place`` stands.

    On a status other than 0 another call continues with the same member, unless Python has noted a
    status for it and gone to the next.
    """
    place, position, intervals = block.place, progress.position, len(substeps)
    kernels = kernels_at(context.ctypes, FIRST_KERNEL)
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
            context[STALE] = 1
            exchange.ahead[0] = 1
            status = start(kernels, work, state, progress, record, block)
            if status != OK:
                return status
            place[STAGE] = RUNNING
        status = lean.run(
            step,
            generic,
            work,
            state,
            backup,
            small,
            exchange,
            context,
            progress,
            record,
            instants,
            substeps,
            min(position[FIRST_ROW] + len(record.q) - 1, intervals),
            budget,
            options,
            tangent,
            mass,
            powered,
        )
        if not end_of_piece(work, state, progress, record, block, status, intervals):
            return status
    return OK


RUN = direct(run)
