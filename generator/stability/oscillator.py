"""The test problem of stability: ``x'' + 2 damping x' + x = 0``, with the frequency 1."""

from functools import cache

from mbdgen.compiler import load
from mbdgen.language.model import Model
from mbdgen.runtime.system import System

PLACE = 0
"""Of ``x`` among the coordinates; the two others of the point have no forces."""


@cache
def oscillator(second: bool = False) -> System:
    """Return the compiled oscillator; its parameter ``damping`` is the damping ratio.

    It has no constraints: what a formulation does about them plays no part. Naming one matters all
    the same, where the step of a method for any formulation is another formula than its own.
    """
    model = Model("oscillator")
    damping = model.parameter("damping", 0.0)
    point = model.point_mass("point", mass=1.0)
    model.potential("spring", energy=point.at().x ** 2 / 2)
    model.force("damper", point, force=(-2 * damping * point.at().vx, 0, 0))
    return load(model, second=second)
