"""The compiled loop over members whose steps have fused kernels."""

from numba import types

from mbdgen.runtime import lean
from mbdgen.runtime.addresses import kernels_at
from mbdgen.runtime.compiled import direct, separate
from mbdgen.runtime.context import FIRST_KERNEL, STALE
from mbdgen.runtime.course import COURSE, Course
from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.runtime.ensembles.block import (
    BLOCK,
    RUNNING,
    STAGE,
    Block,
    begin_member,
    end_of_piece,
    find_pending,
    next_instant,
)
from mbdgen.runtime.lean import EXCHANGE, Exchange
from mbdgen.runtime.regular import ROOM, Room
from mbdgen.runtime.work import INT_ARRAY, OK, REAL_ARRAY, STATE, State


@separate(
    types.int64(
        *(types.int64, types.int64, COURSE, STATE, EXCHANGE, INT_ARRAY, types.boolean),
        *(ROOM, REAL_ARRAY, REAL_ARRAY, BLOCK, types.int64, types.int64),
    ),
    from_python=True,
    nogil=True,  # other threads compute other members meanwhile
)
def run(
    step: int,
    generic: int,
    course: Course,
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
            status = begin_member(kernels, course, room, q0, v0, block)
            if status != OK:
                return status
            context[STALE] = 1
            exchange.ahead[0] = 1
        end = next_instant(course)
        status = lean.run(step, generic, course, small, exchange, context, powered, end, budget)
        if not end_of_piece(course, block, status):
            return status
    return OK


RUN = direct(run)
