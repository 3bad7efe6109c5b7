"""Radau IIA with three stages: implicit, of order 5, damps everything that is fast (D-126).

The stages of `mbdgen.runtime.dense.stages` are solved together by Newton's method on one dense
system of three times the unknowns. The last stage is the end of the step. On index 3 without
projection positions keep order 5, velocities have order 3 and accelerations order 2; on index 2
accelerations have order 3.
"""

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.ending import end_implicit
from mbdgen.runtime.dense.parts import Parts, general_step
from mbdgen.runtime.dense.radau import radau_step
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.integrators.base import NEWTON_OPTIONS, Method
from mbdgen.runtime.work import OK, State, Work


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
    """Advance by one step."""
    tolerance, limit = options[0], int(options[1])
    status = radau_step(kernels, work, state, dense, dense.numbers, h, tolerance, limit)
    return status if status != OK else end_implicit(kernels, work, state, dense, parts)


METHOD = Method(
    name="radau",
    formulation="index3",
    order=5,
    general=__name__,
    needs="stages",
    options=NEWTON_OPTIONS,
    orders={"position": 3},
    text="implicit Runge-Kutta, three coupled stages, order 5; stands the stiffest forces",
    source="E. Hairer, G. Wanner: Solving ordinary differential equations II: stiff and "
    "differential-algebraic problems, Springer (1996), section IV.8.",
)
