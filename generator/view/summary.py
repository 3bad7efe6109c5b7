"""Log of a run for a terminal: settings, outcome and computing time."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from mbdgen.runtime.results.result_series import coordinate_unit
from mbdgen.runtime.results.sentence_parts import counted

if TYPE_CHECKING:
    from mbdgen.runtime.results.result import Result
    from mbdgen.runtime.stepping.run_info import Counters

Rows = Sequence[tuple[str, str]]
NOTHING: Mapping[str, str] = MappingProxyType({})
WIDTH = 14
"""Width of the first column, common to consecutive tables."""


def set_up_rows(result: "Result", origins: Mapping[str, str] = NOTHING) -> list[tuple[str, str]]:
    """Return rows (label, value) of the model and the settings of a run.

    Parameters
    ----------
    result : Result
        Result of the run.
    origins : mapping of str to str
        Origin of ``method``, ``h`` and ``t``, where the user did not choose them.
    """
    info = result.info
    own = info.n_phi - len(result.names.multipliers)
    equations = f"{counted(info.n_phi - own, 'equation')} of joints"
    if own:
        equations += f" and {own} of orientations"
    backend = f"{info.backend} {info.layout}{' reduced' if info.reduced else ''}"
    method = _marked(info.method, "method", origins)
    return [
        ("constraints", f"{equations}, on {counted(info.n_q, 'coordinate')}"),
        ("mobility", counted(info.dof, "degree of freedom", "degrees of freedom")),
        ("redundancy", info.redundancy or "none"),
        ("initial values", _corrections(info.corrections)),
        ("method", f"{method}: {info.formulation}; {backend}"),
        ("time span", _span(result, origins)),
    ]


def guided_rows(result: "Result") -> list[tuple[str, str]]:
    """Return rows (label, value) of a kinematic simulation, which has no energy balance."""
    rows = dict([*set_up_rows(result), *outcome_rows(result)])
    first, last, number = result.t[0], result.t[-1], len(result.t)
    rows["time span"] = f"{first:.6g} to {last:.6g} s, {counted(number, 'position')}"
    rows["termination"] = rows["termination"] if result.success else "abnormal"
    names = "constraints", "redundancy", "method", "time span", "max |phi|"
    return [(name, rows[name]) for name in (*names, "CPU time", "wall time", "termination")]


def outcome_rows(result: "Result") -> list[tuple[str, str]]:
    """Return rows (label, value) of the outcome: steps, accuracy, times, termination."""
    counters, timings = result.counters, result.timings
    work = f"{counters.evaluations} ({counters.newton_iterations} Newton iterations, "
    work += f"{counters.factorisations} factorisations)"
    wall = sum(timings.values())
    if "run_s" in timings:  # solve_s is the processor time within run_s
        wall -= timings.get("solve_s", 0.0)
    solving = f"{timings['solve_s']:.3g} s for the solution" if "solve_s" in timings else "unknown"
    drift = f"{counters.energy_drift:.2e} J"
    moved = [("steps", _steps(counters)), ("energy drift", drift)] if counters.steps else []
    return [
        *moved,
        ("evaluations", work),
        ("max |phi|", _violations(counters)),
        *(result.accuracy.rows if counters.steps else []),
        *((name.replace("_", " "), f"{x:.6g}") for name, x in result.measures.items()),
        ("CPU time", solving),
        ("wall time", f"{wall:.3g} s ({_shares(timings, wall)})" if timings else "unknown"),
        ("termination", f"{'' if result.success else 'ab'}normal: {result.message}"),
    ]


def log(title: str, rows: Rows) -> Group:
    """Return rows for the terminal below a title; the caller chooses the console."""
    # Text, not str: names such as "pin[x]" would be parsed as markup and vanish.
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", width=WIDTH)
    table.add_column()
    for what, value in rows:
        table.add_row(Text(what), Text(value))
    return Group(Text(title, style="bold"), table) if title else Group(table)


def _corrections(changes: dict[str, float]) -> str:
    """Describe the corrections of initial values by assembly."""
    if not changes:
        return "consistent as given"
    parts = []
    for name, change in changes.items():
        rate = name.endswith(".dot")
        unit = coordinate_unit(name.removesuffix(".dot"))
        unit = {"": "", "1": "/s" if rate else ""}.get(unit, f"{unit}/s" if rate else unit)
        kind = "velocities" if rate else "positions"
        parts.append(f"{kind} by up to {abs(change):.3g} {unit}".rstrip() + f" ({name})")
    return f"corrected: {', '.join(parts)}"


def _span(result: "Result", origins: Mapping[str, str]) -> str:
    info = result.info
    if len(result.t) == 1 and info.t_start == info.t_end and result.counters.steps == 0:
        return f"t = {info.t_end:g} s, a snapshot"
    steps = "adaptive steps" if info.h is None else f"steps of {info.h:g} s"
    end = _marked(f"{info.t_end:.6g} s", "t", origins)
    return f"{info.t_start:g} to {end} in {_marked(steps, 'h', origins)}"


def _marked(text: str, name: str, origins: Mapping[str, str]) -> str:
    return f"{text} ({origins[name]})" if name in origins else text


def _violations(counters: "Counters") -> str:
    first, second = counters.max_phi_dot, counters.max_phi_ddot
    return f"{counters.max_phi:.2e}, |phi_dot| {first:.2e}, |phi_ddot| {second:.2e}"


def _steps(counters: "Counters") -> str:
    """Return the number of steps, and of those rejected or repeated after divergence."""
    if counters.accepted in (0, counters.steps) and not counters.rejected:  # 0: earlier versions
        return str(counters.steps)
    return f"{counters.steps} ({counters.accepted} accepted, {counters.rejected} rejected)"


def _shares(timings: dict[str, float], wall: float) -> str:
    """Return the stages that took more than a hundredth of the time."""
    return ", ".join(
        f"{name.removesuffix('_s')} {seconds:.3g}"
        for name, seconds in timings.items()
        if seconds > 0.01 * wall
    )
