"""``mbdgen run``: what it writes, and what it says when the simulation fails."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat

from mbdgen.runtime.results.result_archive import load_result

KEYS = [
    "model", "method", "formulation", "backend", "layout", "reduced", "dof", "n_q", "n_phi",
    "redundant", "t_end", "h", "steps", "newton_iterations", "factorisations", "max_phi",
    "max_phi_dot", "max_phi_ddot", "energy_drift", "energy_scale", "generic_steps", "accepted",
    "rejected", "derive_s", "emit_s", "compile_s", "solve_s", "accuracy", "warnings", "status",
    "message", "outputs",
]  # fmt: skip


def test_json_has_the_keys_of_the_contract(call, tmp_path: Path) -> None:
    done = call(
        "run", "pendulum", "--t", 1, "--h", 0.001, "--method", "newmark", "--json", "o.json"
    )
    assert done.exit_code == 0, done.stderr
    found = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert list(found) == KEYS
    assert found["model"] == "pendulum" and found["method"] == "newmark"
    assert (found["dof"], found["n_q"], found["n_phi"], found["redundant"]) == (1, 7, 6, 0)
    assert (found["steps"], found["t_end"], found["h"], found["status"]) == (1000, 1.0, 0.001, 0)
    assert found["max_phi"] <= 1e-10 and found["max_phi_dot"] <= 1e-8
    assert found["compile_s"] > 0 and found["solve_s"] > 0
    assert found["outputs"]["tip.x"] ** 2 + found["outputs"]["tip.y"] ** 2 == pytest.approx(1.0)
    assert f"{found['outputs']['tip.x']: .10g} m\n" in done.stdout.splitlines(keepends=True)[0]
    assert "max |phi|" in done.stderr and "wrote o.json" in done.stderr


def test_every_format_agrees(call, ball: Path, tmp_path: Path) -> None:
    files = ("--csv", "r.csv", "--json", "r.json", "--npz", "r.npz", "--save", "again.csv")
    done = call(
        "run", ball, "--t", "1:2", "--h", 0.1, "-o", "push=19.62", "--set", "mass=2", *files
    )
    assert done.exit_code == 0, done.stderr
    with (tmp_path / "r.csv").open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    assert header[:2] == ["t [s]", "height [m]"] and len(rows) == 11
    assert float(rows[0][0]) == 1.0 and float(rows[-1][0]) == 2.0
    stored = load_result(tmp_path / "r.npz")
    assert np.array_equal(stored.t, [float(row[0]) for row in rows])
    # The push carries twice the mass of the default: the ball that was set to 2 kg hovers.
    assert np.abs(stored["height"]).max() < 1e-12
    final = json.loads((tmp_path / "r.json").read_text("utf-8"))["outputs"]
    assert final["height"] == stored["height"][-1] == float(rows[-1][1])
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "r.csv").read_bytes()


def test_log_says_what_was_done(call, ball: Path) -> None:
    done = call("run", ball, "--t", 0.1, "--set", "mass=2")
    assert done.exit_code == 0, done.stderr
    log = {line[:14].strip(): line[16:].strip() for line in done.stderr.splitlines()}
    assert log["bodies"] == "1: ball" and log["joints"] == "none"
    assert log["forces"] == "1: 1 force; gravity (0, 0, -9.81) m/s^2"
    assert log["parameters"] == "mass = 2 kg"
    assert log["constraints"] == "0 equations of joints, on 3 coordinates"
    assert log["mobility"] == "3 degrees of freedom" and log["redundancy"] == "none"
    assert log["initial values"] == "consistent as given"
    assert log["method"].startswith("newmark (default)")
    assert log["time span"] == "0 to 0.1 s in steps of 0.001 s (default)"
    assert log["steps"] == "100" and log["evaluations"].startswith("201 (100 Newton iterations")
    assert log["CPU time"].endswith("s for the solution")
    assert log["termination"] == "normal: The end was reached at t = 0.1 s."


def test_snapshot_has_all_files(call, tmp_path: Path) -> None:
    files = {"--csv": "s.csv", "--json": "s.json", "--npz": "s.npz", "--png": "s.png"}
    options = [part for pair in files.items() for part in pair]
    done = call("run", "pendulum", "--t", 0, *options, "--checkpoint", "c.npz")
    assert done.exit_code == 0, done.stderr
    assert "t = 0 s, a snapshot" in done.stderr and "evaluations     1 (" in done.stderr
    assert "steps " not in done.stderr
    assert all((tmp_path / name).stat().st_size > 50 for name in [*files.values(), "c.npz"])
    assert len((tmp_path / "s.csv").read_text("utf-8").splitlines()) == 2
    again = call("run", "pendulum", "--t", 0.1, "--h", 0.01, "--resume", "c.npz")
    assert again.exit_code == 0, again.stderr


def test_redundant_joints_are_named(call) -> None:
    done = call("run", "bricard", "--t", 0, "--layout", "loop")
    said = " ".join(done.stderr.split())
    assert "1 equation of 'J5' follows from those of 'J0', 'J1', 'J2', 'J3', 'J4'" in said
    assert "they are kept, and reactions are the smallest ones that do the same" in said


def test_quiet_prints_nothing(call, ball: Path) -> None:
    done = call("run", ball, "--t", 0.1, "--h", 0.01, "--quiet")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("method", ["newmark", "rk4"])
def test_methods_fall_alike(call, ball: Path, method: str, tmp_path: Path) -> None:
    done = call("run", ball, "--t", 1, "--h", 0.01, "--method", method, "--json", "o.json", "-q")
    assert done.exit_code == 0, done.stderr
    found = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert found["outputs"]["height"] == pytest.approx(-9.81 / 2, rel=1e-12)


def test_method_options_arrive(call, ball: Path) -> None:
    run = ("run", ball, "--t", 0.1, "--h", 0.1, "-q", "--method-option")
    assert call(*run, "beta=0.3").exit_code == 0
    wrong = call(*run, "gamma=0.1")
    assert wrong.exit_code == 2 and "negative damping" in wrong.stderr


def test_plot(call, ball: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    run = ("run", ball, "--t", 0.1, "--h", 0.01, "-q")
    assert call(*run, "--plot", "height, ball.z.dot", "--png", "p.png").exit_code == 0
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    assert call(*run, "--plot", "height").exit_code == 0, "without --png: a name from the model"
    assert (tmp_path / "ball.png").read_bytes().startswith(b"\x89PNG")
    assert call(*run, "--png", "all.svg").exit_code == 0, "without --plot: all outputs"
    assert b"<svg" in (tmp_path / "all.svg").read_bytes()
    wrong = call(*run, "--plot", "hight", "--png", "wrong.png")
    assert wrong.exit_code == 2 and "Did you mean 'height'" in wrong.stderr
    assert not (tmp_path / "wrong.png").exists()


def test_phase_plots_expressions_and_matlab(call, ball: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    run = ("run", ball, "--t", 0.1, "--h", 0.01, "-q")
    asked = (
        "--plot",
        "ball.z.dot, max(norm(ball.rd), 0)",
        "--against",
        "ball.r.z",
        "--png",
        "p.png",
    )
    assert call(*run, *asked, "--png", "p.png", "--save", "r.mat").exit_code == 0
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    stored = loadmat(tmp_path / "r.mat")
    assert stored["uT"].shape == (11, 13)
    assert np.array_equal(stored["uT"][:, 2], stored["series"]["ball_z"][0, 0][:, 0])
    for option in (("--plot", "norm(ball.rdot)"), ("--against", "nrm(ball.r)")):
        wrong = call(*run, *option, "--csv", "late.csv")
        assert wrong.exit_code == 2 and "Traceback" not in wrong.stderr
        assert "Did you mean" in wrong.stderr and not (tmp_path / "late.csv").exists()


def test_failed_simulation_saves_what_it_has(call, stopping: Path, tmp_path: Path) -> None:
    files = ("--csv", "r.csv", "--json", "r.json", "--npz", "r.npz")
    done = call("run", stopping, "--t", 1, "--h", 0.01, *files)
    assert done.exit_code == 3
    assert "Traceback" not in done.stderr and done.stderr.count("error: ") == 1
    assert "not finite after t = 0.25 s" in done.stderr and "'dies: force x'" in done.stderr
    found = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert list(found) == KEYS
    assert found["status"] < 0 and found["t_end"] == pytest.approx(0.25)
    stored = load_result(tmp_path / "r.npz")
    assert not stored.success and stored.t[-1] == pytest.approx(0.25) and len(stored.t) == 26
    assert len((tmp_path / "r.csv").read_text("utf-8").splitlines()) == 27
    quiet = call("run", stopping, "--t", 1, "--h", 0.01, "-q")
    assert quiet.exit_code == 3 and quiet.stderr.count("error: ") == 1 and quiet.stdout == ""


def test_newton_that_does_not_converge(call, tmp_path: Path) -> None:
    few = ("--method-option", "max_iterations=1", "--json", "o.json")
    done = call("run", "pendulum", "--t", 1, "--h", 0.1, *few)
    assert done.exit_code == 3 and "Newton's method did not converge" in done.stderr
    assert json.loads((tmp_path / "o.json").read_text("utf-8"))["t_end"] == 0.0


def test_generated_module_runs(call, ball: Path, tmp_path: Path) -> None:
    assert call("build", ball, "--out", "made").exit_code == 0
    done = call("run", "made/ball.py", "--t", 1, "--h", 0.01, "--json", "o.json", "-q")
    assert done.exit_code == 0, done.stderr
    found = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert (found["model"], found["derive_s"], found["emit_s"]) == ("ball", 0.0, 0.0)
    wrong = call("run", "made/ball.py", "-o", "mass=2")
    assert wrong.exit_code == 2 and "takes no model arguments" in wrong.stderr


@pytest.mark.slow
def test_second_process_starts_from_the_cache(tmp_path: Path) -> None:
    """`python -m mbdgen` in fresh processes: the second one derives and compiles nothing."""
    command = [sys.executable, "-m", "mbdgen", "run", "pendulum", "--t", "1", "-q", "--json"]
    env = {**os.environ, "MBDGEN_CACHE": str(tmp_path / "cache")}
    compiled = []
    for name in ("first.json", "second.json"):
        done = subprocess.run([*command, name], cwd=tmp_path, env=env, capture_output=True)
        assert done.returncode == 0, done.stderr
        files = (tmp_path / "cache").rglob("*.*")
        compiled.append({p: p.stat().st_mtime_ns for p in files})
    second = json.loads((tmp_path / "second.json").read_text("utf-8"))
    assert (second["derive_s"], second["emit_s"]) == (0.0, 0.0)
    assert compiled[0] and compiled[0] == compiled[1]


def test_runs_go_on(call, ball: Path, tmp_path: Path) -> None:
    step = "--h", 0.01, "--quiet"
    assert call("run", ball, "--t", 0.3, *step, "--checkpoint", "c.npz").exit_code == 0
    assert call("run", ball, "--t", 1, *step, "--resume", "c.npz", "--csv", "b.csv").exit_code == 0
    assert call("run", ball, "--t", 1, *step, "--csv", "w.csv").exit_code == 0
    whole, rest = ((tmp_path / name).read_text("utf-8").splitlines() for name in ("w.csv", "b.csv"))
    assert rest[1:] == whole[31:] and len(rest) == 72
    done = call("run", ball, "--t", 1, "--method", "rk4", *step, "--resume", "c.npz")
    assert done.exit_code == 2 and "method 'newmark', not 'rk4'" in done.stderr


def test_steps_are_chosen(call, ball: Path, tmp_path: Path) -> None:
    chosen = "--method", "dopri5", "--rtol", 1e-6, "--atol", 1e-9
    done = call("run", ball, "--t", 1, *chosen, "--json", "o.json")
    found = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert done.exit_code == 0 and found["h"] is None and found["accepted"] < 20
    assert "accepted" not in done.stderr or "rejected" in done.stderr


def test_runs_end_where_a_series_crosses(call, ball: Path) -> None:
    done = call("run", ball, "--t", 1, "--h", 0.01, "--until", "height=-0.5")
    assert done.exit_code == 0 and "Stopped by a terminal event" in done.stderr
    assert done.stdout.split()[:2] == ["height", "-0.5"]
    assert call("run", ball, "--until", "height").exit_code == 2


def test_animations(call, tmp_path: Path) -> None:
    # Nothing that is asked for is found out too late.
    for option, name, text in (
        ("--html", "page.pdf", "Use one of: .html"),
        ("--html", "missing/page.html", "is missing"),
        ("--animation", "film.avi", "Use one of: .gif, .mp4"),
    ):
        done = call("run", "pendulum", "--t", "0.1", option, name)
        assert done.exit_code == 2 and text in " ".join(done.output.split()), done.output
    files = ("--html", "page.html", "--animation", "film.gif")
    done = call("run", "pendulum", "--t", "0.1", "--h", "0.01", *files)
    assert done.exit_code == 0, done.output
    assert "wrote page.html" in done.output and "wrote film.gif" in done.output
    assert "<!DOCTYPE html>" in (tmp_path / "page.html").read_text()[:20]
    assert (tmp_path / "film.gif").read_bytes()[:3] == b"GIF"
    still = call("run", "pendulum", "--t", "0", "--html", "still.html")
    assert still.exit_code == 0 and (tmp_path / "still.html").is_file(), still.output
