"""Outputs that cannot be written: each by itself, and standard streams that nobody takes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import BALL, Call

FULL = Path("/dev/full")


def test_files_that_fail_while_they_are_written(
    call: Call, ball: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mbdgen.runtime.results import result_export

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(result_export.WRITERS, ".csv", fails)
    done = call(
        "run", ball, "--t", 0.1, "--csv", "lost.csv", "--json", "a.json", "--html", "a.html"
    )
    assert done.exit_code == 2
    assert "lost.csv" in done.stderr and "No space left" in done.stderr
    assert "wrote a.json" in done.stderr and "wrote lost.csv" not in done.stderr
    assert json.loads((tmp_path / "a.json").read_text())["status"] == 0
    assert (tmp_path / "a.html").is_file()


def test_a_page_of_a_run_that_failed_at_once(call: Call, tmp_path: Path) -> None:
    """The command gives the reason and writes the motion up to there."""
    model = tmp_path / "dies.py"
    model.write_text(BALL.replace("(0, 0, push)", "(sympy.sqrt(0.0005 - m.t), 0, 0)"))
    done = call("run", model, "--t", 1, "--html", "a.html", "--json", "a.json")
    assert done.exit_code == 3
    assert "The simulation of 'ball' failed" in done.stderr and "Traceback" not in done.stderr
    assert json.loads((tmp_path / "a.json").read_text())["status"] < 0


@pytest.mark.representatives(id="2> /dev/full-0")
@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    ("streams", "code"),
    [("> /dev/full", 2), ("2> /dev/full", 0), ("2>&-", 0), (">&-", 0), (">&- 2>&-", 0)],
)
def test_streams_that_cannot_be_written(streams: str, code: int) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m mbdgen models {streams}"],
        capture_output=True,
        text=True,
        env=dict(os.environ),
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr
    if streams == "> /dev/full":
        assert "standard output cannot be written (No space left on device)" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no limits of files")
def test_hdf5_on_a_full_disk(tmp_path: Path) -> None:
    """HDF5 ended the process; a limit of the size of files does what a full disk does."""
    pytest.importorskip("h5netcdf")
    code = f"""
import resource, signal
from mbdgen import load, simulate
from mbdgen.errors import OptionError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
result = simulate(load("pendulum"), (0, 1), h=1e-3)
result.save({str(tmp_path / "whole.nc")!r})
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    result.save({str(tmp_path / "cut.nc")!r})
except OptionError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Cannot write" in done.stdout and "cut.nc" in done.stdout
    assert [p.name for p in tmp_path.iterdir()] == ["whole.nc"]
