"""``mbdgen profile``."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mbdgen.cli.app import app


@pytest.mark.parametrize(
    ("layout", "pieces"),
    [
        ("flat", {"monitor", "record"}),
        ("loop", {"kernel residual", "kernel matrix", "factorise", "solve", "monitor", "record"}),
    ],
)
def test_pieces_counts_and_total(layout: str, pieces: set[str], tmp_path: Path) -> None:
    target = tmp_path / "profile.json"
    command = ["profile", "slider_crank", "--t", "0.05", "--layout", layout, "--json", str(target)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "measured in the run" in done.output
    found: dict[str, Any] = json.loads(target.read_text())
    assert pieces <= {piece["name"] for piece in found["pieces"]}
    assert found["steps"] == 50
    assert found["nnz"] <= found["fill"]
    assert found["explained_s"] > 0.0
    assert all(piece["call_s"] > 0.0 for piece in found["pieces"])
