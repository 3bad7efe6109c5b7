"""Compiled time loop of all methods: steps between recorded instants.

`integrate` is long because it is compiled three times from this source, and several functions would
be slower to compile and to load.
"""

from typing import Any

from mbdgen.runtime.integrators.base import STEP
from mbdgen.runtime.monitors.angle_unwrapping import count_turns
from mbdgen.runtime.monitors.recorder import (
    FIRST_ROW,
    INTERVAL,
    SUBSTEP,
    Progress,
    Record,
    add_work,
    compare_energies,
    copy_state,
    monitor,
    monitor_left,
    record_state,
    write_motion,
)
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.stepping.run_buffers import COURSE
from mbdgen.runtime.system.run_workspace import LEFT, OK, PAUSED, STEPS, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types


def integrate(
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
    tangent: Any,
    mass: Any,
    last: int,
    budget: int,
) -> int:
    """Integrate until the instant ``last`` or for ``budget`` steps, starting at ``progress``.

    The arguments between ``kernels`` and ``last`` are a
    `mbdgen.runtime.stepping.run_buffers.Course`; ``tangent`` and ``mass`` are passed to the step
    unchanged: this source is compiled for steps with sparse factors here, and for those with a
    formulation in `mbdgen.runtime.solvers.dense_run`. On a status other than 0 the state is the one
    before the failed step, and another call repeats that step: Python may choose new pivots in
    between.
    """
    position = progress.position
    while position[INTERVAL] < last:
        k = position[INTERVAL]
        start, stop = instants[k], instants[k + 1]
        h = (stop - start) / substeps[k]
        while position[SUBSTEP] < substeps[k]:
            if budget == 0:
                return PAUSED
            budget -= 1
            copy_state(state, backup)
            work.memory[LEFT] = 0.0
            status = step(kernels, work, state, h, options, tangent, mass)
            if status == OK:
                # Not clock + h: round-off must not accumulate over millions of steps.
                done = position[SUBSTEP] + 1
                state.clock[0] = stop if done == substeps[k] else start + done * h
                if work.memory[LEFT] > 0.5:
                    status = monitor_left(kernels, work, state, progress)
                else:
                    status = monitor(kernels, work, state, progress)
                if status == OK and len(work.turns):
                    status = count_turns(kernels, work, state.clock[0], state.q, state.v, h)
            if status != OK:
                copy_state(backup, state)
                return status
            add_work(progress, h, work.energies[2])
            compare_energies(work, progress)
            work.counters[STEPS] += 1
            position[SUBSTEP] += 1
        row = k + 1 - position[FIRST_ROW]
        if brief[k] != 0:
            write_motion(state, record, row)
        else:
            status = record_state(kernels, work, state, progress, record, row)
            if status != OK:
                return status
        position[SUBSTEP] = 0
        position[INTERVAL] += 1
    return OK


run = separate(types.int64(STEP, KERNELS, *COURSE, types.int64, types.int64))(integrate)
"""`integrate` for steps with sparse factors."""
