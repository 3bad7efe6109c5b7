"""The position problem: a published example with its errors corrected, branches, weights."""

from math import cos, sin

import numpy as np
import pytest

from mbdgen import (
    Model,
    assemble,
    assemblies,
    kinematics,
    load,
    nearest,
    newton_iterates,
    workspace,
)
from mbdgen.errors import AssemblyError, OptionError
from mbdgen.runtime.system.system import System

# S. Villar: bachelor thesis UC3M (2018), table 1: crank 2, coupler 8, rocker 5, base 10. The first
# iterate and one sign of the accelerations are misprinted there; these are computed again.
START = np.array([0, 0, 1, 2, 1, 2, 8, 3, 10, 0, 8, 3.0])
ITERATES = np.array(
    [
        (1, 2, 8, 3),
        (1, 1.75, 8.619565, 5.413043),
        (1, 1.732143, 8.420447, 4.788960),
        (1, 1.732051, 8.412509, 4.741538),
        (1, 1.732051, 8.412459, 4.741278),
    ]
)


@pytest.fixture(scope="module")
def four_bar() -> System:
    m = Model("four_bar_of_points", gravity=(0, 0, 0), coordinates="natural")
    crank = m.body("crank", 1, (0, 1, 1), length=2)
    coupler = m.body("coupler", 1, (0, 1, 1), length=8)
    rocker = m.body("rocker", 1, (0, 1, 1), length=5)
    m.revolute("A", m.ground.at(), crank.at())
    m.revolute("one", crank.at(2), coupler.at())
    m.revolute("two", coupler.at(8), rocker.at(5))
    m.revolute("B", m.ground.at(10, 0), rocker.at())
    m.output("end", coupler.at(8))
    system = load(m, layout="loop")
    system.q0[:] = START
    return system


def test_published_iterates(four_bar: System) -> None:
    found = newton_iterates(four_bar, given={"crank.xB": 1.0})
    points = found.q[:, [2, 3, 6, 7]]
    # Six digits after the point are printed.
    np.testing.assert_allclose(points[: len(ITERATES)], ITERATES, atol=6e-7)
    assert found.error[-1] <= 1e-10 and len(found.error) <= 7


def test_published_velocities_and_accelerations(four_bar: System) -> None:
    def law(t: float) -> tuple[float, float, float]:
        beta, rate = np.pi / 3 + t + 0.5 * t * t, 1.0 + t
        c, s = 2 * cos(beta), 2 * sin(beta)
        return c, -s * rate, -c * rate**2 - s

    found = kinematics(four_bar, [0.0], {"crank.xB": law}).motion
    v, a = found.v[0], found.a[0]
    np.testing.assert_allclose(v[[2, 3, 6, 7]], (-1.73205, 1, -1.167396, -0.390884), atol=6e-6)
    wanted = (-2.73205, -0.73205, -2.820123, -1.263934)
    np.testing.assert_allclose(a[[2, 3, 6, 7]], wanted, atol=6e-6)


def test_two_ways_to_assemble(four_bar: System) -> None:
    """Two circles meet in two points, mirrored on the line from crank to base; as does the crank.

    With ``x`` given the crank may point up or down, so there are four.
    """
    found = assemblies(four_bar, given={"crank.xB": 1.0})
    assert len(found) == 4
    up = nearest(found, end__y=5.0)
    np.testing.assert_allclose(up.q[6:8], (8.412459, 4.741278), atol=1e-6)
    for one in found:
        (x, y), (u, w) = one.q[2:4], one.q[6:8]
        assert np.hypot(u - x, w - y) == pytest.approx(8) and np.hypot(u - 10, w) == pytest.approx(
            5
        )
    with pytest.raises(OptionError, match=r"There is no output 'end\.w'"):
        nearest(found, end__w=1.0)


def test_heavy_coordinates_stay(four_bar: System) -> None:
    free = assemble(four_bar)
    heavy = assemble(four_bar, weights={"coupler.yB": 1e6})
    assert abs(heavy.q[7] - 3.0) < 1e-3 < abs(free.q[7] - 3.0)


def test_coupler_curve(four_bar: System) -> None:
    places = workspace(four_bar, given={"crank.xB": np.linspace(-2.5, 1.9, 23)})
    assert places.reached.sum() < 23 and len(places["end.x"]) == places.reached.sum()
    np.testing.assert_allclose(np.hypot(places["end.x"] - 10, places["end.y"]), 5, rtol=1e-9)


def test_mistakes(four_bar: System) -> None:
    with pytest.raises(OptionError, match=r"no coordinate 'crank\.theta'"):
        assemble(four_bar, given={"crank.theta": 1.0})
    with pytest.raises(OptionError, match="leave 1 degree"):
        assemblies(four_bar)
    with pytest.raises(AssemblyError, match="cannot be assembled"):
        assemble(four_bar, given={"crank.xB": 3.0})
    with pytest.raises(AssemblyError, match="from any of 5 guesses"):
        assemblies(four_bar, given={"crank.xB": 3.0}, tries=5)
    with pytest.raises(OptionError, match="not positive"):
        assemble(four_bar, weights={"crank.xB": 0.0})
