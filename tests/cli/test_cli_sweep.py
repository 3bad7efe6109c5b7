"""mbdgen sweep: parameters to a file of all motions, and what it refuses."""

import json
from pathlib import Path

import numpy as np
import pytest

from mbdgen import load, simulate

parquet = pytest.importorskip("pyarrow.parquet")


def test_a_grid_of_parameters(call, ball: Path, tmp_path: Path) -> None:
    done = call(
        *("sweep", ball, "--param", "mass=1:2:3", "--t", "0.1", "--h", "0.01", "--every", "5"),
        *("--out", "all.parquet", "--json", "all.json", "--workers", "2", "-o", "push=2"),
    )
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("3 members, 0 failed, 30 steps")
    assert "wrote all.parquet" in done.stderr and "wrote all.json" in done.stderr
    frame = parquet.read_table(tmp_path / "all.parquet").to_pandas()
    assert list(frame.columns) == ["member", "t", "status", "mass", "height"]
    np.testing.assert_array_equal(frame.mass.to_numpy().reshape(3, -1)[:, 0], [1.0, 1.5, 2.0])
    system = load(ball, push=2)
    system.set(mass=1.5)
    single = simulate(system, (0, 0.1), h=0.01, t_eval=frame.t[:3])
    np.testing.assert_array_equal(frame.height[frame.member == 1], single["height"])
    summary = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert (summary["members"], summary["failed"], summary["steps"]) == (3, 0, 30)
    assert summary["parameters"] == ["mass"] and summary["series"] == ["height"]


def test_a_sweep_is_resumed(call, ball: Path, tmp_path: Path) -> None:
    sweep = ("sweep", ball, "--t", "0.1", "--h", "0.01", "--workers", "1")
    done = call(*sweep, "--param", "mass=1:2:3", "--out", "a.parquet", "--resume")
    assert done.exit_code == 0 and "reused" not in done.stdout
    before = parquet.read_table(tmp_path / "a.parquet")
    done = call(*sweep, "--param", "mass=1:2:3", "--out", "a.parquet", "--resume")
    assert done.exit_code == 0 and done.stdout.startswith("3 members, 0 failed, 3 reused")
    assert parquet.read_table(tmp_path / "a.parquet").equals(before)
    done = call(*sweep, "--param", "mass=1:2:4", "--out", "a.parquet", "--resume")
    assert done.exit_code == 2 and "its number of members '3', not '4'" in done.stderr
    done = call(*sweep, "--param", "mass=1:2:3", "--resume")
    assert done.exit_code == 2 and "--resume needs a file" in done.stderr


def test_tables_are_combined_with_ranges(call, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("L,m\n1,2\n1.5,3\n", "utf-8")
    done = call("sweep", "pendulum", "--table", "t.csv", "--t", "0.01", "--json", "a.json")
    assert done.exit_code == 0, done.stderr
    assert json.loads((tmp_path / "a.json").read_text("utf-8"))["members"] == 2
    (tmp_path / "l.csv").write_text("L\n1\n1.5\n", "utf-8")
    done = call("sweep", "pendulum", "--table", "l.csv", "--param", "m=1,2,5", "--t", "0.01")
    assert done.exit_code == 0 and done.stdout.startswith("6 members")


def test_failed_members_are_named(call, stopping: Path, tmp_path: Path) -> None:
    done = call(
        *("sweep", stopping, "--param", "mass=1,2", "--t", "1", "--h", "0.01"),
        *("--json", "a.json", "--out", "a.parquet"),
    )
    assert done.exit_code == 3
    assert "2 of 2 members failed" in done.stderr and "Member 1 (mass = 2): " in done.stderr
    assert "Traceback" not in done.stderr
    summary = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert summary["failed"] == 2 and "not finite after t = 0.25 s" in summary["failures"]["0"]
    frame = parquet.read_table(tmp_path / "a.parquet").to_pandas()
    assert frame.height.notna().sum() == 2 * 26


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        ((), "nothing to sweep"),
        (("--param", "mas=1:2:3"), "no parameter 'mas'"),
        (("--param", "push=1:2:3"), "'push' is an argument of the model function"),
        (("--param", "mass=1:2"), "is not a range"),
        (("--param", "mass=1:2:0"), "is not a range"),
        (("--param", "mass=1:2:x"), "is not a range"),
        (("--param", "mass=1:y:3"), "'y' is not a number"),
        (("--param", "mass=1,,2"), "'' is not a number"),
        (("--param", "mass"), "not of the form name=value"),
        (("--param", "mass=1", "--param", "mass=2"), "twice"),
        (("--param", "mass=1", "--table", "good.csv"), "--param and --table both give 'mass'"),
        (("--table", "missing.csv"), "cannot be read (No such file or directory)"),
        (("--table", "short.csv"), "has no rows"),
        (("--table", "ragged.csv"), "Row 2 of --table"),
        (("--table", "words.csv"), "'heavy' is not a number"),
        (("--param", "mass=1", "--out", "a.csv"), "suffix '.csv'"),
        (("--param", "mass=1", "--out", "no/a.parquet"), "the folder 'no' is missing"),
        (("--param", "mass=1", "--series", "heigth"), "Did you mean"),
        (("--param", "mass=1", "--h", "0"), "not positive"),
        (("--param", "mass=1", "--method", "eulr"), "no method 'eulr'"),
        (("--param", "mass=nan"), "--param mass = nan is not a finite number"),
        (("--param", "mass=nan:1:3"), "--param mass = nan is not a finite number"),
        (("--param", "mass=1:2:100000000000"), "would be 100000000000 members"),
        (("--param", "mass=1:2:10000", "--param", "push=1:2:10000"), "would be 100000000 members"),
        (("--param", "mass=1", "--set", "mass=2"), "--set gives it as well"),
        (("--param", "mass=1", "--series", ","), "series is empty"),
        (("--param", "mass=1", "--json", "/proc/x.json"), "/proc"),
    ],
)
def test_refused(
    call, ball: Path, tmp_path: Path, arguments: tuple[str, ...], culprit: str
) -> None:
    (tmp_path / "good.csv").write_text("mass\n1\n", "utf-8")
    (tmp_path / "short.csv").write_text("mass\n", "utf-8")
    (tmp_path / "ragged.csv").write_text("mass,push\n1,2\n1\n", "utf-8")
    (tmp_path / "words.csv").write_text("mass\nheavy\n", "utf-8")
    before = sorted(tmp_path.iterdir())
    done = call("sweep", ball, "--t", "0.1", "--h", "0.01", *arguments)
    assert done.exit_code == 2, (done.exit_code, done.stderr, done.exception)
    assert culprit in done.stderr and done.stderr.count("error: ") == 1
    assert "Traceback" not in done.stderr + done.stdout
    assert sorted(p for p in tmp_path.iterdir() if p.name != "__pycache__") == before
