"""Many spheres: a step costs the same for each of them, however many there are."""

from typing import Any

import pytest

from mbdgen import load, simulate
from mbdgen.language.read import read
from mbdgen.runtime.monitors.neighbour_lists import pairs_near

H, STEPS = 1e-4, 400


def seconds_per_sphere(n: int, formulation: str | None) -> tuple[float, float]:
    """Processor time of a step, and pairs that were listed, by the number of spheres."""
    system = load(read("sphere_box", {"n": n, "turning": False}))
    method = "heun" if formulation is None else "central-difference"
    more: dict[str, Any] = {}
    if formulation is not None:
        more = {"formulation": formulation, "max_iterations": 1}
    best = float("inf")
    for _ in range(3):
        result = simulate(system, (0, H * STEPS), method=method, h=H, t_eval=[0, H * STEPS], **more)
        assert result.success
        best = min(best, result.timings["solve_s"])
    return best / STEPS / n, pairs_near(system)["pairs"] / n


@pytest.mark.slow
@pytest.mark.parametrize("formulation", [None, "blocks"])
def test_a_step_costs_the_same_for_every_sphere(formulation: str | None) -> None:
    few, many = (seconds_per_sphere(n, formulation) for n in (500, 2000))
    print(f"{few[0]:.2e} s, {many[0]:.2e} s, pairs {few[1]:.2f}, {many[1]:.2f}")
    # four times the spheres: a quadratic search would be four, tables out of the cache are 1.2
    assert many[0] < 1.8 * few[0]
