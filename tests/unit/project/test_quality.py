"""The source passes its own checks: style, format, types, and who may import whom."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).parents[3] / ".ci" / "check.py"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("check", "tool"),
    [("ruff", "ruff"), ("format", "ruff"), ("mypy", "mypy"), ("imports", "importlinter")],
)
def test_source_passes(check: str, tool: str) -> None:
    if importlib.util.find_spec(tool) is None:
        pytest.skip(f"{tool} is not installed: pip install -e '.[dev]'")
    done = subprocess.run([sys.executable, CHECK, check], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_unknown_check_is_refused() -> None:
    done = subprocess.run([sys.executable, CHECK, "speling"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "speling" in done.stderr
