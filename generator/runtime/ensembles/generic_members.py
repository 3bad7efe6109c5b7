"""Compiled loop over ensemble members for every method and layout."""

from collections.abc import Callable
from typing import Any

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
from mbdgen.runtime.integrators.base import STEP
from mbdgen.runtime.linalg.factor_storage import DENSE
from mbdgen.runtime.linalg.linear_solver import Factors
from mbdgen.runtime.monitors.recorder import Progress, Record
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.stepping import time_loop
from mbdgen.runtime.stepping.run_buffers import COURSE
from mbdgen.runtime.system.kernel_calls import factorise_mass
from mbdgen.runtime.system.run_workspace import (
    FACTORISATIONS,
    NEEDS_PIVOTS,
    OK,
    REAL_ARRAY,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types


@separate(
    types.int64(
        *(STEP, KERNELS, *COURSE, ROOM, REAL_ARRAY, REAL_ARRAY, BLOCK, types.int64, types.int64),
    ),
    nogil=True,  # other threads compute other members meanwhile
)
def run(
    step: Any,
    kernels: Kernels,
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
    room: InitialisationWorkspace,
    q0: FloatArray,
    v0: FloatArray,
    block: MemberBlock,
    last: int,
    budget: int,
) -> int:
    """Compute the members up to ``last``, starting at ``block.place``.

    On a status other than 0 another call continues with the same member, unless Python has noted a
    status for it and gone to the next. Sparse matrices need pivots for every member.
    """
    while find_pending(block, last):
        if block.place[STAGE] != RUNNING:
            status = begin_member(
                kernels, work, room, state, progress, record, q0, v0, block, instants[0]
            )
            if status != OK:
                return status
            if mass.header[1] != DENSE:
                return NEEDS_PIVOTS
            # A step expects the factors of the position that it begins with.
            status = factorise_mass(kernels, work, mass, state, state.clock[0])
            work.counters[FACTORISATIONS] = 0
            if status != OK:
                return NEEDS_PIVOTS
        status = time_loop.run(
            step,
            kernels,
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
            next_stop(progress, record, substeps),
            budget,
        )
        if not end_of_piece(work, state, progress, record, block, status, len(substeps)):
            return status
    return OK


RUN: Callable[..., int] = run
