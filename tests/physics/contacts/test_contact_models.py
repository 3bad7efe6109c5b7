"""Spheres on planes and on each other against flights in closed form and impacts by hand."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mbdgen import Model, load, simulate
from mbdgen.runtime.system.system import System
from tests import reference

G = 9.81


def run(system: System, end: float, **options: Any) -> Any:
    result = simulate(system, (0, end), progress=False, **options)
    assert result.success, result.message
    return result


def energy(result: Any) -> Any:
    return result.energies[:, 0] + result.energies[:, 1]


@pytest.fixture(scope="module")
def groove() -> System:
    return load("sphere_v_groove", restitution=1, friction=False)


@pytest.fixture(scope="module")
def damped_groove() -> System:
    return load("sphere_v_groove", friction=False)


@pytest.fixture(scope="module")
def rough_groove() -> System:
    return load("sphere_v_groove")


def compare(result: Any, case: str, tolerance: float) -> None:
    """Compare five impacts: later ones depend much on the errors of these."""
    sides = {1: "left", 3: "right"}
    known = reference.load(case).meta["impacts"]["rows"][:5]
    assert len(result.contacts) >= len(known)
    for impact, (begin, plane, speed, after, duration) in zip(result.contacts, known, strict=False):
        assert impact.contact == sides[int(plane)]
        assert impact.begin == pytest.approx(begin, abs=tolerance)
        assert impact.approach == pytest.approx(speed, rel=tolerance)
        assert impact.departure == pytest.approx(after, rel=tolerance)
        assert impact.end - impact.begin == pytest.approx(duration, rel=tolerance)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "tolerance"),
    [({"method": "rk4", "h": 1e-2}, 1e-5), ({"method": "rk4", "rtol": 1e-9}, 1e-6)],
)
def test_elastic_groove(groove: System, options: dict[str, Any], tolerance: float) -> None:
    """Impacts of the reference; the energy comes back after each; the planes do not move."""
    known = reference.load("GROOVE_A")
    result = run(groove, 6.0, t_eval=known.t, **options)
    compare(result, "GROOVE_A", tolerance)
    assert np.abs(energy(result)[-1] / energy(result)[0] - 1) < 0.5 * tolerance
    assert len([name for name in result.names.multipliers if "hold" in name]) == 12
    early = known.t < result.contacts[3].begin
    np.testing.assert_allclose(result["centre.z"][early], known["z"][early], atol=10 * tolerance)


@pytest.mark.slow
def test_damped_groove(damped_groove: System) -> None:
    """Sequence and effective restitution of the law by Hunt and Crossley."""
    result = run(damped_groove, 6.0, method="rk4", h=1e-2)
    compare(result, "GROOVE_B_hunt", 2e-5)
    for impact in result.contacts[:6]:
        assert impact.restitution == pytest.approx(0.8328, abs=5e-5)


@pytest.mark.slow
def test_groove_with_the_factor_of_lankarani_and_nikravesh() -> None:
    system = load("sphere_v_groove", friction=False, law="lankarani-nikravesh")
    compare(run(system, 6.0, method="rk4", h=1e-2), "GROOVE_B_lankarani", 2e-5)


@pytest.mark.slow
def test_sphere_rests_in_the_groove(damped_groove: System) -> None:
    """At the height 2/sqrt(3), less what its weight presses it into both planes."""
    result = run(damped_groove, 14.5, method="rk4", h=1e-2)
    press = 5 * G / (2 * math.cos(math.pi / 6))
    compliance = 2 * (1 - 0.3**2) / 290e9
    depth = (press * 0.75 * compliance) ** (2 / 3)
    lower = depth / math.cos(math.pi / 6)
    assert result["centre.z"][-1] == pytest.approx(2 / math.sqrt(3) - lower, abs=1e-11)
    assert abs(result["centre.x"][-1]) < 1e-9
    late = result.t > 12.81
    assert np.ptp(result["centre.z"][late]) < 0.03
    assert result["left.force"][-1] == pytest.approx(press, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"method": "rk4", "h": 1e-2},
        pytest.param({"method": "newmark", "h": 1e-3}, marks=pytest.mark.slow),
    ],
)
def test_rough_groove(rough_groove: System, options: dict[str, Any]) -> None:
    """Spins after the impacts; sticking makes the first one v/(1 + J/(m R^2)) of the slope."""
    result = run(rough_groove, 4.0, **options)
    known = (0.79669, 1.68565, 3.08773, 3.26204, 3.53221, 3.75721)
    spins = (2.7917, 2.1671, -2.7452, -4.2220, -3.2754, -2.4871)
    for impact, begin, spin in zip(result.contacts, known, spins, strict=False):
        after = np.searchsorted(result.t, impact.end)
        assert impact.begin == pytest.approx(begin, abs=2e-5)
        assert result["spin"][after] == pytest.approx(spin, abs=2e-4)
    along = result.contacts[0].approach * math.tan(math.pi / 6)
    assert spins[0] == pytest.approx(along / 1.4, abs=6e-4)  # gravity during the impact
    assert np.diff(energy(result)).max() < 1e-6 * energy(result)[0]


@pytest.mark.slow
def test_sphere_on_an_incline() -> None:
    """First contact after h = 1.6133 m of a fall; without friction it keeps its speed along."""
    result = run(load("sphere_incline"), 2.0, method="rk4", h=1e-2)
    fall = (4.5 * math.sqrt(3) / 2 - 3 * 0.5 - 1) / (math.sqrt(3) / 2)
    first = result.contacts[0]
    assert first.begin == pytest.approx(math.sqrt(2 * fall / G), abs=1e-10)
    assert first.begin == pytest.approx(0.5735, abs=5e-5)
    assert first.departure == pytest.approx(first.approach, rel=1e-5)


@pytest.mark.slow
def test_equal_spheres_exchange_their_velocities() -> None:
    """An elastic impact in the middle; through the third law nothing else moves."""
    m = Model("exchange", gravity=(0, 0, 0))
    how = {"radius": 0.1, "young": 1e8}
    one = m.body("one", 2, (0.008,) * 3, position=(-0.5, 0, 0), velocity=(3, 0, 0), **how)
    two = m.body("two", 2, (0.008,) * 3, position=(0.5, 0, 0), velocity=(-1, 0, 0), **how)
    m.sphere_sphere("pair", one, two, law="hertz")
    m.output("v1", one.at().vx)
    m.output("v2", two.at().vx)
    result = run(load(m), 0.5, method="rk4", h=1e-2)
    (impact,) = result.contacts
    assert impact.begin == pytest.approx(0.8 / 4, abs=1e-12)
    assert result["v1"][-1] == pytest.approx(-1, abs=1e-5)
    assert result["v2"][-1] == pytest.approx(3, abs=1e-5)


@pytest.mark.slow
def test_two_spheres_on_a_plane_by_hand() -> None:
    """Both fall in a line: 6 constraints of the plane, heights by a program of its own."""
    system = load("two_spheres_plane", friction=False, aside=0.0)
    assert system.n_lam == 6
    result = run(system, 1.0, method="rk4", rtol=1e-9)
    masses, radii = np.array([4.0, 0.9]), np.array([0.2, 0.12])
    compliance, chi = 2 * (1 - 0.45**2) / 5e7, 1.5 * (1 - 0.9)
    floor = 4 / (3 * compliance) * math.sqrt(radii[0])
    between = 4 / (3 * compliance) * math.sqrt(radii[0] * radii[1] / radii.sum())

    def press(k: float, depth: float, rate: float, begin: float) -> float:
        return k * max(depth, 0.0) ** 1.5 * max(1 + chi * rate / max(begin, 1e-3), 0.0)

    begins = {
        name: [c for c in result.contacts if c.contact == name] for name in ("lower_plane", "pair")
    }

    def equations(t: float, y: Any) -> list[float]:
        z, w, u, v = y
        speeds = {
            name: next((c.approach for c in found if c.begin <= t <= c.end + 1e-9), 1.0)
            for name, found in begins.items()
        }
        below = press(floor, radii[0] - z, -u, speeds["lower_plane"])
        above = press(between, radii.sum() - (w - z), u - v, speeds["pair"])
        return [u, v, (below - above) / masses[0] - G, above / masses[1] - G]

    own = solve_ivp(
        equations, (0, 1), [1.0, 1.6, 0, 0], method="DOP853", rtol=1e-10, atol=1e-12, max_step=1e-3
    )
    ends = result["lower_centre.z"][-1], result["upper_centre.z"][-1]
    np.testing.assert_allclose(ends, own.y[:2, -1], atol=2e-6)
    assert len(begins["pair"]) >= 1 <= len(begins["lower_plane"])


@pytest.mark.slow
def test_disc_and_point_on_a_plane() -> None:
    """A coin that leans rests on the lowest point of its rim, a corner on itself: F = m g."""
    m = Model("corner", gravity=(0, 0, -G))
    lean = math.radians(30)
    axis = (math.sin(lean), 0, math.cos(lean))
    low = 0.3 * math.sin(lean)
    coin = m.body("coin", 2, (0.1, 0.1, 0.1), position=(0, 0, low + 0.05), radius=0.3)
    m.disc_plane("rim", coin, m.ground, axis_a=axis, normal=(0, 0, 1), stiffness=1e5, law="hertz")
    box = m.body("box", 1, (0.1, 0.1, 0.1), position=(3, 0, 1))
    m.point_plane(
        "corner", box.at(0, 0, -0.4), m.ground, normal=(0, 0, 1), stiffness=1e4, law="hertz"
    )
    system = load(m)
    out = system.outputs(0, system.q0, system.v0, system.v0, np.zeros(0))
    told = dict(zip(system.names.outputs, out, strict=True))
    assert told["rim.depth"] == pytest.approx(-0.05, abs=1e-9)
    assert told["corner.depth"] == pytest.approx(-0.6, abs=1e-12)
    result = run(system, 0.45, method="rk4", h=1e-3)
    begins = {c.contact: c.begin for c in reversed(result.contacts)}  # the first of each
    assert begins["rim"] == pytest.approx(math.sqrt(2 * 0.05 / G), abs=1e-9)
    assert begins["corner"] == pytest.approx(math.sqrt(2 * 0.6 / G), abs=1e-9)
    assert np.abs(energy(result) - energy(result)[0]).max() < 1e-4
