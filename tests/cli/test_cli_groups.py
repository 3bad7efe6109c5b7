"""Structural groups on the command line."""

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner

from mbdgen.cli.app import app

RUN = ["run", "slider_crank", "--t", "0.02", "--h", "0.01", "-q"]


def call(*words: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, list(words))
    return found.exit_code, found.output + str(found.exception or "")


def test_diagram() -> None:
    code, text = call("show", "slider_crank", "--graph", "--input", "crank.theta")
    assert code == 0 and "SG-2  level 2  (2, 0)  rod, slider" in text and "g1 -> g2;" in text


@pytest.mark.slow
def test_picture(tmp_path: Path) -> None:
    """Well-formed, a box for each of at most eight groups of a level, an arrow to each dyad."""
    target = tmp_path / "groups.svg"
    code, text = call("show", "point_dyads", "-o", "k=10", "--graph", "--out", str(target))
    assert code == 0, text
    found = ElementTree.parse(target).getroot()
    kinds = [e.get("class") for e in found.iter() if e.get("class")]
    assert kinds.count("box") == kinds.count("arrow") == 9
    assert kinds.count("box driving") == kinds.count("more") == 1
    assert "and 2 more at level 2" in target.read_text()
    code, text = call("show", "slider_crank", "--code", "--out", str(target))
    assert code == 2 and "only --graph has one" in text


@pytest.mark.parametrize("words, message", [
    (["--solver", "some"], "no solver 'some'"),
    (["--input", "crank.theta"], "Add --solver groups"),
    (["--solver", "groups", "--method", "newmark"], "do not support method 'newmark'"),
])  # fmt: skip
def test_mistakes(words: list[str], message: str) -> None:
    code, text = call(*RUN, *words)
    assert code != 0 and message in text


def test_friction_of_joints_is_refused(tmp_path: Path) -> None:
    """Asked for, groups are refused by name; the solver that is chosen by itself runs."""
    model = tmp_path / "rubbing.py"
    model.write_text(
        "from mbdgen import Model\n"
        "m = Model('rubbing', gravity=(0, -9.81, 0))\n"
        "rod = m.planar_body('rod', mass=1.0, inertia=0.1, position=(0.5, 0))\n"
        "pin = m.revolute('pin', m.ground, rod, at=(0, 0), axis=(0, 0, 1))\n"
        "m.friction('rub', along=pin.angle, load=pin.load, coefficient=0.5, radius=0.1)\n"
    )
    run = ("run", str(model), "--t", "0.02", "--h", "0.01", "-q", "--backend", "c")
    code, text = call(*run, "--solver", "groups", "--input", "rod.theta")
    assert code == 2 and "'rubbing' depend on reactions (friction of joints)" in text
    assert "Use the global solver" in text
    code, text = call(*run)
    assert code == 0, text


def test_a_method_that_groups_serve_is_chosen() -> None:
    code, text = call(*RUN, "--solver", "groups")
    assert code == 0 and "method trapezoidal with formulation matrix-r" in text
    code, text = call(*RUN, "--solver", "groups", "--method", "rk4")
    assert code == 0 and "method rk4 with formulation matrix-r" in text


DRIVEN = """
from mbdgen import Model

def model(drivers=1):
    m = Model("two_bars", coordinates="planar")
    first, second = (m.body(n, 1.0, 1.0) for n in ("first", "second"))
    m.revolute("pin", m.ground.at(), first.at())
    m.revolute("elbow", first.at(1), second.at())
    for k, (name, b) in enumerate([("one", first), ("two", second), ("three", second)][:drivers]):
        m.rotation_driver(name, m.ground.at(), b.at(), angle=(1 + min(k, 1)) * m.t)
    m.output("tip", second.at(1))
    return m
"""


@pytest.fixture
def driven(tmp_path: Path) -> Path:
    path = tmp_path / "two_bars.py"
    path.write_text(DRIVEN, "utf-8")
    return path


def moved(driven: Path, *words: str) -> tuple[int, str]:
    return call("kinematics", str(driven), "--layout", "loop", "--n", "5", *words)


@pytest.mark.slow
@pytest.mark.parametrize("solver, way", [
    ("groups", "constraints alone, by groups"), ("auto", "constraints alone"),
])  # fmt: skip
def test_kinematics_by_groups(driven: Path, tmp_path: Path, solver: str, way: str) -> None:
    """Two bars at the angles t and 2 t; six coordinates are too few for ``auto``."""
    target = tmp_path / "k.json"
    code, text = moved(driven, "-o", "drivers=2", "--solver", solver, "--json", str(target))
    assert code == 0, text
    found = json.loads(target.read_text())
    assert found["solved"] == way
    assert found["outputs"]["tip.x"] == pytest.approx(np.cos(1) + np.cos(2), abs=1e-12)


@pytest.mark.parametrize("words, message", [
    (["-o", "drivers=1", "--solver", "groups"], "determine model 'two_bars': 'second' stays"),
    (["-o", "drivers=1", "--solver", "auto"], "mobility 2 and 1 driver: 1 missing"),
    (["-o", "drivers=3", "--solver", "global"], "1 too many"),
    (["-o", "drivers=3", "--solver", "groups"], "the drivers 'one', 'two', 'three' prescribe 3"),
    (["-o", "drivers=3", "--solver", "auto"], "1 too many"),
    (["--solver", "some"], "no solver 'some'"),
    (["--solver", "groups", "--least"], "no degree of freedom undetermined"),
])  # fmt: skip
def test_drivers_that_do_not_fit(driven: Path, words: list[str], message: str) -> None:
    code, text = moved(driven, *words)
    assert code != 0 and message in text
