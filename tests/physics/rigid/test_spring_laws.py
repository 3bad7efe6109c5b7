"""Springs and dampers by a law of elongation and speed, against closed forms."""

from math import sqrt

import numpy as np
import pytest
from scipy.special import ellipk

from mbdgen import Model, load, simulate
from mbdgen.runtime.system.system import System
from tests.physics.running import SOONEST

K, K3, AMPLITUDE = 1.0, 4.0, 0.5
# Of x'' + K x + K3 x^3 = 0 from rest at the amplitude.
SQUARE = K3 * AMPLITUDE**2
PERIOD = 4 * ellipk(SQUARE / (2 * (K + SQUARE))) / sqrt(K + SQUARE)


@pytest.fixture(scope="module")
def devices() -> System:
    """One mass on a hardening spring, one against a quadratic damper, a bar on a torsion spring."""
    m = Model("devices", gravity=(0, 0, 0))
    hardening = m.parameter("hardening", K3)
    for name, height in (("swings", 0.0), ("slows", 2.0)):
        mass = m.point_mass(
            name, 1.0, position=(1 + AMPLITUDE, height, 0), velocity=(0.4 * height, 0, 0)
        )
        m.point_on_line(f"rail_{name}", m.ground.at(0, height, 0), mass, axis=(1, 0, 0))
    ends = m.ground.at(0, 0, 0), m.bodies["swings"].at()
    spring = m.spring("spring", *ends, length=1, law=lambda x, v: K * x + hardening * x**3)
    damper = m.spring(
        "damper", m.ground.at(0, 2, 0), m.bodies["slows"].at(), law=lambda x, v: 3 * abs(v) * v
    )
    bar = m.body("bar", 2.0, (1, 1, 1), position=(0, 0, 5))
    m.revolute("hinge", m.ground, bar, axis=(0, 0, 1))
    torsion = m.torsion_spring(
        "torsion",
        m.ground,
        bar,
        axis=(0, 0, 1),
        rest=-AMPLITUDE,
        law=lambda x, v: K * x + hardening * x**3,
    )
    m.output("tension", spring.tension)
    m.output("drag", damper.tension)
    m.output("angle", torsion.angle)
    m.output("moment", torsion.moment)
    return load(m, layout="loop", backend=SOONEST)


@pytest.mark.slow
def test_laws(devices: System) -> None:
    """Both oscillators come back after the same period; the damper: v = v0/(1 + c v0 t/m)."""
    result = simulate(devices, (0, PERIOD), method="rk4", h=1e-2, progress=False)
    assert result.success, result.message
    # The error of order 4 in 400 steps.
    assert result["swings.x"][-1] == pytest.approx(1 + AMPLITUDE, abs=1e-7)
    assert result["angle"][-1] == pytest.approx(0, abs=1e-7)
    assert result["angle"].min() == pytest.approx(-2 * AMPLITUDE, abs=1e-4)
    speed = 0.8 / (1 + 3 * 0.8 * result.t)
    np.testing.assert_allclose(result["slows.x.dot"], speed, atol=1e-7)
    np.testing.assert_allclose(result["drag"], 3 * speed**2, atol=1e-6)
    force = K * AMPLITUDE + K3 * AMPLITUDE**3
    assert result["tension"][0] == pytest.approx(force, abs=1e-14)
    assert result["moment"][0] == pytest.approx(-force, abs=1e-14)
    # Work is integrated along parabolas, to the third power of the step.
    assert result.counters.energy_drift < 2e-5


@pytest.mark.slow
def test_laws_have_parameters(devices: System) -> None:
    """Without hardening the period is that of a linear spring."""
    soft = devices.copy()
    soft.set(hardening=0.0)
    result = simulate(soft, (0, 2 * np.pi), method="rk4", h=1e-2, progress=False)
    assert result["swings.x"][-1] == pytest.approx(1 + AMPLITUDE, abs=1e-7)
