"""``mbdgen analyse``: an analysis of a model, of its motion, or of a saved result."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mbdgen.cli import command_options
from mbdgen.cli.error_reports import FAILED, complain, set_up_logging

if TYPE_CHECKING:
    from mbdgen.analyses.analysis_table import Table
    from mbdgen.runtime.results.result import Result

MOST_ROWS = 40
"""Number of rows shown; ``--out`` writes all of them."""


def analyse(
    subject: Annotated[
        str, typer.Argument(metavar="MODEL", help="A model, or a result saved as .npz.")
    ],
    analysis: Annotated[
        str, typer.Argument(help="Name of the analysis, such as modes or spectrum.")
    ],
    choices: Annotated[
        list[str] | None,
        typer.Option(
            "--choose", "-c", metavar="NAME=VALUE", help="Option of the analysis; repeatable."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File of all rows (csv or json).")] = None,
    t: Annotated[str, typer.Option(metavar="END|START:END", help="Time span in seconds.")] = "10",
    h: Annotated[float, typer.Option(help="Step size in seconds.")] = 1e-3,
    method: Annotated[str, typer.Option(help="Integrator.")] = "newmark",
    parameters: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=NUMBER", help="Parameter of the model; repeatable."),
    ] = None,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
    backend: command_options.Backend = "numba",
    layout: command_options.Layout = "auto",
    verbose: command_options.Verbose = 0,
) -> None:
    """Run an analysis of a model or of a motion, which is simulated first or loaded.

    Time span, step size and method apply to analyses of motions only.
    """
    set_up_logging(verbose)
    given = command_options.assignments(choices, "--choose")
    values = command_options.numbers(parameters, "--set")
    span = command_options.as_span(t)
    if out is not None:
        command_options.check_target(out, "--out", (".csv", ".json"))

    from mbdgen.analyses.base import MotionAnalysis
    from mbdgen.analyses.by_name import analyse as found_by
    from mbdgen.analyses.by_name import choose
    from mbdgen.compiler import load
    from mbdgen.runtime.results.result_archive import load_result
    from mbdgen.runtime.simulate import simulate

    of_motion = isinstance(choose(analysis, given), MotionAnalysis)
    studied: Any
    if Path(subject).suffix == ".npz":
        studied = load_result(subject)
    else:
        arguments = command_options.model_arguments(o, coordinates)
        studied = load(subject, backend=backend, layout=layout, **arguments)
        studied.set(**values)
        if of_motion:
            studied = _complete(simulate(studied, span, method=method, h=h))
    fields: dict[str, Any] = {**given}
    table = found_by(studied, analysis, **fields)
    if out is not None:
        table.save(out)
    typer.echo(_text(table))


def _complete(result: "Result") -> "Result":
    if not result.success:
        complain(f"The simulation of '{result.info.model}' failed. {result.message}")
        raise typer.Exit(FAILED)
    return result


def _text(table: "Table") -> str:
    """Return title and rows, numbers with six digits."""
    from mbdgen.view.plain_text import aligned

    cells = [
        [column.heading, *(x if isinstance(x, str) else f"{x:.6g}" for x in column.values)]
        for column in table.columns
    ]
    rows = list(zip(*cells, strict=True))
    shown = aligned(rows[: MOST_ROWS + 1], right=range(len(cells)))
    more = len(rows) - 1 - MOST_ROWS
    return f"{table.title}\n\n{shown}" + (f"\n... and {more} more rows" if more > 0 else "")
