"""Velocity Verlet: central differences with one evaluation per step, with projections.

``q+ = q + h v + h^2/2 a``,  ``v+ = v + h/2 (a + a+)``,  ``a+ = a(t+, q+, v + h a)``

Steps must stay below ``2/omega`` of the highest frequency. Energy errors stay bounded without
damping, and a constant mass matrix is factorised once per run: the cheapest method for large meshes
of beams whose fast oscillations are of no interest.
"""

from mbdgen.runtime.integrators.base import Method, compiled_step
from mbdgen.runtime.linalg.linear_solver import Factors
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_projections import (
    FORCE_ERROR,
    ROUND_OFF,
    continue_accelerations,
    continue_velocity,
    correct_accelerations,
    find_accelerations,
    project_position,
)
from mbdgen.runtime.system.kernel_calls import (
    evaluate_rates,
    evaluate_residual,
    factorise_mass,
    largest,
    largest_constraint,
)
from mbdgen.runtime.system.run_workspace import LEFT, NOT_CONVERGED, OK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray


@internal
def _project_step_end(kernels: Kernels, work: RunWorkspace, state: State, mass: Factors) -> int:
    """Project the position onto the constraints, and evaluate the accelerations there.

    With linear constraints the position already satisfies them, and the residual of that check is
    sufficient for the accelerations.
    """
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    for i in range(len(lam)):
        lam[i] = 0.0
    status = evaluate_residual(kernels, work, t, q, v, a, lam)
    if status != OK:
        return status
    there = largest_constraint(work, work.residual, 0) <= ROUND_OFF * (1.0 + largest(q))
    if there and work.passes[0] == 1:
        status = factorise_mass(kernels, work, mass, state, t)
        if status == OK:
            status = evaluate_rates(kernels, work, t, q, v, a, lam)
        return status if status != OK else correct_accelerations(work, mass, state)
    position = work.scratch[1]
    for i in range(len(q)):
        position[i] = q[i]
    status = project_position(kernels, work, mass, state)
    if status == NOT_CONVERGED:
        for i in range(len(q)):
            q[i] = position[i]
        status = factorise_mass(kernels, work, mass, state, t)
        if status == OK:
            status = project_position(kernels, work, mass, state)
    if status == OK:
        status = factorise_mass(kernels, work, mass, state, t)
    return status if status != OK else find_accelerations(kernels, work, mass, state)


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
    q, v, a, half = state.q, state.v, state.a, work.scratch[0]
    for i in range(len(q)):
        half[i] = v[i] + 0.5 * h * a[i]
        q[i] += h * half[i]
        v[i] += h * a[i]
    state.clock[0] += h
    status = _project_step_end(kernels, work, state, mass)
    if status != OK:
        return status
    force = largest(work.residual)
    for i in range(len(q)):
        v[i] = half[i] + 0.5 * h * a[i]
    t, lam, n = state.clock[0], state.lam, len(work.x)
    status = evaluate_rates(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = continue_velocity(kernels, work, mass, state)
    if status == OK:
        status = evaluate_residual(kernels, work, t, q, v, a, lam)
    # Velocity-dependent forces are so far those of the predicted velocities.
    curvature = largest_constraint(work, work.rates, n) / (ROUND_OFF * (1.0 + largest(a)))
    changed = largest(work.residual) / (FORCE_ERROR * force + 1e-300)
    if status == OK and not max(curvature, changed) <= 1.0:
        status = continue_accelerations(kernels, work, mass, state)
    work.memory[LEFT] = 1.0
    return status


METHOD = Method(
    name="verlet",
    formulation="index-1 multipliers, mass-orthogonal projections",
    order=2,
    step=step,
    kind="explicit",
    text="explicit, central differences, one evaluation per step; energy stays bounded",
    source="W. C. Swope, H. C. Andersen, P. H. Berens, K. R. Wilson: A computer simulation method "
    "for the calculation of equilibrium constants, J. Chem. Phys. 76 (1982) 637-649.",
)
