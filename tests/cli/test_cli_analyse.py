"""``mbdgen analyse``: tables on the terminal and in files, and what is refused."""

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mbdgen.cli.app import app

MODEL = """
from mbdgen import Model

def model(stiffness=4.0):
    m = Model("oscillator", gravity=(0, 0, 0))
    mass = m.point_mass("mass", mass=1, position=(0.0, 0, 0))
    m.point_on_line("rail", m.ground, mass, axis=(1, 0, 0))
    m.spring("spring", m.ground.at(-1, 0, 0), mass.at(), stiffness=stiffness, length=1)
    return m
"""


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "oscillator.py"
    path.write_text(MODEL)
    return str(path)


def test_modes(model: str, tmp_path: Path) -> None:
    out = tmp_path / "modes.csv"
    done = CliRunner().invoke(
        app, ["analyse", model, "modes", "-o", "stiffness=9.0", "--out", str(out)]
    )
    assert done.exit_code == 0, done.output
    assert "frequency [Hz]" in done.stdout and "0.477465" in done.stdout
    (row,) = csv.DictReader(out.read_text().splitlines())
    assert float(row["imaginary [rad/s]"]) == pytest.approx(3.0, rel=1e-12)


def test_a_saved_motion(model: str, tmp_path: Path) -> None:
    saved = tmp_path / "motion.npz"
    run = ["run", model, "--t", "1", "--h", "0.01", "-q", "--npz", str(saved)]
    assert CliRunner().invoke(app, run).exit_code == 0
    done = CliRunner().invoke(app, ["analyse", str(saved), "spectrum", "-c", "series=mass.x"])
    assert done.exit_code == 0, done.output
    assert "... and 11 more rows" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "There is no analysis 'nothing'"),
        (["spectrum"], "needs 'series'"),
        (["modes", "--out", "modes.xlsx"], "modes.xlsx"),
        (["modes", "-c", "t"], "not of the form"),
    ],
)
def test_mistakes(model: str, arguments: list[str], message: str) -> None:
    done = CliRunner().invoke(app, ["analyse", model, *arguments])
    assert done.exit_code == 2
    assert message in done.stderr and "Traceback" not in done.stderr
