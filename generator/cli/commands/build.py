"""``mbdgen build``: compile a model to a module."""

from pathlib import Path
from typing import Annotated

import typer

from mbdgen.cli import command_options
from mbdgen.cli.error_reports import set_up_logging


def build(
    model: command_options.Model,
    out: Annotated[Path, typer.Option(help="Folder of the module.")] = Path("generated"),
    backend: command_options.Backend = "numba",
    layout: command_options.Layout = "auto",
    freeze: command_options.Freeze = None,
    engine: command_options.Engine = "sympy",
    coordinates: command_options.Coordinates = None,
    reduced: command_options.Reduced = False,
    eliminate: command_options.Eliminate = False,
    second: command_options.Second = False,
    sensitivities: command_options.Sensitivities = False,
    threads: command_options.Threads = None,
    o: command_options.Arguments = None,
    verbose: command_options.Verbose = 0,
) -> None:
    """Compile a model to a module of the target language and print its path.

    Numbers of unknowns, the layout and the time of every stage go to stderr.
    """
    set_up_logging(verbose)
    arguments = command_options.model_arguments(o, coordinates)

    from mbdgen.build_options import BuildOptions
    from mbdgen.compiler import build_report
    from mbdgen.runtime.program.processors import limit

    limit(threads)
    frozen = tuple(freeze or ())
    chosen = BuildOptions(
        backend, layout, frozen, engine, reduced, second, sensitivities, eliminate
    )
    kind = arguments.pop("coordinates", None)
    report = build_report(model, chosen, out, arguments, kind)
    typer.echo(report.path)
    typer.echo(report.summary, err=True)
    times = ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in report.seconds.items())
    typer.echo(times if report.fresh else f"{times}; the module was up to date.", err=True)
