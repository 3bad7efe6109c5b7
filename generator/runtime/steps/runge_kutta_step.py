"""Explicit Runge-Kutta methods for the index-1 equations, with projection of the step end.

``q' = v, v' = a(t, q, v)``, where ``[M, -G^T; H, eps] [a; lam] = [f; gamma]``; the coefficients of
a method are those of `mbdgen.runtime.steps.butcher_tableau.nystroem`.
"""

from mbdgen.runtime.integrators.base import Method, compiled_step
from mbdgen.runtime.linalg.linear_solver import Factors
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_projections import (
    STRAY,
    continue_accelerations,
    find_accelerations,
    project_position,
    project_step_end,
    project_velocity,
)
from mbdgen.runtime.steps.butcher_tableau import embedded, nystroem
from mbdgen.runtime.system.kernel_calls import factorise_mass
from mbdgen.runtime.system.run_workspace import LEFT, NOT_CONVERGED, OK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray


@internal
def add_multiples(
    slope: FloatArray, of_q: float, q: FloatArray, of_v: float, v: FloatArray
) -> None:
    """Add multiples of a slope to position and velocity, in two loops for SIMD."""
    if of_q != 0.0:
        for i in range(len(q)):
            q[i] += of_q * slope[i]
    if of_v != 0.0:
        for i in range(len(v)):
            v[i] += of_v * slope[i]


@compiled_step
def step(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    options: FloatArray,
    tangent: Factors,
    mass: Factors,
) -> int:
    """Advance by one step; see `mbdgen.runtime.integrators.base`.

    The first stage is the consistent acceleration at the end of the last step. The factors of the
    last stage, close to the end of the step, are used to project the end onto the constraints; with
    the factors of the end itself, velocities and accelerations follow without iteration.
    """
    q, v, a, n_q = state.q, state.v, state.a, len(state.q)
    q_old, v_old, slopes = work.scratch[0], work.scratch[1], work.scratch[2:]
    t, stages, at = state.clock[0], int(options[0]), 1
    for i in range(n_q):
        q_old[i], v_old[i], slopes[0, i] = q[i], v[i], a[i]
    for stage in range(1, stages + 1):
        c = options[at]
        for i in range(n_q):
            q[i] = q_old[i] + c * h * v_old[i]
            v[i] = v_old[i]
        for j in range(stage):
            add_multiples(
                slopes[j], h * h * options[at + 1 + j], q, h * options[at + 1 + stage + j], v
            )
        at += 1 + 2 * stage
        state.clock[0] = t + c * h
        if stage == stages:
            break
        status = factorise_mass(kernels, work, mass, state, t + c * h)
        if status == OK:
            status = find_accelerations(kernels, work, mass, state)
        if status != OK:
            return status
        for i in range(n_q):
            slopes[stage, i] = a[i]
    status = project_step_end(kernels, work, mass, state)
    if status != STRAY:
        work.memory[LEFT] = 1.0
        return status
    for i in range(n_q):
        q_old[i] = q[i]
    status = project_position(kernels, work, mass, state)
    if status == NOT_CONVERGED:
        for i in range(n_q):
            q[i] = q_old[i]
        status = factorise_mass(kernels, work, mass, state, t + h)
        if status == OK:
            status = project_position(kernels, work, mass, state)
    if status == OK:
        status = factorise_mass(kernels, work, mass, state, t + h)
    if status == OK:
        status = project_velocity(kernels, work, mass, state)
    if status == OK:
        status = continue_accelerations(kernels, work, mass, state)
    work.memory[LEFT] = 1.0
    return status


def explicit_method(
    name: str,
    order: int,
    matrix: tuple[tuple[float, ...], ...],
    weights: tuple[float, ...],
    text: str = "",
    source: str = "",
    errors: tuple[tuple[float, ...], ...] = (),
    power: int = 0,
) -> Method:
    """Return the method of a tableau.

    Parameters as for `mbdgen.runtime.steps.butcher_tableau.nystroem` and
    `mbdgen.runtime.steps.butcher_tableau.embedded`.

    The fused step projects its end with the factors of the last stage: at least two stages are
    required.
    """
    return Method(
        name=name,
        formulation="index-1 multipliers, mass-orthogonal projections",
        order=order,
        step=step,
        general="mbdgen.runtime.steps.dense_runge_kutta_step",
        rows=len(weights) + 1,
        fused_step="mbdgen.runtime.steps.fused_runge_kutta_step" if len(weights) > 1 else "",
        varied_step="mbdgen.runtime.sensitivities.sensitive_runge_kutta_step",
        fused_kernels=("accelerations", "retract", "consistent"),
        options=(),
        tangent_weights=_weights,
        constants=nystroem(matrix, weights),
        estimate=embedded(matrix, weights, errors, power) if errors else None,
        text=text,
        source=source,
    )


def _weights(h: float, values: tuple[float, ...]) -> tuple[float, float, float]:
    return 0.0, 0.0, 1.0
