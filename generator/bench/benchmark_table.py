"""Tables of benchmark rows and ratios for the terminal."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from mbdgen.bench.benchmark_rows import BenchmarkRow

_LEFT = ("problem", "program", "backend", "settings")


def measurements(rows: Sequence[BenchmarkRow]) -> Table:
    """Return the table of all rows; those above the error limit are dim."""
    table = Table(title="work and precision")
    for name in (*_LEFT, "h", "CPU ms", "us/step", "us/Newton", "error", "limit"):
        table.add_column(name, justify="left" if name in _LEFT else "right")
    for row in rows:
        known = row.as_dict()
        cells = [row.problem, row.program, row.backend, row.settings, f"{row.h:g}"]
        if row.failed:
            cells += ["failed", "", "", row.failed[:40], ""]
        else:
            cells += [
                f"{1e3 * row.cpu_s:.3f}",
                _number(known["us_per_step"]),
                _number(known["us_per_newton"]),
                "" if row.error is None else f"{row.error:.2e}",
                f"{row.limit:.0e}",
            ]
        table.add_row(*cells, style="" if row.met else "dim")
    return table


def comparison(ratios: Sequence[dict[str, Any]]) -> Table:
    """Return the table of the ratios."""
    table = Table(title="CPU time of the best setting within the limit: theirs / ours")
    for name in ("problem", "error", "ratio", "ours", "ms", "theirs", "ms"):
        table.add_column(name, justify="right" if name in ("error", "ratio", "ms") else "left")
    for r in ratios:
        table.add_row(
            r["problem"], f"{r['limit']:.1e}", f"{r['ratio']:.1f}",
            r["ours"], f"{1e3 * r['our_cpu_s']:.3f}",
            f"{r['program']} {r['theirs']}", f"{1e3 * r['their_cpu_s']:.3f}",
        )  # fmt: skip
    return table


def _number(x: float | None) -> str:
    return "" if x is None else f"{x:.3g}"
