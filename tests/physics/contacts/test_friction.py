"""Friction whose load is the reaction of a joint, stops, and bushings, against closed forms."""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import eigh
from scipy.optimize import brentq

from mbdgen import Model, analyse, inverse_dynamics, load, simulate, simulate_many
from mbdgen.errors import BuildError, OptionError
from mbdgen.runtime.system.system import System
from tests.quickest import quickest

G = 9.81
MASS, LENGTH, MOMENT = 1.3, 0.4, 0.05
GRIP, PIN, CREEP = 0.4, 0.06, 0.02


def run(system: System, end: float, h: float, **options: Any) -> Any:
    result = simulate(system, (0, end), h=h, progress=False, **options)
    assert result.success, result.message
    return result


@pytest.fixture(scope="module")
def block() -> System:
    """A block on a slide, pulled by a spring whose end moves at constant speed."""
    m = Model("block", gravity=(0, 0, -G))
    k, pull = m.parameter("k", 0.0), m.parameter("pull", 0.0)
    static, speed = m.parameter("static", 0.3), m.parameter("speed", 3.0)
    body = m.body("block", 2.0, (0.1, 0.1, 0.1), velocity=(speed, 0, 0))
    slide = m.prismatic("slide", m.ground, body, axis=(1, 0, 0))
    x = slide.displacement
    m.friction(
        "rub", along=x, load=slide.load, coefficient=0.3, static=static, fade=0.03, creep=1e-3
    )
    m.push("spring", along=x, force=k * (pull * m.t - x))
    m.output("x", x)
    m.output("speed", slide.speed)
    m.output("load", slide.load)
    m.output("rub", m.attached["rub"].push)
    m.output("stretch", k * (pull * m.t - x))
    return load(m, layout="loop")


@pytest.mark.slow
def test_sliding_block_stops(block: System) -> None:
    """v0 - mu g t until it rests after v0^2/(2 mu g); the work is that of the lost energy."""
    result = run(block, 1.2, 5e-4)
    until = result.t < 1.0
    np.testing.assert_allclose(result["load"], 2 * G, rtol=1e-12)
    np.testing.assert_allclose(result["speed"][until], (3 - 0.3 * G * result.t)[until], atol=1e-11)
    assert result["x"][-1] == pytest.approx(9 / (2 * 0.3 * G), abs=1e-4)
    assert abs(result["speed"][-1]) < 1e-6
    assert result.counters.energy_drift < 1e-3  # of 9 J: in the steps in which it stops


def test_stick_and_slip(block: System) -> None:
    """A slow pull rises to mu_s N, then falls by twice the drop of friction: (2 mu - mu_s) N.

    In the limit of a slow pull: here the block creeps and moves with the pull, which is a tenth
    of the speed of a slip.
    """
    block.set(k=200.0, pull=0.02, static=0.5, speed=0.0)
    result = run(block, 8.0, 2e-4)
    block.set(k=0.0, pull=0.0, static=0.3, speed=3.0)
    normal, late = 2 * G, result.t > 2
    force = result["stretch"][late]
    assert force.max() == pytest.approx(0.5 * normal, rel=0.03)
    assert force.min() == pytest.approx((2 * 0.3 - 0.5) * normal, rel=0.3)
    slips = np.diff((result["speed"] > 0.05).astype(int)).clip(0).sum()
    assert slips >= 2
    sticks = np.abs(result["speed"]) < 5e-3
    assert sticks.mean() > 0.6


@pytest.fixture(scope="module")
def pendulum() -> System:
    """A rod that rubs in its pin: friction changes the reaction that it is proportional to."""
    m = Model("rubbing", gravity=(0, -G, 0))
    rod = m.planar_body("rod", MASS, MOMENT, position=(LENGTH, 0))
    pin = m.revolute("pin", m.ground, rod, at=(0, 0), axis=(0, 0, 1))
    m.friction("rub", along=pin.angle, load=pin.load, coefficient=GRIP, radius=PIN, creep=CREEP)
    m.output("angle", rod.angle)
    m.output("load", pin.load)
    return load(m, layout="loop")


def rubbing(t: float, y: Any) -> list[float]:
    """J0 phi'' = -m g l cos(phi) - mu r N tanh(r omega/v0), and N by the motion of the centre."""
    phi, omega = y
    grip = GRIP * PIN * np.tanh(PIN * omega / CREEP)
    inertia = MOMENT + MASS * LENGTH**2

    def reaction(alpha: float) -> float:
        along = -LENGTH * omega**2 + G * np.sin(phi)
        across = LENGTH * alpha + G * np.cos(phi)
        return MASS * float(np.hypot(along, across))

    def balance(alpha: float) -> float:
        weight = -MASS * G * LENGTH * np.cos(phi)
        return float(inertia * alpha - weight + grip * reaction(alpha))

    return [omega, brentq(balance, -200, 200, xtol=1e-13)]


EXACT = solve_ivp(rubbing, (0, 1), [0, 0], rtol=1e-10, atol=1e-12, max_step=0.02).y[0, -1]


@pytest.mark.representatives(
    id=["generalized_alpha-2", "rk4-4", "rk4-index1-4", "trapezoidal-index3-2", "bdf-index2-2"]
)
@pytest.mark.parametrize(
    ("choice", "order"),
    [
        ({"method": "newmark"}, 2),
        ({"method": "generalized_alpha"}, 2),
        ({"method": "rk4"}, 4),
        ({"method": "rk4", "formulation": "index1"}, 4),
        ({"method": "trapezoidal", "formulation": "index3"}, 2),
        ({"method": "bdf", "formulation": "index2"}, 2),
    ],
    ids=lambda x: "-".join(x.values()) if isinstance(x, dict) else str(x),
)
def test_friction_that_changes_its_own_load(pendulum: System, choice: Any, order: int) -> None:
    """Order of every kind of scheme that finds reactions and forces together."""
    first = 4e-3 if order == 4 else 1e-3
    coarse, fine = (
        abs(run(pendulum, 1, h, **choice)["angle"][-1] - EXACT) for h in (first, first / 2)
    )
    assert fine < 1e-4
    assert coarse / fine == pytest.approx(2**order, rel=0.35) or fine < 1e-9


def test_reaction_is_that_of_the_motion(pendulum: System) -> None:
    result = run(pendulum, 0.5, 1e-3)
    for k in (0, 100, 500):
        phi, omega, alpha = (x[k, 2] for x in (result.q, result.v, result.a))
        along = -LENGTH * omega**2 + G * np.sin(phi)
        across = LENGTH * alpha + G * np.cos(phi)
        assert result["load"][k] == pytest.approx(MASS * np.hypot(along, across), rel=1e-9)


@pytest.mark.parametrize(
    "choice",
    [{"method": "dimcd"}, {"method": "radau"}, {"method": "rk4", "formulation": "nullspace-svd"},
     {"method": "trapezoidal", "formulation": "alf3"}],
    ids=lambda x: "-".join(x.values()),
)  # fmt: skip
def test_schemes_that_cannot_are_refused(pendulum: System, choice: Any) -> None:
    with pytest.raises(OptionError, match="depend on reactions"):
        simulate(pendulum, (0, 0.1), **choice)


def test_reduced_system_is_refused() -> None:
    m = Model("reduced_rubbing")
    rod = m.body("rod", MASS, (0.1, 0.1, 0.1), position=(LENGTH, 0, 0))
    pin = m.revolute("pin", m.ground, rod, at=(0, 0, 0), axis=(0, 1, 0))
    m.friction("rub", along=pin.angle, load=pin.load, coefficient=0.1)
    with pytest.raises(BuildError, match="forces 'rub' depend on reactions"):
        load(m, reduced=True)


# --- stops ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def flight() -> System:
    """A mass that flies between two stops without weight."""
    m = Model("flight", gravity=(0, 0, 0))
    d = m.parameter("d", 0.0)
    mass = m.point_mass("mass", mass=0.5, velocity=(2.0, 0, 0))
    m.point_on_line("rail", m.ground, mass, axis=(1, 0, 0))
    stop = m.stop("stop", along=mass.at().x, lower=-0.1, upper=0.1, stiffness=2e5, damping=d)
    m.output("force", stop.force)
    return load(m, layout="loop")


def test_elastic_stop_gives_everything_back(flight: System) -> None:
    """Depth (5 m v^2/(4 k))^(2/5) and time of contact 2.9432 depth/v of Hertz's law."""
    result = run(flight, 0.12, 1e-5)
    depth = (5 * 0.5 * 4 / (4 * 2e5)) ** 0.4
    assert result["mass.x"].max() == pytest.approx(0.1 + depth, rel=1e-5)
    touching = (result["force"] < 0).sum() * 1e-5
    assert touching == pytest.approx(2.9432 * depth / 2, rel=1e-2)
    assert result.v[-1, 0] == pytest.approx(-2.0, rel=1e-6)
    assert result.counters.energy_drift < 1e-6


def test_restitution_of_a_damped_stop(flight: System) -> None:
    """m v dv = -k p^e (1 + d v) dp: u/d - ln(1 + d u)/d^2 is the same before and after."""
    damping, speed = 0.25, 2.0

    def level(u: float) -> float:
        return u / damping - np.log(1 + damping * u) / damping**2

    expected = brentq(lambda e: level(-e * speed) - level(speed), 0.01, 1)
    flight.set(d=damping)
    result = run(flight, 0.12, 1e-5)
    flight.set(d=0.0)
    assert 0.6 < expected < 0.8
    assert -result.v[-1, 0] / speed == pytest.approx(expected, rel=1e-5)
    assert result.counters.energy_drift < 1e-6  # the lost energy is work of the stop


# --- bushings ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_frequencies_of_a_bushing() -> None:
    """K x = w^2 M x with every entry of K."""
    rng = np.random.default_rng(3)
    root = rng.uniform(-1, 1, (6, 6))
    stiffness = 100 * (root @ root.T + np.eye(6))
    masses = np.array([2, 2, 2, 0.3, 0.4, 0.5])
    m = Model("elastic", gravity=(0, 0, 0))
    block = m.body("block", 2.0, tuple(masses[3:]))
    m.bushing("bush", m.ground.at(), block.at(), stiffness=stiffness)
    found = analyse(load(m, layout="loop"), "modes")
    expected = np.sqrt(eigh(stiffness, np.diag(masses), eigvals_only=True)) / (2 * np.pi)
    np.testing.assert_allclose(np.sort(found["frequency"]), expected, rtol=1e-7)


def test_a_driven_hinge_needs_what_friction_takes() -> None:
    """Inverse dynamics finds friction of the reactions that it finds; ensembles do likewise.

    A rod of mass 1 and length 1 at 2 rad/s: ``M = m g l/2 cos + mu N r tanh(w r/creep)``.
    """
    m = Model("rubbing", gravity=(0, -9.81, 0))
    mu = m.parameter("mu", 0.5)
    rod = m.planar_body("rod", 1.0, 1 / 12, position=(0.5, 0), angular_velocity=2.0)
    pin = m.revolute("pin", m.ground, rod, at=(0, 0), axis=(0, 0, 1))
    m.friction("rub", along=pin.angle, load=pin.load, coefficient=mu, radius=0.1, creep=0.05)
    m.rotation_driver("motor", m.ground.at(), rod.at(-0.5, 0), angle=2.0 * m.t)
    m.output("tip", rod.at(0.5, 0))
    system = load(m, backend=quickest())
    found = inverse_dynamics(system, np.linspace(0, 3, 31))
    angle = 2.0 * found.motion.t
    load_ = np.hypot(2.0 * np.cos(angle), 9.81 - 2.0 * np.sin(angle))
    moment = 9.81 / 2 * np.cos(angle) + 0.5 * 0.1 * load_ * np.tanh(0.2 / 0.05)
    np.testing.assert_allclose(found.motion.lam[:, -1], moment, rtol=1e-10, atol=1e-10)
    motion = simulate(system, (0, 3), h=0.1)
    np.testing.assert_allclose(motion.lam[:, -1], moment, rtol=1e-6, atol=1e-6)
    many = simulate_many(
        system, (0, 3), {"mu": [0.5, 0.1]}, h=0.1, series="motor[0]", progress=False
    )
    np.testing.assert_array_equal(many["motor[0]"][0], motion.lam[:, -1])
