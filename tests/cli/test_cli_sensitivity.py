"""``mbdgen sensitivity``: rows on the terminal, series in a file, and what is refused."""

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mbdgen.cli.app import app

PENDULUM = ["sensitivity", "pendulum", "--t", "0.1", "--h", "0.01", "--layout", "flat"]


def test_rows_and_series(tmp_path: Path) -> None:
    out = tmp_path / "tip.csv"
    pairs = ["--output", "tip.y", "--output", "reaction", "--parameter", "L", "--parameter", "m"]
    done = CliRunner().invoke(app, [*PENDULUM, *pairs, "--set", "m=2", "--csv", str(out)])
    assert done.exit_code == 0, done.output
    head, *rows = done.stdout.strip().splitlines()
    assert head.split() == ["derivative", "of", "by", "at", "the", "end", "largest", "unit"]
    assert [row.split()[:2] for row in rows[:2]] == [["tip.y", "L"], ["tip.y", "m"]]
    assert len(rows) == 8 and rows[0].split()[-1] == "1" and rows[-1].split()[-1] == "N/kg"
    table = list(csv.DictReader(out.read_text().splitlines()))
    assert len(table) == 11 and float(table[-1]["t [s]"]) == pytest.approx(0.1)
    last = float(table[-1]["d tip.y / d L [1]"])
    # y = -L sin(gravity angle): free fall at first, whatever the length.
    assert last == pytest.approx(float(rows[0].split()[2]), rel=1e-9)
    assert abs(float(table[-1]["d tip.y / d m [m/kg]"])) < 1e-9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--output", "tip.y", "--parameter", "l"], "no parameter and no coordinate 'l'"),
        (["--output", "tip.q", "--parameter", "L"], "nothing called 'tip.q'"),
        (["--output", "tip.y", "--parameter", "L", "--method", "hht"], "has no sensitivities"),
        (["--output", "tip.y", "--parameter", "L", "--csv", "x.txt"], "suffix"),
    ],
)
def test_mistakes(arguments: list[str], message: str) -> None:
    done = CliRunner().invoke(app, [*PENDULUM, *arguments])
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())
