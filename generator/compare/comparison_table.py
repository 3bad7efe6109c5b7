"""Table of a comparison for the terminal, with columns wide enough for long names."""

from mbdgen.compare.comparison import Comparison
from mbdgen.compare.comparison_row import ComparisonRow
from mbdgen.view.plain_text import aligned

_HEADINGS = (
    *("scheme", "backend", "step", "error", "order", "energy [J]", "spread [%]", "motor [J]"),
    *("|phi|", "|phi_dot|", "|phi_ddot|", "it/step", "CPU [ms]"),
)


def table(comparison: Comparison) -> str:
    """Return the table of all runs, in the given order of schemes, without empty columns."""
    start, end = comparison.span
    title = f"{comparison.model}, {start:g} to {end:g} s, against {comparison.reference}"
    cells = [_HEADINGS, *(_cells(row) for row in comparison.rows)]
    filled = [k for k in range(len(_HEADINGS)) if any(row[k] for row in cells[1:])]
    rows = [[row[k] for k in filled] for row in cells]
    return f"{title}\n\n{aligned(rows, right=range(2, len(filled)))}"


def _cells(row: ComparisonRow) -> tuple[str, ...]:
    cells = (row.scheme, row.backend, row.step.text)
    if row.failed:
        return *cells, "failed", *[""] * (len(_HEADINGS) - 4)
    order = "" if row.order is None else f"{row.order:.2f}"
    sizes = (
        row.energy_drift,
        row.energy_spread,
        row.motor_balance,
        row.phi,
        row.phi_dot,
        row.phi_ddot,
    )
    per_step = f"{row.iterations / row.steps:.1f}" if row.iterations else ""
    time = f"{1e3 * (row.cpu or 0.0):.2f}"
    return *cells, _short(row.error), order, *(_short(size) for size in sizes), per_step, time


def remarks(comparison: Comparison) -> list[str]:
    """Return remarks on an earlier end, on failures and on invalid combinations."""
    end, wanted = comparison.span[1], comparison.wanted_end
    early = (
        [
            f"The comparison ends at {end:g} s instead of {wanted:g} s: the last common multiple "
            f"of all steps."
        ]
        if end != wanted
        else []
    )
    failed = [f"{r.scheme}, {r.step.text}: {r.failed}" for r in comparison.rows if r.failed]
    impossible = [f"{i.name} is not possible: {i.reason}" for i in comparison.impossible]
    return early + failed + impossible


def _short(x: float | None) -> str:
    return "" if x is None else f"{x:.1e}"
