"""Recording of a motion, and monitoring of constraint residuals, energies and work."""

from typing import NamedTuple

import numpy as np

from mbdgen.runtime.monitors.angle_unwrapping import count_turns
from mbdgen.runtime.monitors.work_quadrature import (
    ENERGY,
    NOISE,
    PHI,
    PHI_DDOT,
    PHI_DOT,
    POTENTIAL,
    SCALE,
    WORK_DONE,
    begin_anew,
    begin_numbers,
    compare,
    integrate_power,
    new_numbers,
)
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.system.kernel_calls import (
    evaluate_energies,
    evaluate_outputs,
    evaluate_rates,
    evaluate_residual,
    largest,
    largest_constraint,
)
from mbdgen.runtime.system.run_workspace import (
    INT_ARRAY,
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    REAL_TABLE,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray, SystemData
from mbdgen.subset import types

# Indices into ``Progress.position``.
INTERVAL, SUBSTEP, FIRST_ROW, GENERIC = 0, 1, 2, 3


class Record(NamedTuple):
    """Recorded motion, one row per instant."""

    q: FloatArray
    v: FloatArray
    a: FloatArray
    lam: FloatArray
    outputs: FloatArray
    energies: FloatArray


class Progress(NamedTuple):
    """Progress of a run: the data that `run` needs to continue after an interruption.

    Attributes
    ----------
    position : array of int
        Next interval and substep, the instant stored in row 0 of the record, and the number of
        steps made by the generic loop because fused kernels rejected them.
    numbers : array
        Largest constraint residuals, energies, and the work done:
        `mbdgen.runtime.monitors.work_quadrature`.
    """

    position: IntArray
    numbers: FloatArray


RECORD = types.NamedUniTuple(REAL_TABLE, 6, Record)
PROGRESS = types.NamedTuple((INT_ARRAY, REAL_ARRAY), Progress)


def new_progress(order: int = 2) -> Progress:
    """Return the initial progress of a run, with a method of this order."""
    return Progress(np.zeros(4, np.int64), new_numbers(order))


def _widths(data: SystemData) -> tuple[int, ...]:
    return data.n_q, data.n_q, data.n_q, data.n_lam, data.names.n_out, 3


def new_record(instants: int, data: SystemData) -> Record:
    """Return arrays for the given number of instants, filled with NaN."""
    return Record(*(np.full((instants, width), np.nan) for width in _widths(data)))


def row_bytes(data: SystemData) -> int:
    """Return the size of one record in bytes."""
    return 8 * sum(_widths(data))


@internal
def copy(source: FloatArray | IntArray, target: FloatArray | IntArray) -> None:
    """``target <- source``; a loop, because a slice takes ten times as long to compile."""
    for i in range(len(source)):
        target[i] = source[i]


@internal
def copy_state(source: State, target: State) -> None:
    """``target <- source``."""
    copy(source.clock, target.clock)
    copy(source.q, target.q)
    copy(source.v, target.v)
    copy(source.a, target.a)
    copy(source.lam, target.lam)


@separate(types.int64(KERNELS, WORK, STATE, PROGRESS))
def monitor_left(kernels: Kernels, work: RunWorkspace, state: State, progress: Progress) -> int:
    """Update the largest constraint residuals and store energies in ``work``.

    Residual and rates of the state are already evaluated.
    """
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    status = evaluate_energies(kernels, work, t, q, v, a, lam)
    if status != OK:
        return status
    numbers = progress.numbers
    numbers[PHI] = max(numbers[PHI], largest_constraint(work, work.residual, 0))
    numbers[PHI_DOT] = max(numbers[PHI_DOT], largest_constraint(work, work.rates, 0))
    second = largest_constraint(work, work.rates, len(work.x))
    numbers[PHI_DDOT] = max(numbers[PHI_DDOT], second)
    finite = largest(q) + largest(v) + largest(a) + largest(lam) + largest(work.energies)
    return OK if finite <= 1e300 else NOT_FINITE


@separate(types.int64(KERNELS, WORK, STATE, PROGRESS))
def monitor(kernels: Kernels, work: RunWorkspace, state: State, progress: Progress) -> int:
    """The same for a state where nothing has been evaluated."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    status = evaluate_residual(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = evaluate_rates(kernels, work, t, q, v, a, lam)
    return status if status != OK else monitor_left(kernels, work, state, progress)


@internal
def add_work(progress: Progress, h: float, power: float) -> None:
    """Add the work of one step with the power at its end; see `work_quadrature`."""
    numbers = progress.numbers
    integrate_power(numbers, h, power)
    numbers[SCALE] = max(numbers[SCALE], abs(numbers[WORK_DONE]))


@internal
def compare_energies(work: RunWorkspace, progress: Progress) -> None:
    """Update the energy drift; see `mbdgen.runtime.monitors.work_quadrature.compare`."""
    compare(progress.numbers, work.energies[0], work.energies[1])


def jump(progress: Progress, energy: float, power: float) -> None:
    """Count the energy jump of a change of the equations as work; continue with a new power."""
    numbers = progress.numbers
    numbers[WORK_DONE] += energy
    begin_numbers(numbers, power)


@separate(types.int64(KERNELS, WORK, STATE, PROGRESS, RECORD, types.int64))
def record_state(
    kernels: Kernels, work: RunWorkspace, state: State, progress: Progress, record: Record, k: int
) -> int:
    """Record the state, whose energies are in ``work``, as row ``k``."""
    copy(state.q, record.q[k])
    copy(state.v, record.v[k])
    copy(state.a, record.a[k])
    copy(state.lam, record.lam[k])
    record.energies[k, 0] = work.energies[0]
    record.energies[k, 1] = work.energies[1]
    record.energies[k, 2] = progress.numbers[WORK_DONE]
    t = state.clock[0]
    outputs = record.outputs[k]
    return evaluate_outputs(kernels, work, t, state.q, state.v, state.a, state.lam, outputs)


@internal
def write_motion(state: State, record: Record, k: int) -> None:
    """Record only the motion as row ``k``, for the error estimate."""
    copy(state.q, record.q[k])
    copy(state.v, record.v[k])
    copy(state.a, record.a[k])


@separate(
    types.int64(KERNELS, WORK, STATE, PROGRESS, RECORD),
)
def begin(
    kernels: Kernels, work: RunWorkspace, state: State, progress: Progress, record: Record
) -> int:
    """Record the initial state and the reference energy."""
    status = monitor(kernels, work, state, progress)
    if status != OK:
        return status
    if len(work.turns):
        status = count_turns(kernels, work, state.clock[0], state.q, state.v, 0.0)
        if status != OK:
            return status
    numbers = progress.numbers
    numbers[ENERGY], numbers[POTENTIAL] = work.energies[0] + work.energies[1], work.energies[1]
    numbers[SCALE] = max(numbers[SCALE], work.energies[0], NOISE * abs(work.energies[1]))
    begin_anew(numbers, work.energies[2])
    return record_state(kernels, work, state, progress, record, 0)
