"""``mbdgen bench``: what it measures is tested by its file, how fast it is by nobody."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mbdgen.bench import ours
from mbdgen.bench.benchmark_rows import BenchmarkRow, failure, ratios
from mbdgen.bench.benchmark_run import measure, write
from mbdgen.bench.problems import PROBE, Problem
from mbdgen.bench.references import References
from mbdgen.cli.app import app
from mbdgen.errors import OptionError
from mbdgen.runtime.results.json_files import write_json
from mbdgen.runtime.results.result import Result


def test_rows_of_a_small_problem(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    done = CliRunner().invoke(
        app,
        ["bench", "--problem", "A01", "--backend", "numba", "--repeat", "1", "--json", str(path)],
    )
    assert done.exit_code == 0, done.output
    data = json.loads(path.read_text("utf-8"))
    rows = [row for row in data["rows"] if row["kind"] == "measurement"]
    wanted = "problem program backend settings h steps cpu_s us_per_step us_per_newton error"
    assert {*wanted.split(), "error_measure"} <= set(rows[0])
    newmark = [row for row in rows if row["settings"] == "newmark"]
    assert [row["steps"] for row in newmark] == [round(10.0 / row["h"]) for row in newmark]
    for coarse, fine in pairwise(newmark):
        assert fine["error"] <= 1.1 * coarse["error"] * (fine["h"] / coarse["h"]) ** 2
    assert "work and precision" in done.output


@pytest.mark.slow
def test_a_backend_that_does_not_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/nonexistent")
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "b.json"
    command = ["bench", "--problem", "A01", "--backend", "c", "--quiet", "--json", str(path)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 3, done.output
    assert "'/nonexistent' cannot be started" in done.stderr
    assert "Set CC to a working compiler" in done.stderr
    assert json.loads(path.read_text("utf-8"))["rows"] == []


PENDULUM = Problem("P", "pendulum", 0.1, PROBE, 1e-3, {"newmark": (1e-2,)}, (), {}, False,
                   ("tip.x", "tip.y"), 1e-3)  # fmt: skip


def test_a_reference_is_computed_once_by_the_backend_that_is_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CC", "/nonexistent")
    references = References()
    (row,) = ours.rows(PENDULUM, "numba", 1, references)
    assert row.error is not None and 0.0 < row.error < 1e-3
    monkeypatch.setattr("mbdgen.bench.references.load", None)  # another call of it would fail
    (again,) = ours.rows(PENDULUM, "numba", 1, references)
    assert again.error == row.error


def test_a_sampled_run_that_fails_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ours._sampled

    def stopped(*arguments: Any) -> Result:
        return replace(whole(*arguments), success=False, message="stopped")

    monkeypatch.setattr(ours, "_sampled", stopped)
    (row,) = ours.rows(PENDULUM, "numba", 1, References())
    assert (row.failed, row.error, row.met) == ("stopped", None, False)


def test_every_problem_is_handed_over_when_it_is_done() -> None:
    problems = [replace(PENDULUM, name=name) for name in ("one", "two")]
    said: list[str] = []
    found = measure(problems, ["numba"], False, 1, said.append)
    assert [row.problem for row in next(found)] == ["one"] and said == ["one: numba"]
    assert [row.problem for row in next(found)] == ["two"]


@pytest.mark.parametrize(
    "wrong", [["--problem", "A99"], ["--backend", "fortran"], ["--peer", "nobody"]]
)
def test_wrong_names_are_refused(wrong: list[str]) -> None:
    assert CliRunner().invoke(app, ["bench", *wrong]).exit_code == 2


def row(program: str, cpu: float, error: float) -> BenchmarkRow:
    return BenchmarkRow("P", program, "", "", 1e-3, 10, cpu, cpu, 10, error, "energy_drift_J", 1.0)


def test_ratio_takes_the_best_that_meets_the_limit() -> None:
    rows = [row("mbdgen", 1.0, 2.0), row("mbdgen", 2.0, 0.5), row("mbdgen", 3.0, 0.1)]
    rows += [row("other", 1.0, 1.5), row("other", 8.0, 0.9)]
    found = ratios(rows)
    assert [(r["limit"], r["ratio"]) for r in found] == [(1.0, 4.0)]
    rows += [row("mbdgen", 6.0, 0.001), row("other", 12.0, 0.002)]
    assert [(r["limit"], r["ratio"]) for r in ratios(rows)] == [(1.0, 4.0), (0.01, 2.0)]
    assert not ratios(rows[:3])


def test_numbers_that_are_none_are_null_and_files_are_whole(tmp_path: Path) -> None:
    failed = failure(PENDULUM, "mbdgen", "c", "NaN-proof", 1e-3, "stopped")
    path = tmp_path / "b.json"
    write(path, [failed], 1)
    (found,) = json.loads(path.read_text("utf-8"))["rows"]
    assert found["cpu_s"] is None and found["settings"] == "NaN-proof"
    before = path.read_bytes()
    with pytest.raises(TypeError):
        write_json(path, {"object": object()})
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    with pytest.raises(OptionError, match=r"Cannot write '/proc/x\.json'"):
        write(Path("/proc/x.json"), [failed], 1)
