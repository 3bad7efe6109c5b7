"""Things that a reviewer broke once."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.bodies.natural import Natural
from mbdgen.bodies.planar import Planar
from mbdgen.errors import OptionError
from mbdgen.joints.base import Joint
from mbdgen.language.read import read
from mbdgen.show.equations_text import equations_text
from mbdgen.stages import identify
from mbdgen.topology.class_identity import class_identity
from mbdgen.topology.specify import specify

GEAR = """
from dataclasses import dataclass
from mbdgen import Model
from mbdgen.joints.base import Joint

FACTOR = 1.0

def slope(ratio):
    @dataclass(frozen=True)
    class Slope(Joint):
        name = "slope"
        def equations(self, a, b):
            return [b.r[1] - a.r[1] - FACTOR * ratio * (b.r[0] - a.r[0])]
    return Slope

def model(*ratios):
    m = Model("slopes", gravity=(0, -9.81, 0))
    for k, ratio in enumerate(ratios):
        bead = m.point_mass(f"bead{k}", 1.0)
        m.add(f"slope{k}", slope(ratio), m.ground.at(), bead.at())
    return m
"""


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path / "cache"))


def slopes(model: Model) -> list[float]:
    result = simulate(load(model), (0, 0.1), h=1e-2, progress=False)
    return [result[f"{b}.y"][-1] / result[f"{b}.x"][-1] for b in model.bodies]


def test_classes_of_one_function_differ_by_what_they_enclose(tmp_path: Path) -> None:
    space: dict[str, Any] = {"__name__": "__mbdgen_model__"}
    exec(GEAR, space)
    model = space["model"]
    np.testing.assert_allclose(slopes(model(2.0, 6.0, 2.0)), [2.0, 6.0, 2.0])
    np.testing.assert_allclose(slopes(model(3.0)), [3.0])  # not the 2.0 of the cache
    specs, _ = identify(specify(model(2.0, 6.0, 2.0)), "sympy")
    keys = [s.key for s in specs if s.role == "joint"]
    assert keys[0] == keys[2] != keys[1]


def test_edit_of_a_file_is_noticed_in_one_process(tmp_path: Path) -> None:
    path = tmp_path / "slopes.py"
    last = "\ndef own():\n    return model(2.0)\nmodel, make = own, model\n"
    last = last.replace("return model", "return make")
    path.write_text(GEAR + last)
    np.testing.assert_allclose(slopes(read(path)), [2.0])
    path.write_text((GEAR + last).replace("FACTOR = 1.0", "FACTOR = 5.0"))
    np.testing.assert_allclose(slopes(read(path)), [10.0])


class Heavy(Planar):
    """Inherits the name of its base."""

    def inertia(self, body: Any, p: Any) -> Any:
        return [2 * e for e in super().inertia(body, p)]


def test_own_body_kind_beside_its_base() -> None:
    m = Model("kinds", gravity=(0, -10))
    m.body("light", 1.0, 1.0, coordinates="planar")
    m.body("heavy", 1.0, 1.0, coordinates=Heavy)
    result = simulate(load(m), (0, 1), h=1e-2, progress=False)
    assert result["light.y"][-1] == pytest.approx(-5.0)
    assert result["heavy.y"][-1] == pytest.approx(-2.5)


def test_identity_of_a_class_changes_with_its_constants() -> None:
    @dataclass(frozen=True)
    class Mine(Joint):
        name = "mine"
        factor = 2.0

        def equations(self, a: Any, b: Any) -> Any:
            return [self.factor * (b.r - a.r)[0]]

    before = class_identity(Mine)
    assert class_identity(Mine) == before
    Mine.factor = 3.0
    assert class_identity(Mine) != before
    assert class_identity(Planar) == "mbdgen.bodies.planar.Planar"


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["loop", "flat"])
def test_measure_of_a_law_that_uses_another_measure(layout: str) -> None:
    m = Model("driven", gravity=(0, 0, 0))
    wheel = m.body("wheel", 1.0, (1, 1, 2))
    pin = m.revolute("pin", m.ground, wheel, at=(0, 0, 0), axis=(0, 0, 1))
    torque = 3 * (2 - pin.rate)
    motor = m.motor("motor", m.ground, wheel, at=(0, 0, 0), axis=(0, 0, 1), torque=torque)
    m.output("power", motor.power)
    m.output("speed", pin.rate)
    result = simulate(load(m, layout=layout), (0, 1), h=1e-3, progress=False)
    np.testing.assert_allclose(result["speed"], 2 - 2 * np.exp(-1.5 * result.t), atol=1e-6)
    np.testing.assert_allclose(result["power"], 3 * (2 - result["speed"]) * result["speed"])


def test_massless_body_with_inertia_about_another_point() -> None:
    m = Model("massless")
    frame = m.body("frame", 0.0, (0.1, 0.1, 0.1), inertia_about=(1, 0, 0))
    np.testing.assert_array_equal(frame.motion.inertia, np.diag([0.1, 0.1, 0.1]))


@pytest.mark.parametrize("beta", [0.1, 0.25])
def test_newmark_refuses_negative_damping(beta: float) -> None:
    m = Model("ball")
    m.point_mass("ball", 1.0)
    with pytest.raises(OptionError, match="negative damping"):
        simulate(load(m), (0, 1), gamma=0.3, beta=beta, progress=False)


@dataclass(frozen=True)
class Slope(Joint):
    """A point stays on an inclined plane: one frame."""

    name = "slope"
    ends = ("a",)

    def equations(self, a: Any) -> Any:  # type: ignore[override]
        return [a.r[2] - 0.5 * a.r[0]]


@dataclass(frozen=True)
class Lever(Joint):
    """Three frames: b moves twice as far as c, seen from a."""

    name = "lever"
    ends = ("a", "b", "c")

    def equations(self, a: Any, b: Any, c: Any) -> Any:  # type: ignore[override]
        return [(b.r - a.r)[0] - 2 * (c.r - a.r)[0]]


def test_joints_of_one_and_of_three_frames() -> None:
    m = Model("ends", gravity=(1, 0, -1))
    on_slope, b, c = (m.point_mass(name, 1.0) for name in ("on_slope", "b", "c"))
    m.add("slope", Slope, on_slope.at())
    lever = m.add("lever", Lever, m.ground.at(), b.at(), c.at())
    m.output("force", lever.force)
    result = simulate(load(m), (0, 1), h=1e-2, progress=False)
    assert result["on_slope.x"][-1] == pytest.approx(0.5 * (1 - 0.5) / 1.25)
    # 4 + 1 times the inertia of c against forces 2 + 1 on it
    assert result["c.x"][-1] == pytest.approx(0.5 * 3 / 5)
    assert result["force.x"][-1] == pytest.approx(3 / 5 - 1)


class TwoPoints(Natural):
    """Natural coordinates under a name of their own."""

    name = "two_points"


@pytest.mark.slow
def test_shown_equations_know_the_conditions_of_any_body_kind() -> None:
    m = Model("shown")
    m.gravity = (0, -9.81, 0)
    m.body("bar", 1.0, 0.1, coordinates=TwoPoints)
    m.body("disk", 1.0, 0.1, coordinates="planar")
    m.body("top", 1.0, (1, 1, 1))
    text = equations_text(m, specify(m), "sympy")
    found = [line.split()[0] for line in text.split("\n") if "its own constraint" in line]
    assert found == ["bar:", "top:"]


def test_model_file_imports_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_a_model.py").write_text("MASS = 2.0\n")
    (tmp_path / "ball.py").write_text(
        "from mbdgen import Model\n"
        "def model():\n"
        "    from neighbour_of_a_model import MASS\n"
        "    m = Model('ball')\n"
        "    m.point_mass('ball', MASS)\n"
        "    return m\n"
    )
    before = list(sys.path)
    assert read(tmp_path / "ball.py").bodies["ball"].motion.mass == 2.0
    assert sys.path == before
