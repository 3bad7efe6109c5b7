"""The commands mobility, kinematics, inverse, statics, modes: numbers, files, exit codes."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbdgen.runtime.results.result_archive import load_result
from tests.cli.conftest import Call

ROD = """
from mbdgen import Model

def model(drive=False, pin=True, free=False):
    m = Model("rod", gravity=(0, -9.81, 0), coordinates="planar")
    rod = m.body("rod", mass=1.0, inertia=0.0, centre_of_mass=(1, 0), angle=-1.2)
    if pin:
        m.revolute("pin", m.ground.at(), rod.at())
    if drive:
        motor = m.rotation_driver("motor", m.ground.at(), rod.at(), angle=2.0 * m.t - 1.2)
        m.output("torque", motor.torque)
    m.output("tip", rod.at(1))
    return m
"""


@pytest.fixture
def rod(tmp_path: Path) -> Path:
    path = tmp_path / "rod.py"
    path.write_text(ROD, "utf-8")
    return path


def read(path: str) -> Any:
    return json.loads(Path(path).read_text())


def test_mobility(call: Call, rod: Path) -> None:
    done = call("mobility", rod, "--layout", "loop", "--json", "m.json")
    assert done.exit_code == 0, done.output
    assert "finite mobility" in done.stdout
    found = read("m.json")
    assert found["finite_mobility"] == found["mobility_by_counting"] == 1
    assert found["singular_position"] is False and found["dependent"] == []


def test_kinematics_and_inverse(call: Call, rod: Path) -> None:
    common = ("--t", "0.5", "--n", "10", "-o", "drive=True", "--layout", "loop")
    done = call("kinematics", rod, *common, "--csv", "k.csv", "--json", "k.json")
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(Path("k.csv").read_text().splitlines()))
    assert len(rows) == 11
    assert read("k.json")["outputs"]["tip.x"] == pytest.approx(np.cos(-0.2), abs=1e-12)
    done = call("inverse", rod, *common, "--npz", "i.npz")
    assert done.exit_code == 0, done.output
    found = load_result("i.npz")
    # A point mass at the tip turns at constant speed: only its weight wants a moment.
    wanted = 9.81 * np.cos(2.0 * found.t - 1.2)
    np.testing.assert_allclose(np.abs(found["torque.z"]), wanted, rtol=1e-9)


def test_kinematics_tells_what_it_does(call: Call, rod: Path) -> None:
    words = "kinematics", rod, "--t", "0.5", "--n", "2", "-o", "drive=True", "--layout", "loop"
    done = call(*words, "--progress-lines", "--csv", "k.csv")
    assert done.exit_code == 0, done.output
    for told in ("bodies", "1 revolute", "0 to 0.5 s, 3 positions", "normal", "wrote k.csv"):
        assert told in done.stderr, told
    assert [x for x in done.stderr.splitlines() if x.startswith("progress")] == [
        "progress 0.0000",
        "progress 0.5000",
        "progress 1.0000",
    ]
    quiet = call(*words, "-q")
    assert (quiet.exit_code, quiet.stdout, quiet.stderr) == (0, "", "")


def test_statics_and_modes(call: Call, rod: Path) -> None:
    done = call("statics", rod, "--layout", "loop", "--json", "s.json")
    assert done.exit_code == 0, done.output
    assert ", stable (newton" in done.stdout
    assert read("s.json")["outputs"]["tip.y"] == pytest.approx(-1.0, abs=1e-9)
    done = call("modes", rod, "--at", "equilibrium", "--layout", "loop", "--json", "e.json")
    assert done.exit_code == 0, done.output
    (mode,) = read("e.json")["modes"]
    assert mode["imaginary"] == pytest.approx(np.sqrt(9.81), rel=1e-9)
    assert mode["shape"]["rod.theta"] == [pytest.approx(1.0), pytest.approx(0.0)]


@pytest.mark.slow
def test_load_steps(call: Call, tmp_path: Path) -> None:
    """They choose a layout in which all loads grow; another one that is asked for is refused."""
    held = "    m.torsion_spring('s', m.ground.at(), rod.at(), stiffness=20)\n    return m"
    model = tmp_path / "held.py"
    model.write_text(ROD.replace("    return m", held))
    done = call("statics", model, "--steps", "5", "--backend", "c")
    assert done.exit_code == 0 and "stable (load steps" in done.stdout, done.output
    done = call("statics", model, "--steps", "5", "--backend", "c", "--layout", "flat")
    assert done.exit_code == 2 and "(layout 'flat'): gravity" in done.stderr


def test_modes_move_on_a_page(call: Call, rod: Path) -> None:
    """The data of the page: the tip moves along the circle, its largest angle being one."""
    common = ("--at", "equilibrium", "--layout", "loop")
    done = call("modes", rod, *common, "--html", "modes.html")
    assert done.exit_code == 0, done.output
    text = Path("modes.html").read_text("utf-8")
    start = text.index("const data = ") + len("const data = ")
    data = json.JSONDecoder().raw_decode(text[start:])[0]
    assert data["model"] == "rod" and set(data["bodies"]) == {"ground", "rod"}
    centre, pin = data["bodies"]["rod"]
    np.testing.assert_allclose(data["points"][centre], (0, -1, 0), atol=1e-8)
    (mode,) = data["modes"]
    assert mode["frequency"] == pytest.approx(np.sqrt(9.81) / (2 * np.pi))
    np.testing.assert_allclose(mode["re"][centre], (1, 0, 0), atol=1e-6)
    np.testing.assert_allclose(mode["re"][pin], (0, 0, 0), atol=1e-6)
    np.testing.assert_allclose(mode["im"], np.zeros((3, 3)), atol=1e-6)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("kinematics",), 2, "mobility 1 and 0 drivers: 1 missing"),
        (("kinematics", "--t", "soon"), 2, "soon"),
        (("kinematics", "--csv", "k.txt"), 2, "k.txt"),
        (("statics", "-o", "pin=False"), 2, "No equilibrium"),
        (("modes",), 2, "nor in steady motion"),
        (("modes", "--at", "noon"), 2, "--at 'noon' is unknown"),
        (("mobility", "--json", "no/m.json"), 2, "missing"),
    ],
)
def test_mistakes(
    call: Call, rod: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    command, *rest = arguments
    done = call(command, rod, "--layout", "loop", *rest)
    assert done.exit_code == code, done.output
    assert message in done.stderr and "Traceback" not in done.stderr
