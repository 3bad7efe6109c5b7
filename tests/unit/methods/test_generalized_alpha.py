"""Generalised-alpha: order 2, damping of fast oscillations, constraints, energy, memory."""

from typing import Any

import numpy as np
import pytest

from mbdgen import Model, Result, load, simulate, simulate_many
from mbdgen.errors import OptionError
from mbdgen.runtime.accuracy.run_checks import BROKEN
from mbdgen.runtime.system.system import System
from tests.convergence import study

METHOD = "generalized-alpha"
RHOS = (0.0, 0.5, 0.8, 1.0)


@pytest.fixture(scope="module")
def pendulum() -> System:
    return load("pendulum")


@pytest.fixture(scope="module")
def swing() -> System:
    """A spatial mechanism: quaternions, a hinge, a ball joint, a damper."""
    m = Model("alpha_swing", gravity=(0, 0, -9.81))
    damping = m.parameter("damping", 0.5)
    upper = m.body("upper", mass=1, inertia=(0, 1 / 12, 1 / 12), position=(0.5, 0, 0))
    inertia, spin = (0.02, 0.1, 0.1), (3, 0, 0)
    lower = m.body("lower", mass=1, inertia=inertia, position=(1.5, 0, 0), angular_velocity=spin)
    m.revolute("hinge", m.ground, upper, at=(0, 0, 0), axis=(0, 1, 0))
    m.spherical("ball", upper, lower, at=(1, 0, 0))
    m.spring("damper", m.ground.at(1, 1, 0), lower.at(0.5), damping=damping)
    m.output("tip", lower.at(0.5))
    return load(m)


@pytest.fixture(scope="module")
def oscillator() -> System:
    """One degree of freedom on a rail, ``x'' = -w2 x``; of quaternions, so that joints matter."""
    m = Model("alpha_oscillator", gravity=(0, 0, 0))
    w2 = m.parameter("w2", 4.0)
    mass = m.body("mass", mass=1, inertia=(1, 1, 1), position=(1, 0, 0))
    m.prismatic("rail", m.ground, mass, axis=(1, 0, 0))
    m.potential("spring", energy=w2 * mass.at().x ** 2 / 2)
    return load(m)


def run(system: System, t: float, h: float, rho: float = 0.8, **options: Any) -> Result:
    result = simulate(system, (0, t), method=METHOD, h=h, rho_inf=rho, **options)
    # With steps longer than a radian what follows the formula is not the motion of the oscillator.
    long = system.parameters.get("w2", 0.0) * h**2 > 1.0
    assert result.success or (long and result.status == -BROKEN), result.message
    return result


def recursion(rho: float, w2: float, h: float, steps: int) -> np.ndarray:
    """Chung and Hulbert's formula for ``x'' = -w2 x``, as a matrix of (x, h v, h^2 a, h^2 s)."""
    alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + alpha_f - alpha_m
    beta = (gamma + 0.5) ** 2 / 4
    new = np.array(
        [
            [1, 0, 0, -beta],
            [0, 1, 0, -gamma],
            [w2 * h**2, 0, 1, 0],
            [0, 0, alpha_f - 1, 1 - alpha_m],
        ]
    )
    old = np.array(
        [[1, 1, 0, 0.5 - beta], [0, 1, 0, 1 - gamma], [0, 0, 0, 0], [0, 0, alpha_f, -alpha_m]]
    )
    x = [np.array([1.0, 0.0, -w2 * h**2, -w2 * h**2])]
    for _ in range(steps):
        x.append(np.linalg.solve(new, old @ x[-1]))
    return np.array(x)[:, 0]


@pytest.mark.representatives
@pytest.mark.parametrize("rho", RHOS)
@pytest.mark.parametrize("model", ["pendulum", "swing"])
@pytest.mark.parametrize("part", ["q", "v", "a", "lam"])
def test_order_two(model: str, part: str, rho: float, request: pytest.FixtureRequest) -> None:
    system = request.getfixturevalue(model)
    exact = simulate(system, (0, 1), method="dop853", h=2e-3)
    found = study(
        lambda h: getattr(run(system, 1, h, rho), part)[-1],
        4e-3,
        getattr(exact, part)[-1],
    )
    assert found.order == pytest.approx(2, abs=0.1), found.table


def test_order_two_with_changing_steps(swing: System) -> None:
    """What is handed on from step to step must fit the step that takes it."""
    instants = [0.0, 0.13, 0.17, 0.5, 0.51, 0.82, 1.0]
    exact = simulate(swing, (0, 1), method="dop853", h=2e-3, t_eval=instants)
    found = study(lambda h: run(swing, 1, h, t_eval=instants).q, 8e-3, exact.q, levels=4)
    assert found.order == pytest.approx(2, abs=0.2), found.table


@pytest.mark.parametrize("rho", RHOS)
@pytest.mark.parametrize("w2", [4.0, 1e4, 1e10])
def test_linear_oscillator(oscillator: System, w2: float, rho: float) -> None:
    """The same numbers as the formula, from slow to (almost) infinitely fast."""
    oscillator.set(w2=w2)
    found = run(oscillator, 0.6, 1e-2, rho)["mass.x"]
    np.testing.assert_allclose(found, recursion(rho, w2, 1e-2, 60), atol=1e-9)


@pytest.mark.parametrize("rho", [0.5, 0.7, 0.8])
def test_spectral_radius_at_infinity(oscillator: System, rho: float) -> None:
    """All three roots are `rho`: their product is the last number of the recurrence of x."""
    oscillator.set(w2=1e10)
    x = run(oscillator, 0.3, 1e-2, rho)["mass.x"]
    columns = np.stack([x[:-3], x[1:-2], x[2:-1]], axis=1)
    numbers = np.linalg.lstsq(columns, -x[3:], rcond=None)[0]
    assert abs(numbers[0]) == pytest.approx(rho**3, rel=1e-4)
    assert np.abs(np.roots([1, *numbers[::-1]])) == pytest.approx(rho, rel=0.1)


def stretched_pendulum(stiffness: float) -> System:
    """A point mass on a stiff spring that is 2 mm too long, beside the slow swing."""
    m = Model("alpha_stretched", gravity=(0, -9.81, 0))
    mass = m.point_mass("mass", mass=1, position=(1.002, 0, 0))
    m.point_in_plane("plane", m.ground, mass, axis=(0, 0, 1))
    m.spring("spring", m.ground.at(0, 0, 0), mass.at(), stiffness=stiffness, length=1)
    return load(m)


def test_stiff_spring_is_damped_and_energy_never_grows() -> None:
    system = stretched_pendulum(1e6)
    energy = run(system, 2, 5e-3, 0.8)["energy.total"]
    assert energy[0] == pytest.approx(2.0)
    # Two joules of vibration go, the swing keeps its own (none above the horizontal).
    assert energy[-1] == pytest.approx(0, abs=0.02)
    assert energy[len(energy) // 2 :].max() < 0.02
    assert energy.max() < energy[0] + 1e-9


@pytest.mark.parametrize("rho", RHOS)
@pytest.mark.parametrize("model", ["pendulum", "swing"])
def test_constraints_and_energy(model: str, rho: float, request: pytest.FixtureRequest) -> None:
    system = request.getfixturevalue(model)
    result = run(system, 5, 5e-3, rho)
    assert result.counters.max_phi < 1e-10
    assert result.counters.max_phi_dot < 1e-10
    assert result.counters.max_phi_ddot < 1e-8
    balance = result["energy.total"] - result["energy.work"]
    assert balance.max() <= balance[0] + 1e-6
    assert balance[-1] < balance[0]


def test_rho_one_is_the_trapezoidal_rule(swing: System) -> None:
    """The same as Newmark's formula with its projection at the new end only."""
    other = simulate(swing, (0, 1), method="newmark", h=5e-3, shared=0)
    np.testing.assert_allclose(run(swing, 1, 5e-3, 1.0).q, other.q, atol=1e-10)


def test_runs_know_nothing_of_each_other(swing: System) -> None:
    """Memory between steps belongs to a motion: not to the system, nor to another member."""
    first = run(swing, 0.5, 5e-3)
    run(swing, 0.2, 1e-2, 0.0)
    assert np.array_equal(run(swing, 0.5, 5e-3).q, first.q)
    values = [0.1, 0.5, 0.5, 2.0]
    for workers in (1, 2):
        members = simulate_many(
            swing, (0, 0.5), {"damping": values}, method=METHOD, h=5e-3, workers=workers
        )
        for k in (1, 2):
            assert np.array_equal(members[k]["tip"], first["tip"])


def test_events_leave_the_motion_alone(swing: System) -> None:

    with_events = run(swing, 0.5, 5e-3, events=lambda t, q, v: float(q[2] + 0.2))
    assert len(with_events.t_events[0]) > 0
    np.testing.assert_allclose(with_events.q, run(swing, 0.5, 5e-3).q, atol=1e-12)


def test_terminal_events_continue_the_motion(swing: System) -> None:
    """The step that is repeated gets what the step before it has left."""

    def event(t: float, q: np.ndarray, v: np.ndarray) -> float:
        return t - 0.1234

    event.terminal = True  # type: ignore[attr-defined]
    stopped = run(swing, 0.5, 5e-3, events=event)
    assert stopped.t[-1] == pytest.approx(0.1234)
    single = run(swing, stopped.t[-1], 5e-3, t_eval=stopped.t)
    np.testing.assert_allclose(stopped.q, single.q, atol=1e-13)
    np.testing.assert_allclose(stopped.a, single.a, atol=1e-10)


def test_option_out_of_range(pendulum: System) -> None:
    with pytest.raises(OptionError, match="rho_inf"):
        simulate(pendulum, (0, 1), method=METHOD, h=1e-2, rho_inf=1.5)
