"""What is written down of a motion, and what is watched on the way: residuals, energies, work."""

from typing import NamedTuple

import numpy as np
from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.compiled import internal, separate
from mbdgen.runtime.data import FloatArray, IntArray, SystemData
from mbdgen.runtime.equations import (
    evaluate_energies,
    evaluate_outputs,
    evaluate_rates,
    evaluate_residual,
    largest,
    largest_constraint,
)
from mbdgen.runtime.turns import count_turns
from mbdgen.runtime.work import (
    INT_ARRAY,
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    REAL_TABLE,
    STATE,
    WORK,
    State,
    Work,
)

# Places in ``Progress.numbers``.
PHI, PHI_DOT, PHI_DDOT, DRIFT = 0, 1, 2, 3
ENERGY, WORK_DONE, POWER, POWER_BEFORE, H_BEFORE = 4, 5, 6, 7, 8
SCALE, POTENTIAL = 9, 10
NUMBERS = 11
# Places in ``Progress.position``.
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
    """Where a run stands: what `run` needs to continue where it was interrupted.

    Attributes
    ----------
    position : array of int
        Interval and substep that come next, the instant that row 0 of the record holds, and how
        many steps the generic loop made for fused kernels that refused them.
    numbers : array
        Largest constraint residuals, energy drift, initial energy, work done, powers, and what
        the drift is to be compared with.
    """

    position: IntArray
    numbers: FloatArray


RECORD = types.NamedUniTuple(REAL_TABLE, 6, Record)
PROGRESS = types.NamedTuple((INT_ARRAY, REAL_ARRAY), Progress)


def new_progress() -> Progress:
    """Return the progress of a run that has not begun."""
    return Progress(np.zeros(4, np.int64), np.zeros(NUMBERS))


def _widths(data: SystemData) -> tuple[int, ...]:
    return data.n_q, data.n_q, data.n_q, data.n_lam, data.names.n_out, 3


def new_record(instants: int, data: SystemData) -> Record:
    """Return arrays for so many instants, filled with NaN."""
    return Record(*(np.full((instants, width), np.nan) for width in _widths(data)))


def row_bytes(data: SystemData) -> int:
    """Return the size of an instant in a record."""
    return 8 * sum(_widths(data))


@internal
def copy(source: FloatArray, target: FloatArray) -> None:
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
def monitor_left(kernels: Kernels, work: Work, state: State, progress: Progress) -> int:
    """Update the largest constraint residuals and leave energies in ``work``.

    Residual and rates of the state are there already.
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
def monitor(kernels: Kernels, work: Work, state: State, progress: Progress) -> int:
    """Do the same for a state that nothing has been evaluated at."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    status = evaluate_residual(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = evaluate_rates(kernels, work, t, q, v, a, lam)
    return status if status != OK else monitor_left(kernels, work, state, progress)


@internal
def add_work(progress: Progress, h: float, new: float) -> None:
    """Add the work of one step with the power ``new`` at its end.

    The power at both ends and at the instant before is integrated as a parabola (for equal steps
    ``h/12 (5 P+ + 8 P - P-)``), so that this integral is more exact than a method of order 2. Where
    the time turns round, the step before is of no use.
    """
    numbers = progress.numbers
    power, before, k = numbers[POWER], numbers[POWER_BEFORE], numbers[H_BEFORE]
    if h * k > 0.0:
        slope = new * (2.0 * h + 3.0 * k) / (h + k) + power * (h + 3.0 * k) / k
        numbers[WORK_DONE] += h / 6.0 * (slope - before * h * h / (k * (h + k)))
    else:
        numbers[WORK_DONE] += 0.5 * h * (power + new)
    numbers[POWER_BEFORE] = power
    numbers[POWER] = new
    numbers[H_BEFORE] = h


@internal
def compare_energies(work: Work, progress: Progress) -> None:
    """Update the energy drift ``|E - E0 - W|``, and what is to be compared with.

    That is the largest of the kinetic energy and of the changes of potential and total energy.
    """
    numbers = progress.numbers
    moved = abs(work.energies[1] - numbers[POTENTIAL])
    energy = work.energies[0] + work.energies[1]
    drift = abs(energy - numbers[ENERGY] - numbers[WORK_DONE])
    numbers[DRIFT] = max(numbers[DRIFT], drift)
    size = max(work.energies[0], moved, abs(energy - numbers[ENERGY]))
    numbers[SCALE] = max(numbers[SCALE], size)


def jump(progress: Progress, energy: float, power: float) -> None:
    """Take the energy that a change of the equations has added as work; go on with a new power."""
    numbers = progress.numbers
    numbers[WORK_DONE] += energy
    numbers[POWER] = power
    numbers[H_BEFORE] = 0.0


@separate(types.int64(KERNELS, WORK, STATE, PROGRESS, RECORD, types.int64))
def write_down(
    kernels: Kernels, work: Work, state: State, progress: Progress, record: Record, k: int
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


@separate(
    types.int64(KERNELS, WORK, STATE, PROGRESS, RECORD),
    from_python=True,
)
def begin(kernels: Kernels, work: Work, state: State, progress: Progress, record: Record) -> int:
    """Record the initial state and the energy that all later ones are compared with."""
    status = monitor(kernels, work, state, progress)
    if status != OK:
        return status
    if len(work.turns):
        status = count_turns(kernels, work, state.clock[0], state.q, state.v, 0.0)
        if status != OK:
            return status
    progress.numbers[ENERGY] = work.energies[0] + work.energies[1]
    progress.numbers[POWER] = work.energies[2]
    progress.numbers[POTENTIAL] = work.energies[1]
    progress.numbers[SCALE] = max(progress.numbers[SCALE], work.energies[0])
    return write_down(kernels, work, state, progress, record, 0)
