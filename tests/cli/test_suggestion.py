"""What a model suggests for a run, and who is asked first."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mbdgen import Model
from mbdgen.errors import ModelError
from mbdgen.language.run_defaults import Suggestion

MODEL = """
from mbdgen import Model


def model(method="rk4"):
    m = Model("ball", gravity=(0, 0, -2.0))
    ball = m.point_mass("ball", 1.0)
    m.output("z", ball.at().z)
    m.suggest(t=0.5, h=0.125, method=method)
    return m
"""


def test_nothing_is_suggested_by_default() -> None:
    assert Model("m").suggested == Suggestion() and Suggestion().given() == {}


@pytest.mark.parametrize(
    "given",
    [
        {"t": -1},
        {"h": 0},
        {"h": "long"},
        {"t": float("nan")},
        {"method": 3},
        {"formulation": 1.0},
        {"at": -1},
    ],
    ids=str,
)
def test_mistakes(given: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match=f"suggested {next(iter(given))}"):
        Model("m").suggest(**given)


def test_no_parameters() -> None:
    m = Model("m")
    with pytest.raises(ModelError, match="without parameters"):
        m.suggest(t=m.parameter("T", 2.0))


@pytest.fixture
def ball(tmp_path: Path) -> str:
    path = tmp_path / "ball.py"
    path.write_text(MODEL, "utf-8")
    return str(path)


def test_run_takes_what_the_model_suggests(ball: str, call: Callable[..., Any]) -> None:
    done = call("run", ball)
    assert done.exit_code == 0
    assert "-0.25" in done.stdout  # 2/2 0.5^2
    assert "rk4 (of the model)" in done.stderr and "0.125 s (of the model)" in done.stderr


def test_the_user_is_asked_first(ball: str, call: Callable[..., Any]) -> None:
    done = call("run", ball, "--t", "1", "--method", "heun")
    assert done.exit_code == 0
    assert "-1 " in done.stdout
    assert "heun:" in done.stderr and "0.125 s (of the model)" in done.stderr


def test_a_method_that_does_not_exist(ball: str, call: Callable[..., Any]) -> None:
    done = call("run", ball, "-o", "method=leap")
    assert done.exit_code == 2 and "leap" in done.stderr


def test_other_programs_are_told(ball: str, call: Callable[..., Any]) -> None:
    done = call("models", ball, "--json")
    assert '"method": "rk4"' in done.stdout and '"h": 0.125' in done.stdout


def test_what_a_model_prints_is_no_description(ball: str, call: Callable[..., Any]) -> None:
    text = Path(ball).read_text("utf-8")
    Path(ball).write_text(f"print('hello')\n{text}", "utf-8")
    done = call("models", ball, "--json")
    assert json.loads(done.stdout)["suggested"]["t"] == 0.5 and "hello" in done.stderr


SPRUNG = """
from mbdgen import Model


def model():
    m = Model("sprung", gravity=(0, 0, 0))
    ball = m.point_mass("ball", 1.0, position=(0, 0, -1))
    m.spring("net", m.ground, ball, stiffness=2.0, length=1.0)
    m.force("load", ball.at(), force=(0, 0, -m.t))
    m.output("z", ball.at().z)
    m.suggest(at=4)
    return m
"""


def test_equilibria_are_those_of_the_suggested_instant(
    tmp_path: Path, call: Callable[..., Any]
) -> None:
    """The load of 4 N stretches 2 N/m by 2 m."""
    path = tmp_path / "sprung.py"
    path.write_text(SPRUNG, "utf-8")
    found = call("statics", str(path))
    assert found.exit_code == 0 and "t = 4 s" in found.stdout and "z  -3 " in found.stdout
    assert "z  -1 " in call("statics", str(path), "--t", "0").stdout
