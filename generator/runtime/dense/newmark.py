"""Newmark's formula for any formulation."""

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.collocation import collocation_step
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
    """Advance by one step; see `mbdgen.runtime.integrators.newmark`."""
    beta, gamma, tolerance, limit = options[0], options[1], options[2], int(options[3])
    return collocation_step(
        kernels, work, state, h, 1.0, beta, gamma, tolerance, limit, parts, dense
    )
