"""Plots of fields along beams: forces, strains, contact pressure over the length."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mbdgen.runtime.program.optional_libraries import import_optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from mbdgen.runtime.results.result import Result


def plot_profiles(
    result: "Result",
    beam: str,
    names: str | Sequence[str],
    t: float | Sequence[float] | None,
    ax: "Axes | None",
) -> "Axes":
    """Plot fields over the length of a beam at given instants, by default the last one."""
    wanted = [names] if isinstance(names, str) else list(names)
    instants = [float(result.t[-1])] if t is None else t
    instants = [instants] if isinstance(instants, float | int) else list(instants)
    if ax is None:
        ax = import_optional("matplotlib.pyplot", "plot").subplots()[1]
    units = set()
    for name in wanted:
        for instant in instants:
            found = result.along(beam, name, instant)
            values = found.values.reshape(len(found.s), -1)
            labels = [name] if values.shape[1] == 1 else [f"{name}.{c}" for c in "xyz"]
            for label, column in zip(labels, values.T, strict=True):
                more = f", t = {instant:g} s" if len(instants) > 1 else ""
                ax.plot(found.s, column, label=f"{label}{more}")
            units.add(found.unit)
    ax.set_xlabel(f"distance along {beam} [m]")
    unit = f" [{units.pop()}]" if len(units) == 1 else ""
    ax.set_ylabel(f"{wanted[0] if len(wanted) == 1 else ''}{unit}".strip())
    ax.legend()
    ax.grid(alpha=0.3)
    return ax
