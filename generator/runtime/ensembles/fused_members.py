"""Compiled loop over ensemble members with fused kernels.

Most of its lines are arguments: `mbdgen.runtime.stepping.run_buffers` says why compiled loops take
them singly.
"""

from collections.abc import Callable

from mbdgen.runtime.ensembles.member_block import (
    BLOCK,
    RUNNING,
    STAGE,
    MemberBlock,
    begin_member,
    end_of_piece,
    find_pending,
    next_stop,
)
from mbdgen.runtime.initialisation.fast_initialisation import ROOM, InitialisationWorkspace
from mbdgen.runtime.linalg.linear_solver import Factors
from mbdgen.runtime.monitors.recorder import Progress, Record
from mbdgen.runtime.program.address_calls import kernels_at
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.stepping import fused_loop
from mbdgen.runtime.stepping.fused_context import FIRST_KERNEL, STALE
from mbdgen.runtime.stepping.fused_loop import EXCHANGE, Exchange
from mbdgen.runtime.stepping.run_buffers import COURSE
from mbdgen.runtime.system.run_workspace import (
    INT_ARRAY,
    OK,
    REAL_ARRAY,
    STATE,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types


@separate(
    types.int64(
        *(types.int64, types.int64, *COURSE, STATE, EXCHANGE, INT_ARRAY, types.boolean),
        *(ROOM, REAL_ARRAY, REAL_ARRAY, BLOCK, types.int64, types.int64),
    ),
    nogil=True,  # other threads compute other members meanwhile
)
def run(
    step: int,
    generic: int,
    work: RunWorkspace,
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
    room: InitialisationWorkspace,
    q0: FloatArray,
    v0: FloatArray,
    block: MemberBlock,
    last: int,
    budget: int,
) -> int:
    """Compute the members up to ``last``, starting at ``block.place``.

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
        status = fused_loop.run(
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


RUN: Callable[..., int] = run
