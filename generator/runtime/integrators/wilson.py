"""Wilson's method: linear accelerations up to ``t + theta h``, where the equations hold.

It is collocation with ``beta = 1/6`` and ``gamma = 1/2``; ``theta = 1`` is the method of linear
acceleration, which is stable for small steps only.

After Wilson, Farhoomand and Bathe (1973).
"""

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.collocation import collocation_step
from mbdgen.runtime.dense.parts import Parts, general_step
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.integrators.base import NEWTON_OPTIONS, Method
from mbdgen.runtime.option import Option
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
    """Advance by one step; see `mbdgen.runtime.dense.parts`."""
    theta, tolerance, limit = options[0], options[1], int(options[2])
    return collocation_step(
        kernels, work, state, h, theta, 1.0 / 6.0, 0.5, tolerance, limit, parts, dense
    )


METHOD = Method(
    name="wilson",
    formulation="index3",
    order=2,
    general=__name__,
    needs="solve",
    relates_z=True,
    at_ends=False,
    kept=1,
    options=(
        Option("theta", 1.4, 1.0, 4.0, "the equations hold at t + theta h; stable above 1.366"),
        *NEWTON_OPTIONS,
    ),
    damps=lambda values: True,
    text="linear accelerations up to an instant beyond the step; damps fast oscillations",
    source="E. L. Wilson, I. Farhoomand, K. J. Bathe: Nonlinear dynamic analysis of complex "
    "structures, Earthquake Eng. Struct. Dyn. 1 (1973) 241-252.",
)
