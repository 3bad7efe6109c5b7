"""Plots of a result over time; matplotlib is imported only when something is drawn."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mbdgen.errors import OptionError
from mbdgen.runtime import columns as naming
from mbdgen.runtime.atomic import replacing
from mbdgen.runtime.export import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from mbdgen.runtime.result import Result

LEGEND_INSIDE = 6


def plot(
    result: "Result", names: str | Sequence[str] | None = None, ax: "Axes | None" = None
) -> "Axes":
    """Draw series over time.

    Parameters
    ----------
    result : Result
        What to draw.
    names : str or sequence of str, optional
        Series or groups; by default all outputs, or all coordinates if the model has no outputs.
    ax : Axes, optional
        Where to draw; a new pyplot figure by default. Nothing is shown.

    Returns
    -------
    Axes
        The axes drawn on.
    """
    lines = wanted(result, names)
    if ax is None:
        _, ax = require("matplotlib.pyplot", "plot").subplots(layout="constrained")
    units = list(dict.fromkeys(line.unit for line in lines))
    values = naming.matrix(result, lines)
    for k, line in enumerate(lines):
        label = f"{line.name} [{line.unit}]" if line.unit and len(units) > 1 else line.name
        marker = "o" if len(result.t) == 1 else None  # a line of one point shows nothing
        ax.plot(result.t, values[:, k], label=label, linewidth=1.2, marker=marker)
    ax.set_xlabel("t [s]")
    ax.set_ylabel(_axis_label(lines, units))
    ax.set_title(result.info.model)
    ax.grid(True, alpha=0.3)
    ax.margins(x=0)
    if len(lines) > LEGEND_INSIDE:
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize="small")
    elif len(lines) > 1:
        ax.legend()
    return ax


def save_plot(
    result: "Result", names: str | Sequence[str] | None, path: str | os.PathLike[str]
) -> None:
    """Draw series into a picture file, without pyplot, so that no display is ever needed."""
    figure = require("matplotlib.figure", "plot").Figure(figsize=(8, 4.5), layout="constrained")
    suffix = Path(path).suffix.lower().lstrip(".")
    if suffix not in figure.canvas.get_supported_filetypes():
        raise OptionError(
            f"Cannot save a plot as '{path}': the suffix is unknown.", "Use .png, .svg or .pdf."
        )
    plot(result, names, figure.subplots())
    with replacing(path) as temporary:
        figure.savefig(temporary, format=suffix, dpi=150)


def wanted(result: "Result", names: str | Sequence[str] | None) -> list[naming.Column]:
    """Columns to draw, in the order asked for, each once."""
    found = result.directory.wanted(names)
    if not found:
        raise OptionError("There is nothing to plot.", "Name at least one series of the result.")
    return found


def _axis_label(lines: list[naming.Column], units: list[str]) -> str:
    """Name what all lines have in common, and all their units."""
    groups = {line.group for line in lines}
    name = lines[0].name if len(lines) == 1 else groups.pop() if len(groups) == 1 else ""
    known = ", ".join(unit for unit in units if unit)
    return f"{name} [{known}]".strip() if known else name
