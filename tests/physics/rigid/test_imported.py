"""Models imported from folders of MUBODYNA move as their manual's data say."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbdgen import load, simulate
from mbdgen.mubodyna.importer import import_mubodyna

CORPUS = Path(__file__).parents[2] / "mubodyna"
slow = pytest.mark.slow


def run(name: str, folder: Path, t_end: float, h: float, **given: Any) -> Any:
    """Import a folder, write the model, and run it."""
    path = folder / f"{name}.py"
    path.write_text(import_mubodyna(CORPUS / name), "utf-8")
    result = simulate(load(path), (0, t_end), method="rk4", h=h, **given)
    assert result.success
    return result


def at(result: Any, series: str, times: list[float]) -> list[float]:
    return [float(np.interp(t, result.t, result[series])) for t in times]


def test_spinning_cone(tmp_path: Path) -> None:
    """Against an independent integration to 1e-8; RK4 with 2 ms is exact to 1e-7."""
    result = run("spinning_cone", tmp_path, 2, 2e-3)
    expected = {
        "body1.x": [0.01693041, -0.00912649, 0.04742548],
        "body1.y": [0.26521499, 0.05099612, 0.29610578],
        "body1.z": [-0.13919184, -0.29549298, -0.00849662],
    }
    for series, values in expected.items():
        assert at(result, series, [0.5, 1, 2]) == pytest.approx(values, abs=1e-6)


def test_falling_ball(tmp_path: Path) -> None:
    """First contact after free fall of 4 m; the law's restitution for 0.8 is 0.8329."""
    result = run("falling_ball", tmp_path, 2, 1e-2)
    first = result.contacts[0]
    assert first.begin == pytest.approx((2 * 4 / 9.81) ** 0.5, abs=1e-6)
    assert first.restitution == pytest.approx(0.8329, abs=2e-4)


@slow
def test_four_bar(tmp_path: Path) -> None:
    """The height of P5 as the loop equation gives it, to the 1e-6 of the digits."""
    result = run("rssr", tmp_path, 1, 5e-3, formulation="alf1")
    times = [0.1, 0.25, 0.5, 0.75, 0.95]
    heights = [6.655986, 4.702371, 2.333495, 5.568026, 6.963073]
    assert at(result, "P5.z", times) == pytest.approx(heights, abs=2e-6)


@slow
def test_tricycle(tmp_path: Path) -> None:
    """Place after the manoeuvre; then 100/54 m/s2 on the straight.

    RK4 at 10 ms turns the wheels with an error of 1.4e-5 m/s2, at 20 ms sixteen times as large.
    """
    result = run("tricycle", tmp_path, 4, 1e-2)
    assert at(result, "body1.x", [0.6, 1.2, 4]) == pytest.approx(
        [0.72991, 1.66307, 13.76614], abs=2e-4
    )
    assert at(result, "body1.y", [0.6, 1.2, 4]) == pytest.approx(
        [-0.05704, -0.54641, -7.14283], abs=2e-4
    )
    speed = np.hypot(result["body3.x.dot"], result["body3.y.dot"])
    late = result.t > 1.5
    slope = np.polyfit(result.t[late], speed[late], 1)[0]
    assert slope == pytest.approx(100 / 54, abs=3e-5)


@slow
def test_v_groove(tmp_path: Path) -> None:
    """The first five impacts of the elastic case: times, planes, normal speeds."""
    result = run("v_groove", tmp_path, 5.5, 1e-2)
    found = [(c.begin, c.contact, c.approach) for c in result.contacts[:5]]
    expected = [
        (0.79669, "S2", 6.76842),
        (1.63707, "S3", 7.13913),
        (3.31784, "S3", 7.13913),
        (3.97285, "S2", 5.93503),
        (5.37016, "S2", 5.93503),
    ]
    for (t, contact, v), (time, plane, speed) in zip(found, expected, strict=True):
        assert contact == plane
        assert (t, v) == pytest.approx((time, speed), abs=5e-4)


@slow
def test_incline(tmp_path: Path) -> None:
    """First contact from rest: h = (n.r - R)/n_z = 1.6133 m."""
    result = run("incline", tmp_path, 1, 1e-2)
    height = (-3 / 2 + 4.5 * 3**0.5 / 2 - 1) / (3**0.5 / 2)
    assert result.contacts[0].begin == pytest.approx((2 * height / 9.81) ** 0.5, abs=1e-6)


@slow
def test_chain_and_spheres(tmp_path: Path) -> None:
    """Five revolutes are 25 equations; the lower of two spheres touches the plane first."""
    path = tmp_path / "chain.py"
    path.write_text(import_mubodyna(CORPUS / "five_body_chain"), "utf-8")
    system = load(path)
    assert len(system.names.multipliers) == 25
    assert simulate(system, (0, 1e-3)).info.dof == 5
    result = run("two_spheres_plane", tmp_path, 1.5, 1e-2)
    names = [c.contact for c in result.contacts]
    assert names[0] == "S2" and "S4" in names
    assert result.contacts[0].begin == pytest.approx((2 * 2 / 9.81) ** 0.5, abs=1e-6)
