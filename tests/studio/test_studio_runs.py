"""Runs of a studio: done, failed, ended by a bound or by the user; the studio outlives them all."""

import io
import json
import os
import threading
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

from mbdgen.studio.errands import Errands
from mbdgen.studio.reply import Refusal
from mbdgen.studio.run_bounds import RunBounds
from tests.studio.client import Client
from tests.studio.conftest import serving

SHORT = {"model": "own/ball", "duration": 0.5, "h": 1e-3}


def test_a_run_is_what_the_command_line_computes(client: Client) -> None:
    """A ball under gravity and a push: height (push / mass - g) t^2 / 2."""
    order = {"model": "own/ball", "duration": 0.5, "h": 1e-3, "arguments": {"push": 3.0}}
    report = client.run(order | {"parameters": {"mass": 2.0}, "method": "rk4"})
    assert (report["state"], report["share"], report["cause"]) == ("done", 1.0, "")
    assert "The end was reached" in report["log"] and "height" in report["printed"]
    answer = client.get(f"/runs/{report['run']}/result.csv", X_Mbdgen_Token=None, Origin=None)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="ball.csv"'
    table = np.genfromtxt(io.BytesIO(answer.body), delimiter=",", names=True)
    assert table["t_s"][-1] == 0.5
    # A polynomial of degree 2: round-off is all that RK4 leaves.
    assert table["height_m"][-1] == pytest.approx((3.0 / 2.0 - 9.81) * 0.125, rel=1e-12)


@pytest.mark.slow
def test_files_of_a_run_are_those_that_were_wanted(client: Client) -> None:
    report = client.run(SHORT | {"files": ["json", "npz"]})
    assert report["files"] == ["result.npz", "result.json"]
    assert json.loads(client.get(f"/runs/{report['run']}/result.json").body)["t_end"] == 0.5
    for name in ("result.csv", "../result.npz", "result.npz/", "", "result.NPZ"):
        assert client.get(f"/runs/{report['run']}/{name}").status == 404


@pytest.mark.slow
def test_a_result_is_a_stranger_to_the_studio(client: Client) -> None:
    report = client.run(SHORT)
    for name in report["files"]:
        policy = client.get(f"/runs/{report['run']}/{name}").headers["Content-Security-Policy"]
        assert policy.startswith("sandbox ") and "allow-same-origin" not in policy


@pytest.mark.slow
def test_a_model_is_described(client: Client) -> None:
    asked = {"model": "own/ball", "arguments": {"mass": 4.0}}
    told = client.post("/api/describe", asked).data
    assert told["parameters"] == [{"name": "mass", "value": 4.0, "unit": "kg"}]
    assert told["outputs"] == ["height"] and "relative" in told["coordinates"]


@pytest.mark.slow
def test_generated_code_is_a_zip_file(client: Client) -> None:
    answer = client.post("/api/code", {"model": "own/ball", "backend": "js"})
    assert answer.headers["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.body)) as archive:
        assert sorted(archive.namelist()) == ["ball.mjs", "ball.runtime.mjs"]
    assert client.post("/api/code", {"model": "own/ball", "backend": "exe"}).status == 400


@pytest.mark.slow
@pytest.mark.parametrize(
    ("order", "culprit"),
    [
        ({"model": "own/dies", "duration": 1.0, "h": 0.01}, "The simulation of 'dies' failed"),
        (SHORT | {"parameters": {"mass": -1.0}}, "mass"),
        (SHORT | {"parameters": {"colour": 1.0}}, "no parameter 'colour'"),
        (SHORT | {"arguments": {"name": "no-name"}}, "no-name"),
        (SHORT | {"coordinates": "nonsense"}, "nonsense"),
    ],
)
def test_a_failed_run_says_why_and_the_next_one_works(client: Client, order, culprit: str) -> None:
    report = client.run(order)
    assert report["state"] == "failed" and culprit in report["cause"], report
    assert "Traceback" not in report["cause"] + report["remedy"] + report["log"]
    if order["model"] == "own/dies":
        assert "result.csv" in report["files"]  # the motion up to there
    else:
        assert report["remedy"]
    assert client.get("/api/models").status == 200


@pytest.mark.slow
def test_a_question_about_a_wrong_model_says_why(client: Client) -> None:
    answer = client.post("/api/describe", {"model": "own/ball", "arguments": {"mass": "heavy"}})
    assert answer.status == 422 and "mass" in answer.data["cause"] and answer.data["remedy"]


@pytest.mark.slow
def test_memory_is_bounded(client: Client) -> None:
    report = client.run({"model": "own/hungry"})
    assert report["state"] == "stopped"
    assert (
        "too much memory; the memory limit is 3 GB" in report["cause"]
        and "--memory" in report["remedy"]
    )
    assert client.post("/api/describe", {"model": "own/hungry"}).status == 422


def test_a_run_that_never_ends_is_stopped_with_all_that_it_started(models: Path) -> None:
    with serving(models, RunBounds(seconds=2.0, memory=3.0)) as client:
        report = client.run({"model": "own/never_ends"})
        assert report["state"] == "stopped" and "over 2 s" in report["cause"]
        assert "--seconds" in report["remedy"]
        gone(int((models / "pid.txt").read_text()))
        answer = client.post("/api/describe", {"model": "own/never_ends"})
        assert answer.status == 422 and "over 2 s" in answer.data["cause"]
        assert client.get("/api/models").status == 200


@pytest.mark.slow
def test_one_runs_and_a_few_wait_and_can_be_cancelled(models: Path) -> None:
    with serving(models, RunBounds(seconds=300.0, memory=3.0, waiting=2)) as client:
        first = client.start({"model": "own/never_ends"})
        until_running(client, first)
        waiting = [client.start(SHORT) for _ in range(2)]
        refusal = client.post("/api/runs", SHORT)
        assert refusal.status == 429 and refusal.data["cause"] == "2 runs are waiting already."
        assert client.ask("DELETE", f"/api/runs/{waiting[0]}").data["state"] == "cancelled"
        assert client.get(f"/api/runs/{waiting[1]}").data["state"] == "waiting"
        client.ask("DELETE", f"/api/runs/{first}")
        assert client.end_of(first)["state"] == "cancelled"
        assert client.end_of(waiting[1])["state"] == "done"
        assert client.ask("DELETE", f"/api/runs/{waiting[1]}").data["state"] == "done"
        assert client.ask("DELETE", "/api/runs/unknown").status == 404


@pytest.mark.slow
def test_old_results_are_removed(models: Path) -> None:
    with serving(models, RunBounds(seconds=300.0, memory=3.0, kept=1)) as client:
        keys = [client.run(SHORT | {"method": "rk4", "files": ["json"]})["run"] for _ in range(3)]
        assert [client.get(f"/runs/{key}/result.json").status for key in keys] == [404, 200, 200]


def test_a_studio_that_ends_leaves_nothing_behind(models: Path) -> None:
    with serving(models, RunBounds(seconds=300.0, memory=3.0)) as client:
        key = client.start({"model": "own/never_ends"})
        until_running(client, key)
        (models / "pid.txt").unlink(missing_ok=True)
        end = time.monotonic() + 300.0
        while not (models / "pid.txt").exists() and time.monotonic() < end:
            time.sleep(0.05)
        folder = client.studio.runs.find(key).folder
        assert folder.is_dir()
    assert not folder.parent.exists()
    gone(int((models / "pid.txt").read_text()))


def until_running(client: Client, key: str) -> None:
    end = time.monotonic() + 300.0
    while client.get(f"/api/runs/{key}").data["state"] == "waiting":
        assert time.monotonic() < end
        time.sleep(0.02)


def gone(pid: int) -> None:
    """A process has ended, or is only waiting for somebody to take note of that."""
    end = time.monotonic() + 60.0
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return
        if state == "Z":
            return
        time.sleep(0.05)
    raise AssertionError(f"process {pid} is still there")


LEAVES = """
import os, sys
from mbdgen import Model
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open("{pid}", "w").write(str(os.getpid()))
        os.execvp("sleep", ["sleep", "1000"])
    os._exit(0)
while not os.path.exists("{pid}"):
    pass
model = Model("leaves")
model.point_mass("ball", 1.0)
"""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="there is no /proc")
def test_what_leaves_the_group_ends_with_the_run(client: Client, models: Path) -> None:
    pid = models / "leaver.txt"
    path = models / "leaves.py"
    path.write_text(LEAVES.format(pid=pid), "utf-8")
    try:
        client.post("/api/describe", {"model": "own/leaves"})
        left = int(pid.read_text() or 0)
        assert left > 0
        end = time.monotonic() + 10.0
        while os.path.exists(f"/proc/{left}") and time.monotonic() < end:
            if (Path(f"/proc/{left}") / "stat").read_text().rpartition(")")[2].split()[0] == "Z":
                break
            time.sleep(0.01)
        else:
            assert not os.path.exists(f"/proc/{left}")
    finally:
        path.unlink()


def test_the_end_waits_until_folders_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question that is under way is ended, and what it has written is removed before `close`."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    errands, ended = Errands(RunBounds()), []

    def ask() -> None:
        with pytest.raises(Refusal):
            errands.answer(["run", "own/ball", "--t", "1e6"])
        ended.append(True)

    thread = threading.Thread(target=ask)
    thread.start()
    while not any(tmp_path.iterdir()):
        time.sleep(0.01)
    errands.close()
    assert not any(tmp_path.iterdir())
    thread.join(timeout=10.0)
    assert ended
