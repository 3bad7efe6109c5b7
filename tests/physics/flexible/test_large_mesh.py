"""Ten thousand elements of a beam: the motion is right, the work ten times that of a thousand."""

import pytest

from mbdgen import load, simulate
from mbdgen.runtime.results.result import Result

EACH = 0.025
"""Length of an element: waves along it limit explicit steps to some 40 us."""
G = 9.81


def fallen(elements: int, method: str, steps: int) -> Result:
    """A rubber rod on a pin, shortly after it was released straight from the horizontal."""
    system = load("flexible_pendulum", layout="loop", elements=elements, length=EACH * elements)
    return simulate(system, (0, steps * 2e-5), h=2e-5, method=method, progress=False)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["verlet", "newmark"])
def test_ten_thousand_elements(method: str) -> None:
    """No wave has come from the pin yet: middle and tip fall as stones do, parabolas are exact."""
    many, few = fallen(10_000, method, 50), fallen(1000, method, 50)
    for name in ("middle", "tip"):
        place = many[f"{name}.y"]
        assert place == pytest.approx(-0.5 * G * many.t**2, abs=1e-12)
    given = 0.5 * 250.0 * (G * many.t[-1]) ** 2  # by gravity, to 250 m of 1 kg/m
    assert many.counters.energy_drift <= 1e-3 * given
    # Only the elements near the pin bend: what the method loses there does not know of the others.
    assert many.counters.energy_drift == pytest.approx(
        few.counters.energy_drift, rel=1e-3, abs=1e-12 * given
    )
    # The same iterations, and matrices as often: ten times the cost is in the number of rows alone.
    assert abs(many.counters.newton_iterations - few.counters.newton_iterations) <= 2
    assert many.counters.factorisations == few.counters.factorisations
    if method == "verlet":
        assert many.counters.factorisations == 1  # the mass matrix does not change
