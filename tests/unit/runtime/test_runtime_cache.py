"""The compiled loops are compiled once per installation: the next process takes them from disk."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mbdgen.runtime.program import precompile

PROGRAM = """
import time, numba
start = time.process_time()
from mbdgen.runtime.integrators import newmark
from mbdgen.runtime.steps import runge_kutta_step as explicit
from mbdgen.runtime.linalg import linear_solver as linear
from mbdgen.runtime.stepping import time_loop as loop
from mbdgen.runtime.monitors import recorder as recording
from mbdgen.runtime.system import system
functions = [newmark.step.compiled, explicit.step.compiled, recording.begin, loop.run, system.call]
misses = sum(sum(f.stats.cache_misses.values()) for f in functions)
print(misses, time.process_time() - start)
"""


@pytest.mark.slow
def test_second_process_compiles_nothing(tmp_path: Path) -> None:
    # On one processor no other process compiles ahead, and everything is counted here.
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "MBDGEN_THREADS": "1"}
    found = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        misses, seconds = done.stdout.split()
        found.append((int(misses), float(seconds)))
    assert found[0][0] == 5 and found[1][0] == 0
    assert found[1][1] < 2.0 < found[0][1] < 30.0


def test_another_process_compiles_ahead_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told what to compile, and not to start a third one; with a cache there is none."""
    started = []
    monkeypatch.setattr(precompile.config, "CACHE_DIR", "")
    monkeypatch.setattr(precompile, "cores", lambda: 2)
    monkeypatch.setattr(precompile.subprocess, "Popen", lambda *a, **k: started.append((a, k)))
    monkeypatch.setenv(precompile.INSIDE, "1")
    precompile.compile_ahead(tmp_path)
    assert not started
    monkeypatch.delenv(precompile.INSIDE)
    precompile.compile_ahead(tmp_path)
    (((command,), given),) = started
    assert given["env"][precompile.INSIDE] == "1" and "make_all" in command[-1]
    assert all(f"mbdgen.runtime.{name}" in command[-1] for name in precompile.LATER)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / precompile.LAST.replace("*", "1")).touch()
    precompile.compile_ahead(tmp_path)
    assert len(started) == 1
