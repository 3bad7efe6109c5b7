"""The compiled loop over members whose steps have fused kernels.

Most of its lines are arguments: `mbdgen.runtime.course` says why compiled loops take them singly.
"""

from numba import types

from mbdgen.runtime import lean
from mbdgen.runtime.addresses import kernels_at
from mbdgen.runtime.compiled import direct, separate
from mbdgen.runtime.context import FIRST_KERNEL, STALE
from mbdgen.runtime.course import COURSE
from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.runtime.ensembles.block import (
    BLOCK,
    RUNNING,
    STAGE,
    Block,
    begin_member,
    end_of_piece,
    find_pending,
    next_stop,
)
from mbdgen.runtime.lean import EXCHANGE, Exchange
from mbdgen.runtime.linear import Factors
from mbdgen.runtime.recording import Progress, Record
from mbdgen.runtime.regular import ROOM, Room
from mbdgen.runtime.work import INT_ARRAY, OK, REAL_ARRAY, STATE, State, Work


@separate(
    types.int64(
        *(types.int64, types.int64, *COURSE, STATE, EXCHANGE, INT_ARRAY, types.boolean),
        *(ROOM, REAL_ARRAY, REAL_ARRAY, BLOCK, types.int64, types.int64),
    ),
    from_python=True,
    nogil=True,  # other threads compute other members meanwhile
)
def run(
    step: int,
    generic: int,
    work: Work,
    state: State,
    backup: State,
    progress: Progress,
    record: Record,
    instants: FloatArray,
    substeps: IntArray,
    brief: IntArray,
    options: FloatArray,
    tangent: Factors,
    mass: Factors,
    small: State,
    exchange: Exchange,
    context: IntArray,
    powered: bool,
    room: Room,
    q0: FloatArray,
    v0: FloatArray,
    block: Block,
    last: int,
    budget: int,
) -> int:
    """Compute the members up to ``last``, from where ``block.place`` stands.

    On a status other than 0 another call continues with the same member, unless Python has noted a
    status for it and gone to the next.
    """
    kernels = kernels_at(context.ctypes, FIRST_KERNEL)
    while find_pending(block, last):
        if block.place[STAGE] != RUNNING:
            status = begin_member(
                kernels, work, room, state, progress, record, q0, v0, block, instants[0]
            )
            if status != OK:
                return status
            context[STALE] = 1
            exchange.ahead[0] = 1
        status = lean.run(
            step,
            generic,
            work,
            state,
            backup,
            progress,
            record,
            instants,
            substeps,
            brief,
            options,
            tangent,
            mass,
            small,
            exchange,
            context,
            powered,
            next_stop(progress, record, substeps),
            budget,
        )
        if not end_of_piece(work, state, progress, record, block, status, len(substeps)):
            return status
    return OK


RUN = direct(run)
