"""``mbdgen bench``: what it measures is tested by its file, how fast it is by nobody."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mbdgen.bench.rows import Row, ratios
from mbdgen.cli.app import app


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


@pytest.mark.parametrize(
    "wrong", [["--problem", "A99"], ["--backend", "fortran"], ["--peer", "nobody"]]
)
def test_wrong_names_are_refused(wrong: list[str]) -> None:
    assert CliRunner().invoke(app, ["bench", *wrong]).exit_code == 2


def row(program: str, cpu: float, error: float) -> Row:
    return Row("P", program, "", "", 1e-3, 10, cpu, cpu, 10, error, "energy_drift_J", 1.0)


def test_ratio_takes_the_best_that_meets_the_limit() -> None:
    rows = [row("mbdgen", 1.0, 2.0), row("mbdgen", 2.0, 0.5), row("mbdgen", 3.0, 0.1)]
    rows += [row("other", 1.0, 1.5), row("other", 8.0, 0.9)]
    found = ratios(rows)
    assert [(r["limit"], r["ratio"]) for r in found] == [(1.0, 4.0)]
    rows += [row("mbdgen", 6.0, 0.001), row("other", 12.0, 0.002)]
    assert [(r["limit"], r["ratio"]) for r in ratios(rows)] == [(1.0, 4.0), (0.01, 2.0)]
    assert not ratios(rows[:3])
