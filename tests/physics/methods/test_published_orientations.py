"""Tables 9.1 to 9.4 of a thesis: central differences (here `dimcd`) in four orientation sets.

Its spatial pendulums, a point mass on a rod without mass, swing about z from the angle 0 or pi/4
under the horizontal; published are the largest ``|T + V - E0|`` over 4 s at a step of 1 ms, and
which runs fail. The scheme is the same as ours, so where a run succeeds the number must be the
published one in all its digits: one or two. Without a switch Euler angles zxz cannot begin (beta =
0 in the plane normal to z; the source takes a solution of least norm there), and reduced
Euler-Rodrigues and Gibbs's vector fail where the angle comes to pi. With switches all succeed.
"""

from functools import cache
from math import cos, pi, sin
from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import Model, load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.system.system import System
from tests.physics.running import SOONEST

SETS = ("quaternion", "euler-zxz", "reduced-euler-rodrigues", "gibbs")
GRAVITY = 9.81
OPTIONS: dict[str, Any] = {"method": "dimcd", "h": 1e-3, "tolerance": 1e-8, "progress": False}


@cache
def pendulum(kind: str, angle: float, driven: bool = False) -> System:
    """1 kg at 1 m; what turns about the rod is arbitrary, because nothing turns it."""
    m = Model("spatial_pendulum", gravity=(0, GRAVITY, 0), coordinates=kind)
    rod = m.body(
        "rod",
        1.0,
        (1e-3, 0, 0),
        allow_unphysical_inertia=True,
        position=(cos(angle), sin(angle), 0),
        angle=angle,
    )
    m.spherical("pin", m.ground.at(), rod.at(-1, 0, 0))
    if driven:
        m.torque("drive", rod.at(), torque=(0, 0, m.t * sympy.cos(4 * sympy.pi * m.t)))
    m.output("mass", rod.at())
    return load(m, backend=SOONEST, layout="loop")


def some(kind: str) -> Any:
    """Two sets in every run of the tests, the others in slow ones."""
    return kind if kind in ("gibbs", "quaternion") else pytest.param(kind, marks=pytest.mark.slow)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("angle", "printed", "drift"),
    [
        pytest.param(pi / 4, 8.078e-6, 8.0787e-6, id="9.1"),
        pytest.param(0.0, 3.6e-5, 3.6089e-5, id="9.2"),
    ],
)
@pytest.mark.parametrize("kind", [some(kind) for kind in SETS])
def test_free_pendulums(kind: str, angle: float, printed: float, drift: float) -> None:
    """Printed, and computed by others from the scheme in Cartesian coordinates with five digits."""
    system = pendulum(kind, angle)
    result = simulate(system, (0, 4), **OPTIONS)
    assert result.success, result.message
    assert result.counters.energy_drift == pytest.approx(drift, rel=1e-4)
    assert result.counters.energy_drift == pytest.approx(printed, rel=5e-3)
    if kind == "euler-zxz":
        with pytest.raises(OptionError, match=r"'rod'.*'euler-zxz'.*rebase=False"):
            simulate(system, (0, 4), rebase=False, **OPTIONS)
        return
    plain = simulate(system, (0, 4), rebase=False, **OPTIONS)
    fails = angle == 0.0 and kind != "quaternion"
    assert plain.success is not fails
    if fails:
        assert kind in plain.message and 1.1 < plain.t[-1] < 1.2  # a quarter of the swing is 1.18 s


@cache
def swing(h: float = 1e-3) -> Any:
    """The driven pendulum by its own equation: angle and energy, with a method of order 4."""

    def slope(t: float, y: Any) -> Any:
        return np.array([y[1], GRAVITY * cos(y[0]) + t * cos(4 * pi * t)])

    rows, y = [], np.zeros(2)
    for k in range(round(4 / h) + 1):
        t = k * h
        rows.append((*y, y[1] ** 2 / 2 - GRAVITY * sin(y[0])))
        a = slope(t, y)
        b = slope(t + h / 2, y + h / 2 * a)
        c = slope(t + h / 2, y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + slope(t + h, y + h * c))
    return np.array(rows)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SETS)
def test_driven_pendulum(kind: str) -> None:
    """Type 3, Table 9.3, whose numbers do not belong to the torque that is printed.

    Released from the horizontal with a torque about z, "t cos(2 pi 2 t)". Printed are 0.058 J for
    quaternions and Gibbs's vector, failures of the others, and a largest angle of 3.136 rad: less
    than pi, which is why Gibbs's vector succeeded. But the equation of one angle, `swing`, comes to
    3.1473 rad, more than pi, and to max |T + V - E0| = 1.08 J, because the torque works (with the
    other sign: 3.1571 rad, 1.05 J). Other readings of the formula give, in rad and J,
    t cos(2 pi 2^t) 3.113 and 0.84, t cos(2 pi t^2) 3.126 and 0.54, t cos((2 pi)^2 t) 3.143 and
    0.37, t cos((2 pi t)^2) 3.140 and 0.068: none gives both printed numbers. At rest at 3.136 rad
    the energy is -0.055 J, so these two belong together, and to a torque that is smaller or slower.

    What can be said: all sets agree with the equation of one angle up to the error of the method,
    of order 2, and those that fail at pi stop there without switches.
    """
    known = swing()
    assert known[:, 0].max() == pytest.approx(3.1473, abs=1e-4)
    assert np.abs(known[:, 2]).max() == pytest.approx(1.0805, abs=1e-4)
    system = pendulum(kind, 0.0, driven=True)
    result = simulate(system, (0, 4), **OPTIONS)
    assert result.success, result.message
    wanted = np.column_stack([np.cos(known[:, 0]), np.sin(known[:, 0])])
    np.testing.assert_allclose(result["mass"][:, :2], wanted, atol=2e-4)
    assert np.abs(result["mass.z"]).max() < 1e-9
    energy = result["energy.total"]
    assert np.abs(energy - energy[0]).max() == pytest.approx(1.0805, rel=1e-3)
    assert result.counters.energy_drift < 1e-3
    if kind in ("reduced-euler-rodrigues", "gibbs"):
        plain = simulate(system, (0, 4), rebase=False, **OPTIONS)
        assert not plain.success and kind in plain.message
        assert plain.t[-1] <= 1e-3 * np.argmax(known[:, 0] > pi - 0.02) + 0.2


@pytest.mark.slow
@pytest.mark.parametrize("kind", SETS)
def test_slider_crank(kind: str) -> None:
    """Table 9.4: 5e-4 J with quaternions; the others fail, for the crank turns beyond pi.

    The one printed digit is met within 20 %: four times the mechanism passes a place where it could
    change its branch, and how a step hits these decides about the last part. With switches all come
    to the end; the vectors need half the step for the criterion (at 3 ms: 1.1 mJ and 2.5 mJ).
    """
    bars = {"r": 1.0, "L": 1.0, "m1": 1.0, "m2": 1.0, "m3": 0.0, "torque": 0.0, "width": 0.1}
    chosen: dict[str, Any] = {"coordinates": kind, "backend": SOONEST, "layout": "loop"}
    system = load("slider_crank", **chosen, angle=pi / 4, **bars)
    options = OPTIONS | {"h": 3e-3 if kind in ("quaternion", "euler-zxz") else 1.5e-3}
    result = simulate(system, (0, 10), **options)
    assert result.success, result.message
    assert result.counters.energy_drift < 1e-3  # the criterion of the benchmark
    if kind == "quaternion":
        assert result.counters.energy_drift == pytest.approx(5e-4, rel=0.2)
    elif kind == "euler-zxz":
        with pytest.raises(OptionError, match=r"euler-zxz.*rebase=False"):
            simulate(system, (0, 10), rebase=False, **options)
    else:
        plain = simulate(system, (0, 10), rebase=False, **options)
        assert not plain.success and kind in plain.message
