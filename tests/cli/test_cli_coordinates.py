"""``--coordinates`` of every command that makes a model move or stand; unknown names."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call

LAST = {
    "quaternion": "rod.q3",
    "euler-zxz": "rod.gamma",
    "euler-xyz": "rod.gamma",
    "rotation-vector": "rod.psi3",
    "reduced-euler-rodrigues": "rod.b3",
    "gibbs": "rod.c3",
    "conformal": "rod.k3",
    "direction-cosines": "rod.e3z",
    "relative": "pin.angle",
    "auto": "pin.angle",
}
"""The last coordinate of the rod by the name of the set."""
ROD = """
from mbdgen import Model

m = Model("rod", gravity=(0, 0, -9.81))
rod = m.body("rod", 1.0, (0.1, 0.1, 0.02), position=(0.5, 0, -0.2))
m.revolute("pin", m.ground, rod, at=(0, 0, 0), axis=(0, 1, 0))
m.output("end", rod.at())
"""
LOOP = ("--layout", "loop")


@pytest.fixture
def rod(tmp_path: Path) -> Path:
    path = tmp_path / "rod.py"
    path.write_text(ROD, "utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", LAST)
def test_every_name_is_taken(call: Call, rod: Path, name: str) -> None:
    """Building is enough to see that a name is understood."""
    done = call("build", rod, "--coordinates", name, "--out", "made", *LOOP)
    assert done.exit_code == 0, done.output
    (module,) = Path("made").glob("*.py")
    assert f'"{LAST[name]}"' in module.read_text("utf-8")


@pytest.mark.slow
def test_run_in_other_coordinates(call: Call, rod: Path) -> None:
    ends = []
    for name in ("quaternion", "euler-xyz"):
        arguments = ("--coordinates", name, "--t", "0.1", "--method", "rk4", *LOOP)
        done = call("run", rod, *arguments, "--json", "r.json", "--quiet")
        assert done.exit_code == 0, done.output
        ends.append(json.loads(Path("r.json").read_text())["outputs"])
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)
    assert ends[0]["end.z"] < -0.2


@pytest.mark.parametrize(
    "command", ["run", "check", "build", "statics", "modes", "mobility", "kinematics", "inverse"]
)
def test_a_name_that_does_not_exist(call: Call, rod: Path, command: str) -> None:
    done = call(command, rod, "--coordinates", "gibs")
    assert done.exit_code == 2 and "Traceback" not in done.output
    assert "coordinates 'gibs', which do not exist" in done.stderr
    for name in LAST:
        assert name in done.stderr


@pytest.mark.slow
def test_commands_take_them(call: Call, rod: Path) -> None:
    """The rod hangs down and swings as in closed form, whatever describes its axes."""
    gibbs = ("--coordinates", "gibbs", *LOOP)
    done = call("statics", rod, *gibbs, "--json", "s.json")
    assert done.exit_code == 0, done.output
    found = json.loads(Path("s.json").read_text())
    assert "rod.c2" in found["coordinates"]
    length = (0.5**2 + 0.2**2) ** 0.5
    assert found["outputs"]["end.z"] == pytest.approx(-length, abs=1e-9)
    done = call("modes", rod, *gibbs, "--at", "equilibrium", "--json", "m.json")
    assert done.exit_code == 0, done.output
    (mode,) = json.loads(Path("m.json").read_text())["modes"]
    omega = (9.81 * length / (0.1 + length**2)) ** 0.5
    assert mode["imaginary"] == pytest.approx(omega, rel=1e-9)
    done = call("mobility", rod, *gibbs)
    assert done.exit_code == 0 and "finite mobility" in done.stdout
