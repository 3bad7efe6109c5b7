"""Plots of results over time or another series; matplotlib is imported only when drawing."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.program.optional_libraries import import_optional
from mbdgen.runtime.results import result_series as naming
from mbdgen.runtime.results.series_expressions import Expression
from mbdgen.runtime.system.system_data import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from mbdgen.runtime.results.result import Result

LEGEND_INSIDE = 6
COLOURS = 10  # length of matplotlib's colour cycle
STYLES = ("-", "--", ":", "-.")
COMPONENTS = ("x", "y", "z")


@dataclass(frozen=True)
class PlottedCurve:
    """One curve of a plot.

    Attributes
    ----------
    name, unit, group : str
        Name, unit, and the group that it shares with related curves.
    values : array
        Value at each instant.
    """

    name: str
    unit: str
    group: str
    values: FloatArray


def plot_results(
    results: "Sequence[Result]",
    names: str | Sequence[str] | None = None,
    labels: Sequence[str] = (),
    against: str = "t",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the same series of one or more results in one figure.

    Parameters
    ----------
    results : sequence of Result
        Results to draw.
    names : str or sequence of str, optional
        Series, groups or expressions; by default all outputs, or all coordinates if the model has
        no outputs.
    labels : sequence of str
        Label of each result; by default the settings in which they differ.
    against : str
        Abscissa: one series or expression.
    ax : Axes, optional
        Axes to draw on; a new pyplot figure by default. No window is opened.

    Returns
    -------
    Axes
        The axes drawn on.
    """
    runs = list(results)
    from mbdgen.runtime.results.result import Result

    for given in runs:
        if not isinstance(given, Result):
            raise OptionError(
                f"{given!r} is not a Result.", "Give a result of simulate or load_result."
            )
    if not runs:
        raise OptionError("There is nothing to plot.", "Give at least one result.")
    called = _labels(runs, labels)
    drawn = [(curves(run, names), abscissa(run, against)) for run in runs]
    if ax is None:
        _, ax = import_optional("matplotlib.pyplot", "plot").subplots(layout="constrained")
    start = len(ax.lines)
    for j, (lines, right) in enumerate(drawn):
        run = called[j] if len(drawn) > 1 else ""
        for k, (line, label) in enumerate(zip(lines, _legend(lines, run), strict=True)):
            # One series: a colour per run. Several: a colour per series, line styles per run.
            colour = f"C{(start + (j if len(lines) == 1 else k)) % COLOURS}"
            style = STYLES[j % len(STYLES)]
            # A line of one point is invisible.
            marker = "o" if len(line.values) == 1 else None
            ax.plot(
                *(right.values, line.values, style),
                color=colour,
                label=label,
                linewidth=1.2,
                marker=marker,
            )
    _finish(ax, runs, *drawn[0])
    return ax


def _legend(lines: list[PlottedCurve], run: str) -> list[str]:
    """Return the label of each curve, with its unit if units differ."""
    mixed = len({line.unit for line in lines}) > 1
    names = [f"{x.name} [{x.unit}]" if x.unit and mixed else x.name for x in lines]
    if not run:
        return names
    return [run] if len(lines) == 1 else [f"{name} ({run})" for name in names]


def _finish(
    ax: "Axes", runs: "list[Result]", lines: list[PlottedCurve], right: PlottedCurve
) -> None:
    """Set labels, legend and grid of the axes."""
    ax.set_xlabel(f"{right.name} [{right.unit}]" if right.unit else right.name)
    ax.set_ylabel(_axis_label(lines))
    ax.set_title(", ".join(dict.fromkeys(run.info.model for run in runs)))
    ax.grid(True, alpha=0.3)
    if right.name == "t":
        ax.margins(x=0)
    count = len(lines) * len(runs)
    if count > LEGEND_INSIDE:
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize="small")
    elif count > 1:
        ax.legend()


def save_plot(
    result: "Result",
    names: str | Sequence[str] | None,
    path: str | os.PathLike[str],
    against: str = "t",
) -> None:
    """Draw series into a picture file, without pyplot, which would need a display."""
    figure = import_optional("matplotlib.figure", "plot").Figure(
        figsize=(8, 4.5), layout="constrained"
    )
    suffix = Path(path).suffix.lower().lstrip(".")
    if suffix not in figure.canvas.get_supported_filetypes():
        raise OptionError(
            f"Cannot save a plot as '{path}': the suffix is unknown.", "Use .png, .svg or .pdf."
        )
    plot_results([result], names, against=against, ax=figure.subplots())
    with replacing(path) as temporary:
        figure.savefig(temporary, format=suffix, dpi=150)


def curves(result: "Result", names: str | Sequence[str] | None) -> list[PlottedCurve]:
    """Return the curves to draw, in the requested order, without duplicates.

    Raises
    ------
    OptionError
        If there is none, or a name is unknown to the result.
    """
    if names is None:
        found = _columns(result, result.directory.wanted(None))
    else:
        asked = [names] if isinstance(names, str) else list(names)
        found = [curve for name in asked for curve in _curves_of(result, name)]
    if not found:
        raise OptionError("There is nothing to plot.", "Name at least one series of the result.")
    return list({curve.name: curve for curve in found}.values())


def abscissa(result: "Result", against: str) -> PlottedCurve:
    """Return the curve of the abscissa."""
    found = _curves_of(result, against)
    if len(found) != 1:
        raise OptionError(
            f"{against!r} has {len(found)} components, but an abscissa has one.",
            f"Choose one of them, such as {found[0].name}.",
        )
    return found[0]


def _curves_of(result: "Result", name: str) -> list[PlottedCurve]:
    """Return a series, the series of a group, or the components of an expression."""
    if name == "t":
        return [PlottedCurve("t", "s", "t", result.t)]
    if name in result.directory:
        return _columns(result, result.directory.wanted(name))
    values = Expression.parse(name).value(result)
    if values.ndim < 2:
        return [PlottedCurve(name, "", "", np.broadcast_to(values, result.t.shape))]
    letters = COMPONENTS if values.shape[1] <= len(COMPONENTS) else map(str, range(values.shape[1]))
    pairs = zip(letters, values.T, strict=False)
    return [PlottedCurve(f"{name} {letter}", "", name, column) for letter, column in pairs]


def _columns(result: "Result", found: list[naming.SeriesColumn]) -> list[PlottedCurve]:
    values = naming.matrix(result, found)
    return [PlottedCurve(c.name, c.unit, c.group, values[:, k]) for k, c in enumerate(found)]


def _labels(runs: "list[Result]", given: Sequence[str]) -> list[str]:
    """Return the labels of the runs: as given, or the settings in which they differ."""
    labels = [given] if isinstance(given, str) else list(given)
    if labels and len(labels) != len(runs):
        raise OptionError(
            f"There are {len(labels)} labels for {len(runs)} results.", "Give one for each."
        )
    if labels:
        return labels
    infos = [run.info for run in runs]
    facts = (
        [info.model for info in infos],
        [f"{info.method}, {info.formulation}" for info in infos],
        [f"h = {info.h:g} s" if info.h else "adaptive steps" for info in infos],
        [", ".join(f"{k} = {x:g}" for k, x in info.parameters.items()) for info in infos],
    )
    differing = [fact for fact in facts if len(set(fact)) > 1]
    found = [", ".join(parts) for parts in zip(*differing, strict=True)] if differing else []
    if len(set(found)) == len(runs):
        return found
    return [f"run {k}" for k in range(1, len(runs) + 1)]


def _axis_label(lines: list[PlottedCurve]) -> str:
    """Return the common name of all curves, and all their units."""
    units = dict.fromkeys(line.unit for line in lines)
    groups = {line.group for line in lines}
    name = lines[0].name if len(lines) == 1 else groups.pop() if len(groups) == 1 else ""
    known = ", ".join(unit for unit in units if unit)
    return f"{name} [{known}]".strip() if known else name
