"""``mbdgen profile``."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mbdgen.cli.app import app
from mbdgen.runtime.program.c_compiler import COMPILERS

UNCOUNTED = ("monitor", "record")


@pytest.mark.representatives(layout="flat")
@pytest.mark.parametrize(
    ("layout", "pieces"),
    [
        ("flat", {"monitor", "record"}),
        (
            "loop",
            {"kernel residual", "kernel mass", "factorise mass", "solve", "monitor", "record"},
        ),
    ],
)
def test_pieces_counts_and_total(layout: str, pieces: set[str], tmp_path: Path) -> None:
    target = tmp_path / "profile.json"
    command = ["profile", "slider_crank", "--t", "0.05", "--layout", layout, "--json", str(target)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "measured in the run" in done.output
    parts = [int(part) for part in re.findall(r" (\d+)%$", done.output, re.MULTILINE)]
    assert "copies, calls and the rest" in done.output
    assert abs(sum(parts) - 100) <= len(parts)  # each is rounded
    found: dict[str, Any] = json.loads(target.read_text())
    assert pieces <= {piece["name"] for piece in found["pieces"]}
    assert found["steps"] == 50
    assert found["nnz"] <= found["fill"]
    assert found["explained_s"] > 0.0
    assert len(parts) == len(found["pieces"]) + 1
    assert all(piece["call_s"] > 0.0 for piece in found["pieces"])
    counted = {p["name"]: p["operations"] for p in found["pieces"] if p["name"] not in UNCOUNTED}
    assert all(operations > 0 for operations in counted.values()), counted
    assert f"fused kernels: no, the {'backend numba' if layout == 'flat' else 'layout loop'}" in (
        done.output
    )


def test_a_file_that_cannot_be_written() -> None:
    command = ["profile", "pendulum", "--t", "0.01", "--json", "/proc/a.json"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 2, done.output
    assert "/proc" in done.stderr and "Traceback" not in done.output + done.stderr


@pytest.mark.slow
def test_pieces_of_a_fused_explicit_step(tmp_path: Path) -> None:
    if not any(shutil.which(name) for name in COMPILERS):
        pytest.skip("no C compiler")
    target = tmp_path / "profile.json"
    command = ["profile", "slider_crank", "--backend", "c", "--layout", "flat", "--method", "rk4"]
    done = CliRunner().invoke(app, [*command, "--t", "0.05", "--json", str(target)])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(target.read_text())
    calls = {piece["name"]: piece["calls"] for piece in found["pieces"]}
    assert found["fused"]
    assert calls["kernel accelerations"] == 3.0 and calls["kernel consistent"] == 1.0
    assert "kernel newton" not in calls


def test_a_reduced_system_has_fewer_unknowns(tmp_path: Path) -> None:
    if not any(shutil.which(name) for name in COMPILERS):
        pytest.skip("no C compiler")
    target = tmp_path / "profile.json"
    command = ["profile", "pendulum", "--backend", "c", "--layout", "flat"]
    for options, unknowns in (["--reduced"], "1 of 12 unknowns"), ([], "12 unknowns"):
        done = CliRunner().invoke(app, [*command, *options, "--t", "0.05", "--json", str(target)])
        assert done.exit_code == 0, done.output
        assert f"pendulum: {unknowns}," in done.output
        assert ("--reduced" in done.output) is not bool(options)
    assert json.loads(target.read_text())["reduced"] is None
