"""Generalised-alpha on the index-3 equations, followed by velocity and acceleration projection.

Chung and Hulbert (1993) in the form of Arnold and Bruels (2007), see
`mbdgen.runtime.steps.newmark_family`, with ``alpha_m = (2 rho - 1)/(rho + 1)`` and
``alpha_f = rho/(rho + 1)``. ``rho`` is the spectral radius at infinite frequency. Every step has to
end on all three levels of the constraints, hence the projections; ``s+`` follows from the projected
``a+``, so that it is a stable filter of consistent accelerations, and the index-3 multipliers are
not propagated.
"""

from mbdgen.runtime.integrators.base import NEWTON_OPTIONS, Method, compiled_step
from mbdgen.runtime.linalg.linear_solver import Factors
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_projections import (
    follow_reactions,
    project_velocity,
    solve_accelerations,
)
from mbdgen.runtime.stepping.error_estimators import FromAccelerations, of_alpha
from mbdgen.runtime.stepping.newton_iteration import solve_step
from mbdgen.runtime.steps.newmark_family import (
    alpha_weights,
    alphas,
    alphas_of,
    begin_alpha,
    keep_alpha,
    weights,
)
from mbdgen.runtime.system.kernel_calls import factorise_mass
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
    rho, tolerance, limit = options[0], options[1], int(options[2])
    alpha_m, alpha_f = alphas_of(rho)
    q_known, v_known, s_known = work.scratch[0], work.scratch[1], work.scratch[2]
    c_q, c_v, c_s = alpha_weights(alpha_m, alpha_f, h)
    begin_alpha(work.kept[0], state, h, alpha_m, alpha_f, q_known, v_known, s_known)
    t = state.clock[0] + h
    status = solve_step(
        kernels,
        work,
        tangent,
        state,
        q_known,
        v_known,
        t,
        c_q,
        c_v,
        tolerance,
        limit,
    )
    if status != OK:
        return status
    state.clock[0] = t
    a_step = work.scratch[3]
    for i in range(len(state.a)):
        a_step[i] = state.a[i]
    status = factorise_mass(kernels, work, mass, state, t)
    if status == OK:
        status = project_velocity(kernels, work, mass, state)
    if status == OK:
        status = solve_accelerations(kernels, work, mass, state)
    if status == OK and work.passes[0] > 1:
        status = follow_reactions(kernels, work, mass, state, a_step, c_v)
    if status != OK:
        return status
    work.memory[LEFT] = 1.0
    keep_alpha(work.kept[0], state, h, c_s, s_known)
    return OK


def _weights(h: float, values: tuple[float, ...]) -> tuple[float, float, float]:
    c_q, c_v, _ = weights(*alphas(values[0]), h)
    return c_q, c_v, 1.0


METHOD = Method(
    name="generalized-alpha",
    formulation="index-3 multipliers, mass-orthogonal projections",
    order=2,
    step=step,
    general="mbdgen.runtime.steps.dense_alpha_step",
    needs="solve",
    varied_step="mbdgen.runtime.sensitivities.sensitive_alpha_step",
    options=(
        Option("rho_inf", 0.8, 0.0, 1.0, "spectral radius at infinite frequency"),
        *NEWTON_OPTIONS,
    ),
    tangent_weights=_weights,
    kept=1,
    damps=lambda values: values[0] < 1.0,
    text="Newmark with a filtered acceleration; adjustable damping of fast oscillations",
    estimate=FromAccelerations(lambda values: of_alpha(*alphas(values[0]))),
    source="J. Chung, G. M. Hulbert: A time integration algorithm for structural dynamics with "
    "improved numerical dissipation: the generalized-alpha method, J. Appl. Mech. 60 (1993) "
    "371-375; M. Arnold, O. Bruels: Convergence of the generalized-alpha scheme for constrained "
    "mechanical systems, Multibody Syst. Dyn. 18 (2007) 185-202.",
    presets={
        "undamped": {"rho_inf": 1.0},
        "light": {"rho_inf": 0.9},
        "heavy": {"rho_inf": 0.5},
        "annihilating": {"rho_inf": 0.0},
    },
)
