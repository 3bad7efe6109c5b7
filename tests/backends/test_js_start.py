"""What JavaScript does not find of a start is refused, and what fits is not."""

import subprocess
from pathlib import Path

import pytest

from mbdgen import Model, build
from tests.backends.node import NODE, needs_node

RUN = """import {{ simulate }} from "{module}";
try {{
    simulate([0, 0.01], {{ h: 1e-3 }});
    console.log("fine");
}} catch (error) {{ console.log(error.message); }}
"""


def pendulum(fits: bool, **body: object) -> Model:
    m = Model("pendulum", gravity=(0, -9.81, 0), coordinates="planar")
    velocity = {"velocity": (0, 1.0)} if fits else {}
    rod = m.body("rod", 1.0, 0.1, position=(0.5, 0), angular_velocity=2.0, **velocity, **body)
    m.revolute("pin", m.ground.at(), rod.at(-0.5, 0))
    return m


def told(model: Model, folder: Path, **options: object) -> str:
    path = build(model, folder, backend="js", **options)
    script = folder / "run.mjs"
    script.write_text(RUN.format(module=Path(path).as_posix()), "utf-8")
    done = subprocess.run([NODE, script], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.representatives(id="theta")
@needs_node
@pytest.mark.parametrize("held", ["theta", ()])
def test_held_velocities(tmp_path: Path, held: object) -> None:
    assert told(pendulum(True, fixed_velocity=held), tmp_path).strip() == "fine"
    found = told(pendulum(False, fixed_velocity=held), tmp_path)
    assert ("are held" in found) if held else (found.strip() == "fine")


@needs_node
def test_relative_coordinates(tmp_path: Path) -> None:
    given = {"coordinates": "relative"}
    assert told(pendulum(True), tmp_path, **given).strip() == "fine"
    assert "does not fit" in told(pendulum(False), tmp_path, **given)
