"""Trapezoidal rule: implicit, of order 2, without numerical damping.

``q+ = q + h/2 (v + v+)``,  ``v+ = v + h/2 (a + a+)``: Newmark's formula with ``beta = 1/4``,
``gamma = 1/2``. On index 3 without projections its reactions oscillate and grow.
"""

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.collocation import collocation_step
from mbdgen.runtime.dense.parts import Parts, general_step
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.estimates import FromAccelerations, of_newmark
from mbdgen.runtime.integrators.base import NEWTON_OPTIONS, Method
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
    tolerance, limit = options[0], int(options[1])
    return collocation_step(kernels, work, state, h, 1.0, 0.25, 0.5, tolerance, limit, parts, dense)


METHOD = Method(
    name="trapezoidal",
    formulation="index3",
    order=2,
    general=__name__,
    needs="solve",
    relates_z=True,
    options=NEWTON_OPTIONS,
    text="implicit trapezoidal rule, A-stable, no numerical damping",
    estimate=FromAccelerations(lambda values: of_newmark(0.25, 0.5)),
    source="G. G. Dahlquist: A special stability problem for linear multistep methods, "
    "BIT 3 (1963) 27-43.",
)
