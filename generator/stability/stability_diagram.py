"""Diagram of the spectral radius over the step size, one line for each scheme."""

from collections.abc import Sequence
from pathlib import Path

from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.program.optional_libraries import import_optional
from mbdgen.stability.stability_limits import Stability

HIGHEST = 2.0
"""Largest spectral radius shown."""


def save_diagram(found: Sequence[Stability], path: Path) -> None:
    """Save a diagram of spectral radii as a picture."""
    figure = import_optional("matplotlib.figure", "plot").Figure(
        figsize=(8, 4.5), layout="constrained"
    )
    axes = figure.subplots()
    for one in found:
        damped = f", damping {one.damping:g}" if one.damping else ""
        axes.semilogx(one.steps, one.radii, linewidth=1.2, label=f"{one.scheme}{damped}")
    axes.axhline(1.0, color="black", linewidth=0.6)
    axes.set_ylim(0.0, HIGHEST)
    axes.set_xlabel("frequency times step size")
    axes.set_ylabel("spectral radius")
    axes.grid(True, which="both", alpha=0.25)
    axes.legend(fontsize="small")
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=150, format=path.suffix[1:])
