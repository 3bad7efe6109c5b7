"""Classical Runge-Kutta method of order 4 on the index-1 equations, with projections.

``q' = v, v' = a(t, q, v)``, where ``[M, -G^T; H, eps] [a; lam] = [f; gamma]``
"""

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.equations import factorise_mass
from mbdgen.runtime.integrators.base import Method, compiled_step
from mbdgen.runtime.linear import Factors
from mbdgen.runtime.projections import project_position, project_velocity, solve_accelerations
from mbdgen.runtime.work import OK, State, Work


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
    """Advance by one step; see `mbdgen.runtime.integrators.base`.

    The first stage is the consistent acceleration that the step before left behind.
    """
    q, v, a, n_q = state.q, state.v, state.a, len(state.q)
    q_old, v_old = work.scratch[0], work.scratch[1]
    q_slope, v_slope = work.scratch[2], work.scratch[3]
    t = state.clock[0]
    for i in range(n_q):
        q_old[i], v_old[i] = q[i], v[i]
        q_slope[i], v_slope[i] = v[i], a[i]
    for stage in range(1, 4):
        part = h if stage == 3 else 0.5 * h
        weight = 1.0 if stage == 3 else 2.0
        for i in range(n_q):
            q[i] = q_old[i] + part * v[i]
            v[i] = v_old[i] + part * a[i]
        state.clock[0] = t + part
        status = factorise_mass(kernels, work, mass, state, t + part)
        if status == OK:
            status = solve_accelerations(kernels, work, mass, state)
        if status != OK:
            return status
        for i in range(n_q):
            q_slope[i] += weight * v[i]
            v_slope[i] += weight * a[i]
    for i in range(n_q):
        q[i] = q_old[i] + h / 6.0 * q_slope[i]
        v[i] = v_old[i] + h / 6.0 * v_slope[i]
    status = factorise_mass(kernels, work, mass, state, t + h)
    if status == OK:
        status = project_position(kernels, work, mass, state)
    if status == OK:
        status = project_velocity(kernels, work, mass, state)
    if status == OK:
        status = solve_accelerations(kernels, work, mass, state)
    return status


def _weights(h: float, values: tuple[float, ...]) -> tuple[float, float, float]:
    return 0.0, 0.0, 1.0


METHOD = Method(
    name="rk4",
    formulation="index-1 multipliers, mass-orthogonal projections",
    order=4,
    step=step,
    options=(),
    tangent_weights=_weights,
)
