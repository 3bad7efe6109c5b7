"""Newmark's formula on the index-3 equations, followed by velocity and acceleration projection.

``q+ = q + h v + h^2 ((1/2 - beta) a + beta a+)``,  ``v+ = v + h ((1 - gamma) a + gamma a+)``

Without the projections the constrained directions act as infinite frequencies: accelerations
and reactions of the trapezoidal rule grow linearly with alternating sign, any ``beta < gamma / 2``
diverges at every step size. After them each step starts from consistent values.
"""

from mbdgen.errors import OptionError
from mbdgen.runtime.integrators.base import NEWTON_OPTIONS, Method, compiled_step, newmark_options
from mbdgen.runtime.linalg.linear_solver import Factors
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_projections import (
    continue_accelerations,
    continue_velocity,
    follow_reactions,
    rattle_velocity_correction,
)
from mbdgen.runtime.stepping.error_estimators import FromAccelerations, of_newmark
from mbdgen.runtime.stepping.newton_iteration import solve_step
from mbdgen.runtime.steps.newmark_family import newmark_known
from mbdgen.runtime.system.kernel_calls import evaluate_rates, factorise_mass
from mbdgen.runtime.system.run_workspace import LEFT, OK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray


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
    """Advance by one step; see `mbdgen.runtime.integrators.base`."""
    beta, gamma, tolerance, limit = options[0], options[1], options[2], int(options[3])
    q_known, v_known = work.scratch[0], work.scratch[1]
    t = state.clock[0] + h
    newmark_known(state, h, beta, gamma, q_known, v_known)
    status = solve_step(
        kernels,
        work,
        tangent,
        state,
        q_known,
        v_known,
        t,
        beta * h * h,
        gamma * h,
        tolerance,
        limit,
    )
    if status != OK:
        return status
    state.clock[0] = t
    a_step = work.scratch[2]
    for i in range(len(state.a)):
        a_step[i] = state.a[i]
    # ``mass`` is still that of the position at the beginning of the step.
    status = evaluate_rates(kernels, work, t, state.q, state.v, state.a, state.lam)
    if status == OK and options[4] > 0.5:
        status = rattle_velocity_correction(kernels, work, mass, state)
    if status == OK:
        status = factorise_mass(kernels, work, mass, state, t)
    if status == OK:
        status = continue_velocity(kernels, work, mass, state)
    if status == OK:
        status = continue_accelerations(kernels, work, mass, state)
    if status == OK and work.passes[0] > 1:
        status = follow_reactions(kernels, work, mass, state, a_step, gamma * h)
    work.memory[LEFT] = 1.0
    return status


def _weights(h: float, values: tuple[float, ...]) -> tuple[float, float, float]:
    return values[0] * h * h, values[1] * h, 1.0


def _check(values: tuple[float, ...]) -> None:
    # With beta < gamma / 2 steps above sqrt(1 / (gamma/2 - beta)) / omega are unstable: allowed.
    gamma = values[1]
    if gamma < 0.5:
        raise OptionError(
            f"Newmark with gamma = {gamma:g} < 1/2 has negative damping.",
            "Choose gamma >= 1/2 and beta >= gamma / 2 for unconditional stability.",
        )


def order_of(values: tuple[float, ...]) -> int:
    """Return the order: 2 for ``gamma = 1/2``, else 1."""
    return 2 if abs(values[1] - 0.5) < 1e-9 else 1


def damps(values: tuple[float, ...]) -> bool:
    """Return whether the formula has numerical damping: ``gamma > 1/2``."""
    return values[1] > 0.5


METHOD = Method(
    name="newmark",
    formulation="index-3 multipliers, mass-orthogonal projections",
    order=2,
    step=step,
    general="mbdgen.runtime.steps.dense_newmark_step",
    needs="solve",
    relates_z=True,
    fused_step="mbdgen.runtime.steps.fused_newmark_step",
    varied_step="mbdgen.runtime.sensitivities.sensitive_newmark_step",
    fused_kernels=("newton", "consistent", "finish"),
    options=(
        *newmark_options(),
        *NEWTON_OPTIONS,
        Option(
            "shared",
            *(1.0, 0.0, 1.0),
            "velocity correction by reactions of 1: both ends, 0: the new end",
            whole=True,
            alone=True,
        ),
    ),
    tangent_weights=_weights,
    check=_check,
    order_with=order_of,
    damps=damps,
    text="implicit, one weight for displacements and one for velocities",
    estimate=FromAccelerations(lambda values: of_newmark(values[0], values[1])),
    source="N. M. Newmark: A method of computation for structural dynamics, "
    "J. Eng. Mech. Div. ASCE 85 (1959) 67-94.",
    presets={
        "trapezoidal": {"beta": 1 / 4, "gamma": 1 / 2},
        "linear-acceleration": {"beta": 1 / 6, "gamma": 1 / 2},
        "fox-goodwin": {"beta": 1 / 12, "gamma": 1 / 2},
        "damped": {"beta": 0.3025, "gamma": 0.6},
    },
)
