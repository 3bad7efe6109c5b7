"""Mistakes in models of belts, on the command line."""

from pathlib import Path

BELT = """
from mbdgen import Model, loop, material, rectangle


def model():
    m = Model("drive")
    m.beam("belt", loop(((0, 0), -1)), rectangle(0.1, 0.1), material(1e8, 1e3), kind="belt")
    return m
"""


def test_a_pulley_is_named(call, tmp_path: Path) -> None:
    (tmp_path / "drive.py").write_text(BELT, "utf-8")
    done = call("check", "drive.py")
    assert done.exit_code == 2 and "Traceback" not in done.stderr
    assert "only pulley of a loop has the radius -1 m" in " ".join(done.stderr.split())


def test_a_name_that_a_model_has_not(call, tmp_path: Path) -> None:
    (tmp_path / "drive.py").write_text(BELT.replace("m.beam(", "m.bean("), "utf-8")
    done = call("check", "drive.py")
    assert done.exit_code == 2 and "Traceback" not in done.stderr
    assert "A model has no 'bean'" in done.stderr and "'beam'" in done.stderr
