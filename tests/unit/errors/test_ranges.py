"""Numbers and positions that a joint cannot have are refused with its name."""

import pytest

from mbdgen import Model, load, simulate
from mbdgen.errors import AssemblyError
from tests.unit.errors.refused import refused


@pytest.mark.parametrize("cosine", [1.0, -1.0, 1.5])
def test_axes_of_a_universal_joint_are_not_parallel(cosine: float) -> None:
    m = Model("cross")
    rod = m.body("rod", 1.0, (0.1, 0.1, 0.1))
    with refused(f"cosine of universal 'pin' is {cosine:g}."):
        m.universal(
            "pin", m.ground, rod, at=(0, 0, 0), axis_a=(1, 0, 0), axis_b=(0, 1, 0), cosine=cosine
        )


@pytest.mark.slow
def test_disc_that_lies_flat() -> None:
    """Its equations divide by the sine of the angle between its axis and the normal."""
    m = Model("flat", gravity=(0, 0, -9.81))
    wheel = m.body("wheel", 1.0, (0.1, 0.2, 0.1), position=(0, 0, 1))
    plane = m.ground.at(axis=(0, 0, 1))
    m.rolling_disc("rim", plane, wheel.at(axis=(0, 0, 1)), radius=1)
    with refused("'rim' is violated by 1", kind=AssemblyError):
        simulate(load(m, layout="flat"), (0, 0.1), h=0.01)
