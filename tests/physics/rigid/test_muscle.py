"""The Hill-type muscle: values of its law, a hand-written equation of motion, and its tangents."""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from sympy import sin

from mbdgen import Model, load, simulate
from mbdgen.runtime.system.system import System

MASS, GRAVITY = 20.0, 9.81
F_MAX, L_0, V_MAX, WIDTH, HILL, ECCENTRIC, STRAIN, TOE = 900.0, 0.1, 1.1, 0.4, 0.3, 1.6, 0.5, 3.0
FIELDS = {"strength": F_MAX, "optimal_length": L_0, "max_speed": V_MAX, "width": WIDTH}
FIELDS |= {"curvature": HILL, "eccentric": ECCENTRIC, "strain": STRAIN, "toe": TOE}


def hanging() -> Model:
    """A mass on a vertical rail, held by the muscle."""
    m = Model("hanging", gravity=(0, 0, -GRAVITY))
    level, swing = m.parameter("level", 0.3), m.parameter("swing", 0.0)
    mass = m.point_mass("mass", mass=MASS, position=(0, 0, -1.1 * L_0))
    m.point_on_line("rail", m.ground, mass, axis=(0, 0, 1))
    activation = level + swing * sin(20 * m.t)
    muscle = m.muscle("muscle", m.ground.at(), mass.at(), activation=activation, **FIELDS)
    m.output("length", muscle.length)
    m.output("speed", muscle.speed)
    m.output("force", muscle.force)
    return m


@pytest.fixture(scope="module")
def system() -> System:
    return load(hanging())


def law(level: float, length: float, speed: float) -> float:
    """The same law, by branches."""
    x, u = length / L_0, speed / V_MAX
    if u <= -1:
        f_v = 0.0
    elif u <= 0:
        f_v = (1 + u) / (1 - u / HILL)
    else:
        f_v = ECCENTRIC - (ECCENTRIC - 1) / (1 + (1 + 1 / HILL) / (ECCENTRIC - 1) * u)
    z = TOE * (x - 1) / STRAIN
    passive = (np.exp(z) - 1 - z) / (np.exp(TOE) - 1 - TOE) if x > 1 else 0.0
    active = max(level, 0.0) * np.exp(-(((x - 1) / WIDTH) ** 2)) * f_v
    return float(F_MAX * (active + passive))


def state(system: System, length: float, speed: float) -> tuple[Any, ...]:
    zero = np.zeros(3)
    return 0.0, np.array([0, 0, -length]), np.array([0, 0, -speed]), zero, np.zeros(2)


def tension(system: System, length: float, speed: float) -> float:
    """Force of the muscle by the row of the mass: ``r = M a - f``."""
    value = -system.residual(*state(system, length, speed))[2] + MASS * GRAVITY
    return float(value)


@pytest.mark.parametrize(
    ("level", "length", "speed", "expected"),
    [
        (1.0, L_0, 0.0, F_MAX),  # isometric
        (0.4, L_0, 0.0, 0.4 * F_MAX),
        (1.0, L_0, -V_MAX, 0.0),  # as fast as it can
        (1.0, L_0, -3 * V_MAX, 0.0),  # it does not push
        (-1.0, L_0, 0.0, 0.0),
        (1.0, L_0, -V_MAX / 2, F_MAX * 0.5 / (1 + 0.5 / HILL)),
        (1.0, L_0, 1e9, ECCENTRIC * F_MAX),
        (1.0, L_0 * (1 - WIDTH), 0.0, F_MAX / np.e),
        (0.0, L_0 * (1 + STRAIN), 0.3, F_MAX),  # passive
        (0.0, L_0 * 0.9, 0.3, 0.0),
    ],
)
def test_values(system: System, level: float, length: float, speed: float, expected: float) -> None:
    system.set(level=level, swing=0)
    assert tension(system, length, speed) == pytest.approx(expected, rel=1e-8, abs=1e-9)
    assert law(level, length, speed) == pytest.approx(expected, rel=1e-8, abs=1e-9)


def test_slope_is_continuous_at_rest(system: System) -> None:
    system.set(level=1.0, swing=0)
    h = 1e-7
    left = (tension(system, L_0, 0) - tension(system, L_0, -h)) / h
    right = (tension(system, L_0, h) - tension(system, L_0, 0)) / h
    expected = F_MAX * (1 + 1 / HILL) / V_MAX
    assert left == pytest.approx(expected, rel=1e-4)
    assert right == pytest.approx(expected, rel=1e-4)
    damping = system.matrix(*state(system, L_0, 0), (0.0, 1.0, 0.0)).toarray()[2, 2]
    assert damping == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("speed", [-1.5, -0.6, -0.01, 0.0, 0.02, 0.8])
@pytest.mark.parametrize("length", [0.07, 0.1, 0.13])
def test_tangent(system: System, length: float, speed: float) -> None:
    """The matrix against central differences of the residual, away from the corners of the law."""
    system.set(level=0.7, swing=0)
    t, q, v, a, lam = state(system, length, speed)
    q[:2], v[:2] = (0.01, -0.02), (0.05, 0.1)
    exact = {k: system.matrix(t, q, v, a, lam, w) for k, w in enumerate(np.eye(3))}
    h = 1e-6
    for j, e in enumerate(h * np.eye(3)):
        by_q = (system.residual(t, q + e, v, a, lam) - system.residual(t, q - e, v, a, lam)) / h / 2
        by_v = (system.residual(t, q, v + e, a, lam) - system.residual(t, q, v - e, a, lam)) / h / 2
        np.testing.assert_allclose(exact[0].toarray()[:3, j], by_q[:3], rtol=1e-6, atol=1e-3)
        np.testing.assert_allclose(exact[1].toarray()[:3, j], by_v[:3], rtol=1e-6, atol=1e-3)


@pytest.mark.parametrize(
    ("method", "h", "tolerance"), [("rk4", 1e-4, 1e-8), ("newmark", 1e-4, 3e-6)]
)
def test_motion(system: System, method: str, h: float, tolerance: float) -> None:
    level, swing = 0.3, 0.25
    system.set(level=level, swing=swing)
    result = simulate(system, (0, 0.6), method=method, h=h)

    def rates(t: float, y: Any) -> list[float]:
        pull = law(level + swing * np.sin(20 * t), y[0], y[1])
        return [y[1], GRAVITY - pull / MASS]

    known = solve_ivp(
        rates, (0, 0.6), [1.1 * L_0, 0.0], t_eval=result.t, rtol=1e-11, atol=1e-13, max_step=1e-3
    ).y
    assert result.success and np.ptp(known[0]) > 0.02 and (known[1] > 0).any()
    np.testing.assert_allclose(result["length"], known[0], atol=tolerance)
    np.testing.assert_allclose(result["speed"], known[1], atol=100 * tolerance)
    force = [
        law(level + swing * np.sin(20 * t), *y) for t, y in zip(result.t, known.T, strict=True)
    ]
    np.testing.assert_allclose(result["force"], force, atol=1e5 * tolerance)


def test_energy_balance(system: System) -> None:
    """The active part is work, the passive one energy."""
    system.set(level=0.3, swing=0.25)
    assert simulate(system, (0, 0.6), method="rk4", h=1e-4).counters.energy_drift < 1e-6
    system.set(level=0.0, swing=0.0)
    result = simulate(system, (0, 0.6), method="rk4", h=1e-4)
    np.testing.assert_allclose(result["energy.work"], 0, atol=1e-12)
    assert np.ptp(result["length"]) > 0.02 and result.counters.energy_drift < 1e-8
