"""Time loop for fused kernels: as `loop.run`, with minimal overhead around the kernels.

Constraint residuals and energies are evaluated where a state is recorded; the power of loads and
drivers is integrated over every step, if there is any.

The loop is one long function: the part called only when fused kernels reject a state needs nearly
all of its variables, and would cost as much again to compile as a separate function [M: 1 s of 3].
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mbdgen.runtime.integrators.base import STEP as GENERIC_STEP
from mbdgen.runtime.linalg.linear_solver import Factors
from mbdgen.runtime.monitors.angle_unwrapping import count_turns, steps_uncounted
from mbdgen.runtime.monitors.recorder import (
    FIRST_ROW,
    GENERIC,
    INTERVAL,
    SUBSTEP,
    Progress,
    Record,
    add_work,
    compare_energies,
    copy,
    copy_state,
    monitor,
    record_state,
    write_motion,
)
from mbdgen.runtime.program.address_calls import as_function, call_kernel, caller, kernels_at
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.program.pointers import INTEGERS, REALS, integers, reals
from mbdgen.runtime.stepping.fused_context import (
    CLOCK,
    EXPAND,
    FIRST_KERNEL,
    LAM,
    POWER,
    STALE,
    A,
    M,
    P,
    Q,
    V,
    W,
)
from mbdgen.runtime.stepping.run_buffers import COURSE
from mbdgen.runtime.system.kernel_calls import factorise_mass
from mbdgen.runtime.system.run_workspace import (
    INT_ARRAY,
    KEPT_WEIGHT,
    KERNEL_FAILED,
    OK,
    PAUSED,
    REAL_ARRAY,
    STATE,
    STEPS,
    TURNS_UNKNOWN,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

STEP_SIGNATURE = types.int64(INTEGERS, types.float64, REALS)


def lean_step(function: Callable[..., int]) -> Any:
    """Compile a fused step: ``step(context, h, options) -> status``.

    On a status other than 0 the state must be unchanged.
    """
    return separate(STEP_SIGNATURE)(function)


call_step = caller(STEP_SIGNATURE)
as_generic_step = as_function(GENERIC_STEP)


@internal
def evaluate(kernel: int, context: Any, t: float, q: Any, v: Any, a: Any, out: Any) -> int:
    """Call the kernel at an index of a context, with its multipliers and tables, at any state."""
    lam, w, p = reals(context[LAM]), reals(context[W]), reals(context[P])
    return call_kernel(context[kernel], (t, q, v, a, lam, w, p, integers(context[M]), out))


@internal
def call(kernel: int, context: Any, a: Any, out: Any) -> int:
    """Call a kernel at the state of a context, with another vector for the accelerations."""
    t = reals(context[CLOCK])[0]
    return evaluate(kernel, context, t, reals(context[Q]), reals(context[V]), a, out)


class Exchange(NamedTuple):
    """Exchange of the full state and the state of a reduced system.

    Attributes
    ----------
    full, small : array
        Storage for q, v, a and lam, which the kernels `expand` and `gather` write; empty if the
        fused kernels work on the state of the mechanism itself.
    ahead : array of one int
        Whether the full state has changed since the reduced one was gathered.
    """

    full: FloatArray
    small: FloatArray
    ahead: IntArray


EXCHANGE = types.NamedTuple((REAL_ARRAY, REAL_ARRAY, INT_ARRAY), Exchange)


@internal
def unpack(values: FloatArray, state: State) -> None:
    """Split concatenated vectors: ``state <- q, v, a, lam``."""
    n_q = len(state.q)
    for i in range(n_q):
        state.q[i], state.v[i], state.a[i] = values[i], values[n_q + i], values[2 * n_q + i]
    for i in range(len(state.lam)):
        state.lam[i] = values[3 * n_q + i]


@internal
def gather(
    kernels: Kernels, work: RunWorkspace, state: State, small: State, exchange: Exchange
) -> int:
    """Compute the reduced state from the full state, if that has changed.

    Not otherwise: angles recovered from a quaternion differ by round-off from those it was built
    from.
    """
    if len(exchange.full) == 0 or exchange.ahead[0] == 0:
        return OK
    status = kernels.gather(
        state.clock[0],
        state.q.ctypes,
        state.v.ctypes,
        state.a.ctypes,
        state.lam.ctypes,
        work.weights.ctypes,
        work.p.ctypes,
        work.m.ctypes,
        exchange.small.ctypes,
    )
    unpack(exchange.small, small)
    exchange.ahead[0] = 0
    return OK if status == 0 else KERNEL_FAILED


@internal
def expand(context: Any, state: State, exchange: Exchange) -> int:
    """Compute the full state from the reduced one."""
    if len(exchange.full) == 0:
        return OK
    if call(EXPAND, context, reals(context[A]), reals(exchange.full.ctypes.data)) != 0:
        return KERNEL_FAILED
    unpack(exchange.full, state)
    return OK


@separate(
    types.int64(
        *(types.int64, types.int64, *COURSE, STATE, EXCHANGE, INT_ARRAY, types.boolean),
        *(types.int64, types.int64),
    ),
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
    last: int,
    budget: int,
) -> int:
    """Integrate until the instant ``last`` or for ``budget`` steps, starting at ``progress``.

    ``step`` and ``generic`` are the addresses of the fused and of the generic step; the arguments
    up to ``mass`` are a `mbdgen.runtime.stepping.run_buffers.Course`. If the fused kernels reject a
    state (unsuitable pivots), the generic step is made. On a status other than 0 the state is the
    one before the failed step.
    """
    position, power = progress.position, np.zeros(1)
    table, watts = integers(context.ctypes.data), reals(power.ctypes.data)
    kernels, generic_step = kernels_at(table, FIRST_KERNEL), as_generic_step(generic)
    counting = len(work.turns) > 0
    numbers, counters = progress.numbers.copy(), work.counters.copy()  # of the last count
    most, wary = 1, 0  # steps until the next count; of these, counted singly
    if gather(kernels, work, state, small, exchange) != OK:
        return KERNEL_FAILED
    while position[INTERVAL] < last:
        k = position[INTERVAL]
        start, stop = instants[k], instants[k + 1]
        h = (stop - start) / substeps[k]
        done = position[SUBSTEP]
        while done < substeps[k]:
            if budget == 0:
                position[SUBSTEP] = done
                status = expand(table, state, exchange)
                return status if status != OK else PAUSED
            first, until = done, substeps[k]
            if counting:
                until = min(first + most, until)
                copy_state(state, backup)
                copy(progress.numbers, numbers)
                copy(work.counters, counters)
            while done < until and budget > 0:
                status = call_step(step, (table, h, reals(options.ctypes.data)))
                if status != OK:
                    if counting and done > first:
                        break  # until the revolutions so far are counted
                    status = expand(table, state, exchange)
                    copy_state(state, backup)
                    if status == OK:
                        status = factorise_mass(kernels, work, mass, state, state.clock[0])
                    # The factors kept by Newton's method belong to the last of these steps, perhaps
                    # long ago.
                    work.memory[KEPT_WEIGHT] = 0.0
                    if status == OK:
                        status = generic_step(kernels, work, state, h, options, tangent, mass)
                    exchange.ahead[0] = 1
                    if status == OK:
                        position[GENERIC] += 1
                        status = gather(kernels, work, state, small, exchange)
                    context[STALE] = 1
                if status != OK:
                    copy_state(backup, state)
                    position[SUBSTEP] = done
                    return status
                budget -= 1
                done += 1
                state.clock[0] = stop if done == substeps[k] else start + done * h
                work.counters[STEPS] += 1
                if powered:
                    if call(POWER, table, reals(context[A]), watts) != 0:
                        return KERNEL_FAILED
                    add_work(progress, h, power[0])
            if not counting:
                continue
            status = expand(table, state, exchange)
            if status == OK:
                way = (done - first) * h
                status = count_turns(kernels, work, state.clock[0], state.q, state.v, way)
            if status == OK:
                wary = max(wary - 1, 0)
                most = 1 if wary > 0 else steps_uncounted(work, h)
                continue
            copy_state(backup, state)
            copy(numbers, progress.numbers)
            copy(counters, work.counters)
            exchange.ahead[0] = 1
            context[STALE] = 1
            if status == TURNS_UNKNOWN and done > first + 1:  # then one by one
                budget, wary, most = budget + done - first, done - first, 1
                status = gather(kernels, work, state, small, exchange)
            done = first
            if status != OK:
                position[SUBSTEP] = done
                return status
        row = k + 1 - position[FIRST_ROW]
        status = expand(table, state, exchange)
        if brief[k] != 0:
            write_motion(state, record, row)
        elif status == OK:
            status = monitor(kernels, work, state, progress)
            if status == OK:
                compare_energies(work, progress)
                status = record_state(kernels, work, state, progress, record, row)
        if status != OK:
            return status
        position[SUBSTEP] = 0
        position[INTERVAL] += 1
    return OK
