"""What must not change: momentum, angular momentum and energy of free bodies."""

import numpy as np
import pytest

from mbdgen import Model, Result, load
from tests.physics.running import run, system, worst

MASSES = {"one": 2.0, "two": 1.5}
INERTIAS = {
    "one": np.array([[0.30, 0.02, -0.01], [0.02, 0.25, 0.03], [-0.01, 0.03, 0.20]]),
    "two": np.diag([0.1, 0.2, 0.25]),
}
T = np.linspace(0.0, 2.0, 21)


def momenta(result: Result) -> tuple[np.ndarray, np.ndarray]:
    """Momentum, and angular momentum about the origin, both in global axes."""
    linear = sum(m * result[f"{name}_v"] for name, m in MASSES.items())
    angular = np.zeros((len(result.t), 3))
    for name, m in MASSES.items():
        axes = np.stack([result[f"{name}_e{k}"] for k in (1, 2, 3)], axis=-1)
        spin = np.einsum("tij,jk,tk->ti", axes, INERTIAS[name], result[f"{name}_wb"])
        angular += spin + np.cross(result[f"{name}_r"], m * result[f"{name}_v"])
    return np.asarray(linear), angular


@pytest.mark.slow
def test_floating_pair() -> None:
    mechanism = system("floating_pair")
    result = run(mechanism, T, 2e-3, "rk4")
    linear, angular = momenta(result)
    assert result.info.dof == 9
    assert worst(linear, linear[0]) <= 1e-11
    assert worst(angular, angular[0]) <= 1e-8
    assert result.counters.energy_drift <= 1e-8
    assert np.ptp(result["energy.kinetic"]) > 0.1, "the spring must have worked"


@pytest.mark.slow
def test_floating_pair_by_newmark() -> None:
    """Momentum is linear in the velocities: kept exactly; the rest to the order of the method."""
    drifts = []
    for h in (2e-3, 1e-3):
        result = run(system("floating_pair"), T, h)
        linear, angular = momenta(result)
        assert worst(linear, linear[0]) <= 1e-10
        drifts.append([worst(angular, angular[0]), result.counters.energy_drift])
    assert np.all(np.array(drifts[1]) <= np.array(drifts[0]) / 3.5), drifts
    assert max(drifts[1]) <= 1e-4, drifts


@pytest.mark.parametrize("method", ["newmark", "rk4"])
def test_a_thrown_body_flies_a_parabola(method: str) -> None:
    """Both methods are exact for the centre of mass, whatever the body does about it."""
    model = Model("thrown", gravity=(0, 0, -9.81))
    body = model.body(
        "stone", 2.0, (1.0, 2.0, 2.5), centre_of_mass=(0.1, 0.0, -0.2), position=(0, 0, 1.0),
        velocity=(3.0, 0.5, 4.0), angular_velocity=(1.0, 5.0, 0.3),
    )  # fmt: skip
    model.output("centre", body.centre_of_mass)
    result = run(load(model), T, 1e-2, method)
    start = np.array([0.1, 0.0, 0.8])
    velocity = np.array([3.0, 0.5, 4.0]) + np.cross((1.0, 5.0, 0.3), (0.1, 0.0, -0.2))
    fall = np.array([0.0, 0.0, -9.81]) / 2
    expected = start + velocity * T[:, None] + fall * T[:, None] ** 2
    assert worst(result["centre"], expected) <= 1e-11


def test_torque_free_body_keeps_its_angular_momentum() -> None:
    result = run(system("torque_free_body"), np.linspace(0.0, 10.0, 11), 2e-3, "rk4")
    assert worst(result["momentum"], np.array([0.05, 6.0, 0.06])) <= 1e-8
    assert result.counters.energy_drift <= 1e-8
