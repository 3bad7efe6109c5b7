"""The short table at the end of every run."""

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from mbdgen.runtime.result import Counters, Result


def summary_rows(result: "Result") -> list[tuple[str, str]]:
    """Pairs (what, value) of the run: work, accuracy, seconds."""
    counters = result.counters
    timings = result.timings
    wall = sum(timings.values())
    if "run_s" in timings:  # solve_s is the processor time within run_s
        wall -= timings.get("solve_s", 0.0)
    return [
        ("time reached", f"{result.info.t_end:.6g} s"),
        ("steps", _steps(counters)),
        ("Newton iterations", str(counters.newton_iterations)),
        ("factorisations", str(counters.factorisations)),
        ("max |phi|", f"{counters.max_phi:.2e}"),
        ("max |phi_dot|", f"{counters.max_phi_dot:.2e}"),
        ("max |phi_ddot|", f"{counters.max_phi_ddot:.2e}"),
        ("energy drift", f"{counters.energy_drift:.2e} J"),
        *((name.replace("_", " "), f"{x:.6g}") for name, x in result.measures.items()),
        ("wall time", f"{wall:.3g} s ({_shares(result.timings)})" if result.timings else "unknown"),
    ]


def summary_table(result: "Result") -> Table:
    """Table for the terminal; the caller chooses the console, normally one on stderr."""
    info = result.info
    title = f"{info.model}: {info.method}, {info.formulation}, {info.backend} {info.layout}"
    if info.reduced:
        title += " reduced"
    style = "green" if result.success else "red"
    # Text, not str: names such as "pin[x]" in a message would be read as markup and vanish.
    caption = Text(result.message, style=style)
    table = Table(title=Text(title), caption=caption, show_header=False)
    table.add_column(justify="left")
    table.add_column(justify="right")
    for what, value in summary_rows(result):
        table.add_row(what, value)
    return table


def _steps(counters: "Counters") -> str:
    """Say how many were taken back, if steps were chosen by their error."""
    if counters.accepted in (0, counters.steps):  # results of earlier versions say 0
        return str(counters.steps)
    return f"{counters.steps} ({counters.accepted} accepted, {counters.rejected} rejected)"


def _shares(timings: dict[str, float]) -> str:
    return ", ".join(
        f"{name.removesuffix('_s')} {seconds:.3g}" for name, seconds in timings.items()
    )
