"""Centre of pressure of a rigid foot that carries moving masses, against the moments of inertia."""

from pathlib import Path

import numpy as np
import pytest
from sympy import sin
from typer.testing import CliRunner

from mbdgen import Model, Result, analyse, load, simulate
from mbdgen.cli.app import app
from mbdgen.errors import OptionError
from mbdgen.runtime.system.system import System

G, FOOT, LOAD = 9.81, 2.0, 1.5
CENTRE = np.array([0.02, -0.01, 0.05])
AT, HEIGHT = (0.3, 0.1, 0.25), -0.1
RATES, SIZES = np.array([7.0, 5.0, 11.0]), np.array([0.15, 0.1, 0.2])
REST = np.array([0.1, 0.05, 0.6])
NAMES = {"force": "force", "torque": "torque"}
POINT = {**dict(zip("xyz", AT, strict=True)), "height": HEIGHT}


def machine(foot_first: bool) -> System:
    """A foot welded to the ground at AT; a point mass moves over it as three drivers say."""
    m = Model("foot" if foot_first else "ground_on_foot", gravity=(0, 0, -G))
    foot = m.body("foot", mass=FOOT, inertia=(0.1, 0.1, 0.1), position=tuple(CENTRE))
    ends = (m.ground, foot) if foot_first else (foot, m.ground)
    weld = m.fixed("weld", *ends, at=AT)
    mass = m.point_mass("mass", mass=LOAD, position=tuple(REST))
    for k, axis in enumerate(np.eye(3).tolist()):
        distance = float(REST[k]) + float(SIZES[k]) * sin(float(RATES[k]) * m.t)
        at = foot.at(*(-CENTRE).tolist())
        m.translation_driver(f"drive{k}", at, mass.at(), axis=axis, distance=distance)
    m.output("force", weld.force)
    m.output("torque", weld.torque)
    m.output("height", mass.at().z)
    return load(m)


@pytest.fixture(scope="module", params=["foot", "ground"])
def motion(request: pytest.FixtureRequest) -> tuple[str, Result]:
    return request.param, simulate(machine(request.param == "foot"), (0, 1), h=1e-2, method="rk4")


def expected(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Balance of forces and of moments about the origin of the ground plane, of both masses."""
    phase = np.outer(t, RATES)
    r = REST + SIZES * np.sin(phase) - (0, 0, HEIGHT)
    load_ = LOAD * (-SIZES * RATES**2 * np.sin(phase) + (0, 0, G))
    weight = np.array([0, 0, FOOT * G])
    force = load_ + weight
    moment = np.cross(r, load_) + np.cross(CENTRE - (0, 0, HEIGHT), weight)
    x, y = -moment[:, 1] / force[:, 2], moment[:, 0] / force[:, 2]
    return x, y, force[:, 2], moment[:, 2] - (x * force[:, 1] - y * force[:, 0])


@pytest.mark.representatives(id="ground")
def test_closed_form(motion: tuple[str, Result]) -> None:
    on, result = motion
    found = analyse(result, "centre_of_pressure", **NAMES, **POINT, on=on)
    x, y, normal, free = expected(result.t)
    down = normal > 0
    assert 5 < down.sum() < len(down) - 5
    assert list(found["contact"]) == ["pressed" if d else "lifted" for d in down]
    np.testing.assert_allclose(found["normal_force"], normal, rtol=1e-9, atol=1e-9)
    for name, values in (("x", x), ("y", y), ("free_moment", free)):
        np.testing.assert_allclose(found[name][down], values[down], rtol=1e-8, atol=1e-8)
        assert np.isnan(found[name][~down]).all()


def test_at_rest_under_the_centre_of_mass(motion: tuple[str, Result]) -> None:
    """At t = 0 nothing accelerates."""
    on, result = motion
    found = analyse(result, "centre_of_pressure", **NAMES, **POINT, on=on)
    middle = (FOOT * CENTRE + LOAD * REST) / (FOOT + LOAD)
    assert (found["x"][0], found["y"][0]) == pytest.approx(tuple(middle[:2]))
    assert found["normal_force"][0] == pytest.approx((FOOT + LOAD) * G)
    assert found["free_moment"][0] == pytest.approx(0, abs=1e-9)


def test_command_line_reads_a_saved_motion(motion: tuple[str, Result], tmp_path: Path) -> None:
    on, result = motion
    result.save(tmp_path / "walk.npz")
    choices = [f"{k}={v}" for k, v in {**NAMES, **POINT, "on": on}.items()]
    words = [word for choice in choices for word in ("--choose", choice)]
    out = tmp_path / "path.csv"
    arguments = ["analyse", str(tmp_path / "walk.npz"), "centre_of_pressure", *words]
    done = CliRunner().invoke(app, [*arguments, "--out", str(out)])
    assert done.exit_code == 0, done.output
    heading, first = out.read_text(encoding="utf-8").splitlines()[:2]
    assert heading == "t [s],x [m],y [m],normal_force [N],free_moment [N m],contact"
    assert first.endswith(",pressed")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"force": "farce"}, "farce"),
        ({"torque": "torque.x"}, "three components"),
        ({"force": "height"}, "three components"),
        ({"on": "floor"}, "foot or ground"),
        ({"height": "low"}, "height"),
    ],
)
def test_mistakes(motion: tuple[str, Result], changes: dict[str, str], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        analyse(motion[1], "centre_of_pressure", **{**NAMES, **changes})
