"""``mbdgen sensitivity``: derivatives of a motion by parameters and initial values."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mbdgen.cli import command_options
from mbdgen.cli.error_reports import FAILED, complain, set_up_logging

if TYPE_CHECKING:
    from mbdgen.runtime.results.result import Result


def sensitivity(
    model: command_options.Model,
    output: Annotated[
        list[str],
        typer.Option(metavar="SERIES", help="Series to differentiate (tip.y); repeatable."),
    ],
    parameter: Annotated[
        list[str],
        typer.Option(
            metavar="NAME",
            help="Variable of differentiation: a parameter, an initial coordinate (rod.x) or "
            "velocity (rod.x.dot); repeatable.",
        ),
    ],
    t: command_options.Span = "10",
    h: command_options.Step = 1e-3,
    method: command_options.Method = "newmark",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=NUMBER",
            help="Parameter of the model or option of the method; repeatable.",
        ),
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="Table of all series over time (csv).")] = None,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
    backend: command_options.Backend = "numba",
    layout: command_options.Layout = "auto",
    verbose: command_options.Verbose = 0,
) -> None:
    """Compute sensitivities of a motion: derivatives of series by parameters and initial values.

    Printed for every pair: the derivative at the end, and the largest one over time.
    """
    set_up_logging(verbose)
    if csv is not None:
        command_options.check_target(csv, "--csv", (".csv",))
    arguments = command_options.model_arguments(o, coordinates)
    asked = command_options.request(t, h, method, None, settings=settings)

    from mbdgen.compiler import load
    from mbdgen.runtime.results.result_series import Directory
    from mbdgen.runtime.simulate import simulate

    system = load(model, backend=backend, layout=layout, sensitivities=True, **arguments)
    command_options.check_unambiguous(asked.scheme_options, system.parameters, f"'{asked.method}'")
    system.set(**asked.parameters)
    series = [column.name for column in Directory(system.names).wanted(output)]
    result = simulate(system, asked.span, sensitivities=parameter, **asked.arguments)
    if not result.success:
        complain(f"The simulation of '{result.info.model}' failed. {result.message}")
        raise typer.Exit(FAILED)
    typer.echo(_text(result, series, parameter))
    if csv is not None:
        _write(result, series, parameter, csv)
        typer.echo(f"wrote {csv}", err=True)


def _text(result: "Result", series: list[str], parameters: list[str]) -> str:
    """Return a row for every pair."""
    from mbdgen.view.plain_text import aligned

    rows = [("derivative of", "by", "at the end", "largest", "unit")]
    for name in series:
        for parameter in parameters:
            values = result.sensitivity(name, parameter)
            unit = result.sensitivity_unit(name, parameter)
            rows.append((name, parameter, f"{values[-1]:.10g}", f"{abs(values).max():.6g}", unit))
    return aligned(rows, right=(2, 3))


def _write(result: "Result", series: list[str], parameters: list[str], path: Path) -> None:
    """Write the series as columns after the time."""
    import csv

    from mbdgen.runtime.program.atomic_files import replacing

    pairs = [(name, parameter) for name in series for parameter in parameters]
    columns = [result.t, *(result.sensitivity(*pair) for pair in pairs)]
    with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["t [s]", *(_heading(result, *pair) for pair in pairs)])
        writer.writerows([f"{x:.17g}" for x in row] for row in zip(*columns, strict=True))


def _heading(result: "Result", name: str, parameter: str) -> str:
    unit = result.sensitivity_unit(name, parameter)
    return f"d {name} / d {parameter}" + (f" [{unit}]" if unit else "")
