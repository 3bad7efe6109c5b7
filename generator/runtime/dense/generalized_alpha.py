"""Generalised-alpha of Chung and Hulbert for any formulation."""

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.alpha import alphas_of
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.alpha import alpha_step
from mbdgen.runtime.dense.parts import Parts, general_step
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.work import State, Work


@general_step
def step(
    kernels: Kernels,
    work: Work,
    state: State,
    h: float,
    options: FloatArray,
    parts: Parts,
    dense: Dense,
) -> int:
    """Advance by one step; see `mbdgen.runtime.integrators.generalized_alpha`."""
    rho, tolerance, limit = options[0], options[1], int(options[2])
    alpha_m, alpha_f = alphas_of(rho)
    return alpha_step(kernels, work, state, h, alpha_m, alpha_f, tolerance, limit, parts, dense)
