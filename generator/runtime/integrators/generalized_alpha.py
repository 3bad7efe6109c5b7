"""Generalised-alpha on the index-3 equations, followed by velocity and acceleration projection.

Chung and Hulbert (1993) in the form of Arnold and Bruels (2007): the equations hold at the new
instant, and Newmark's formula works on an auxiliary variable ``s`` of the kind of an acceleration,

``(1 - alpha_m) s+ + alpha_m s = (1 - alpha_f) a+ + alpha_f a``,
``q+ = q + h v + h^2 ((1/2 - beta) s + beta s+)``,  ``v+ = v + h ((1 - gamma) s + gamma s+)``

with ``alpha_m = (2 rho - 1)/(rho + 1)``, ``alpha_f = rho/(rho + 1)``, ``gamma = 1/2 + alpha_f -
alpha_m`` and ``beta = (gamma + 1/2)^2/4``. ``rho`` is the part of an infinitely fast oscillation
that one step leaves. Every step has to end on all three levels of the constraints, hence the
projections; ``s+`` follows from the projected ``a+``, so that it is a stable filter of consistent
accelerations and nothing of the multipliers of index 3 is handed on.

What is kept between steps is ``(s - a)/h``, so the next step may have another size. A motion begins
with zero, ``s = a``: an error of order ``h`` in ``s`` that fades, hence of order 2 in the motion.
"""

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.equations import factorise_mass
from mbdgen.runtime.integrators.base import Method, compiled_step
from mbdgen.runtime.linear import Factors
from mbdgen.runtime.newton import solve_step
from mbdgen.runtime.option import Option
from mbdgen.runtime.projections import project_velocity, solve_accelerations
from mbdgen.runtime.work import LEFT, OK, State, Work


@compiled_step
def step(
    kernels: Kernels,
    work: Work,
    state: State,
    h: float,
    options: FloatArray,
    tangent: Factors,
    mass: Factors,
) -> int:
    """Advance by one step; see `mbdgen.runtime.integrators.base`."""
    rho, tolerance, limit = options[0], options[1], int(options[2])
    alpha_m, alpha_f = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 + alpha_f - alpha_m
    beta = 0.25 * (gamma + 0.5) * (gamma + 0.5)
    part = (1.0 - alpha_f) / (1.0 - alpha_m)
    q_known, v_known, old = work.scratch[0], work.scratch[1], work.scratch[2]
    kept = work.kept[0]
    for i in range(len(state.q)):
        q, v, a = state.q[i], state.v[i], state.a[i]
        s = a + h * kept[i]
        old[i] = (alpha_f * a - alpha_m * s) / (1.0 - alpha_m)
        q_known[i] = q + h * v + h * h * ((0.5 - beta) * s + beta * old[i])
        v_known[i] = v + h * ((1.0 - gamma) * s + gamma * old[i])
    t = state.clock[0] + h
    status = solve_step(
        kernels,
        work,
        tangent,
        state,
        q_known,
        v_known,
        t,
        beta * part * h * h,
        gamma * part * h,
        tolerance,
        limit,
    )
    if status != OK:
        return status
    state.clock[0] = t
    status = factorise_mass(kernels, work, mass, state, t)
    if status == OK:
        status = project_velocity(kernels, work, mass, state)
    if status == OK:
        status = solve_accelerations(kernels, work, mass, state)
    if status != OK:
        return status
    work.memory[LEFT] = 1.0
    for i in range(len(state.q)):
        kept[i] = (old[i] + (part - 1.0) * state.a[i]) / h
    return OK


def _weights(h: float, values: tuple[float, ...]) -> tuple[float, float, float]:
    rho = values[0]
    part, gamma = 1.0 / (2.0 - rho), 0.5 + (1.0 - rho) / (1.0 + rho)
    return part * (h / (1.0 + rho)) ** 2, part * gamma * h, 1.0


METHOD = Method(
    name="generalized-alpha",
    formulation="index-3 multipliers, mass-orthogonal projections",
    order=2,
    step=step,
    options=(
        Option("rho_inf", 0.8, 0.0, 1.0, "part of infinitely fast oscillations that a step leaves"),
        Option("tolerance", 1e-10, 1e-15, 1e-3, "Newton: increment of q relative to 1 + max |q|"),
        Option("max_iterations", 20.0, 1.0, 1000.0, "Newton: iterations per step"),
    ),
    tangent_weights=_weights,
    kept=1,
)
