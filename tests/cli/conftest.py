"""How the tests of the command line call it: in this process, except where the process matters."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mbdgen.cli.app import app

Call = Callable[..., Any]

BALL = """
from mbdgen import Model
import sympy

def model(mass=1.0, push=0.0):
    m = Model("ball", gravity=(0, 0, -9.81))
    mass = m.parameter("mass", mass, unit="kg")
    ball = m.point_mass("ball", mass)
    m.force("push", ball.at(), force=(0, 0, push))
    m.output("height", ball.at().z, unit="m")
    return m
"""

# sqrt(0.25 - t) has no value after 0.25 s.
STOPPING = BALL.replace("(0, 0, push)", "(sympy.sqrt(0.25 - m.t), 0, 0)").replace(
    '"ball"', '"dies"'
)


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Run ``mbdgen`` with arguments in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> Any:
        return CliRunner().invoke(app, [str(a) for a in arguments])

    return run


@pytest.fixture
def ball(tmp_path: Path) -> Path:
    """A model file with an argument, a parameter, a force and an output."""
    path = tmp_path / "ball.py"
    path.write_text(BALL, "utf-8")
    return path


@pytest.fixture
def stopping(tmp_path: Path) -> Path:
    """A model whose simulation must fail after 0.25 s."""
    path = tmp_path / "dies.py"
    path.write_text(STOPPING, "utf-8")
    return path
