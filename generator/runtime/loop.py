"""The compiled loop of every method: steps between recorded instants.

`integrate` is long because it is compiled three times from this source, and cut into pieces it
would be slower to compile and to load.
"""

from typing import Any

from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.borrowed import borrowed
from mbdgen.runtime.compiled import separate
from mbdgen.runtime.course import COURSE
from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.runtime.integrators.base import STEP
from mbdgen.runtime.recording import (
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
    write_down,
    write_motion,
)
from mbdgen.runtime.turns import count_turns
from mbdgen.runtime.work import LEFT, OK, PAUSED, STEPS, State, Work


def integrate(
    step: Any,
    kernels: Kernels,
    work: Work,
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
    """Integrate until the instant ``last`` or for ``budget`` steps, from where ``progress`` stands.

    The arguments between ``kernels`` and ``last`` are a `mbdgen.runtime.course.Course`; ``tangent``
    and ``mass`` are handed to the step, whatever they are: this source is compiled for steps with
    sparse factors here, and for those with a formulation in `mbdgen.runtime.dense.run`. On a status
    other than 0 the state is the one before the step that failed, and another call repeats that
    step: Python may choose new pivots in between.
    """
    work, state, backup = borrowed(work), borrowed(state), borrowed(backup)
    progress, record, options = borrowed(progress), borrowed(record), borrowed(options)
    tangent, mass = borrowed(tangent), borrowed(mass)
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
                # Not clock + h: round-off must not pile up over millions of steps.
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
            status = write_down(kernels, work, state, progress, record, row)
            if status != OK:
                return status
        position[SUBSTEP] = 0
        position[INTERVAL] += 1
    return OK


run = separate(types.int64(STEP, KERNELS, *COURSE, types.int64, types.int64), from_python=True)(
    integrate
)
"""`integrate` for steps with sparse factors."""
