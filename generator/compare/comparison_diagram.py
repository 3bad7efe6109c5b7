"""Work-precision diagram: error against CPU time, one line for each scheme."""

from pathlib import Path

from mbdgen.compare.comparison import Comparison
from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.program.optional_libraries import import_optional

MARKERS = "os^vD<>pPX*h"


def save_diagram(comparison: Comparison, path: Path) -> None:
    """Save the diagram of a comparison as a picture."""
    figure = import_optional("matplotlib.figure", "plot").Figure(
        figsize=(9, 6), layout="constrained"
    )
    axes = figure.subplots()
    done = [row for row in comparison.rows if row.error and row.cpu]
    several = len({row.backend for row in done}) > 1
    lines = dict.fromkeys((row.scheme, row.backend) for row in done)
    for k, (scheme, backend) in enumerate(lines):
        rows = sorted(
            (row for row in done if (row.scheme, row.backend) == (scheme, backend)),
            key=lambda row: -(row.h or row.rtol or 0.0),
        )
        axes.loglog(
            [row.cpu for row in rows],
            [row.error for row in rows],
            marker=MARKERS[k % len(MARKERS)],
            markersize=5,
            linewidth=1.2,
            label=f"{scheme} ({backend})" if several else scheme,
        )
    axes.set_xlabel("CPU time of the solution [s]")
    axes.set_ylabel("largest relative error of the outputs")
    start, end = comparison.span
    axes.set_title(f"{comparison.model}, {start:g} to {end:g} s, against {comparison.reference}")
    axes.grid(True, which="both", alpha=0.25)
    if lines:
        axes.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.01, 1.0))
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=150, format=path.suffix[1:])
