"""Two four-bars pass positions where all bars lie in line, and a degree of freedom is added."""

import pytest

from mbdgen import simulate
from tests.schemes import system_of

PASSED = 1.5
"""s; the first singular position comes at 0.714 s."""


@pytest.mark.parametrize(
    ("method", "formulation", "most"),
    [("rk4", "alf1", 1e-3), ("rk4", "canonical-alf", 5e-3), ("newmark", "alf3", 5e-3)],
)
def test_augmented_lagrangians_pass(method: str, formulation: str, most: float) -> None:
    """Their matrices stay regular; passes that only creep there must not end the run."""
    system = system_of("A02")
    result = simulate(system, (0, PASSED), method, 2e-3, formulation=formulation, progress=False)
    assert result.success, result.message
    assert result.counters.energy_drift < most


def test_projections_belong_to_the_augmented_lagrangian_of_index_1() -> None:
    system, run = system_of("A02"), {"formulation": "alf1", "progress": False}
    usual = simulate(system, (0, 0.3), "newmark", 2e-3, **run)  # type: ignore[arg-type]
    assert usual.success and usual.info.formulation == "alf1, mass-orthogonal projection"
    assert max(usual.counters.max_phi, usual.counters.max_phi_dot) < 1e-9
    without = simulate(system, (0, 0.3), "newmark", 2e-3, projection="none", **run)  # type: ignore[arg-type]
    assert without.counters.max_phi > 1e-8
