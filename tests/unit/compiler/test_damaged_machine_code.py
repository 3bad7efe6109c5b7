"""Builds that were killed, and machine code of Numba that is damaged: made again, never wrong."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mbdgen import build, load
from mbdgen.runtime.system.module_loading import load_module

CODE = """
from mbdgen import load, simulate
system = load({model!r}, backend={backend!r})
print(simulate(system, (0, 0.01), h=1e-3, progress=False).q[-1].tolist())
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("left", [0, 30])
def test_damaged_machine_code_is_made_again(
    kind: str, left: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = build("five_body_chain", tmp_path, coordinates="relative", layout="loop")  # Numba's
    expected = load_module(path).system
    files = sorted(tmp_path.glob(f"__pycache__/*.{kind}"))
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:left])
    found = load(path)
    assert "made again" in caplog.text
    state = (0.0, expected.q0, expected.v0, 0.1 + expected.q0, 0.0 * expected.q0[: expected.n_lam])
    assert (found.residual(*state) == expected.residual(*state)).all()


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["numba", "c"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_killed_builds_leave_nothing_wrong(
    how: signal.Signals, backend: str, tmp_path: Path
) -> None:
    """Killed at ten random moments with one cache; then everything works as with a new one."""
    rng = random.Random(int(how))
    command = [sys.executable, "-c", CODE.format(model="slider_crank", backend=backend)]
    kept, fresh = (
        {**os.environ, "MBDGEN_CACHE": str(tmp_path / name)} for name in ("kept", "fresh")
    )
    start = time.monotonic()
    expected = subprocess.run(command, env=fresh, capture_output=True, text=True, check=True)
    whole = time.monotonic() - start
    for _ in range(10):
        process = subprocess.Popen(
            command, env=kept, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(rng.uniform(0.2, 1.0) * whole)
        process.send_signal(how)
        process.wait(60)
    found = subprocess.run(command, env=kept, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert found.stdout == expected.stdout
