"""Node runs what the JavaScript backend writes; where it is absent, tests are skipped."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="there is no Node")
SCRIPT = Path(__file__).with_name("evaluate.mjs")

Task = dict[str, Any]


def evaluate(tasks: list[Task]) -> list[Any]:
    """Do all tasks of `evaluate.mjs` in one process and return their results."""
    assert NODE is not None
    text = json.dumps(tasks, default=str, allow_nan=False)
    done = subprocess.run([NODE, str(SCRIPT)], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found
