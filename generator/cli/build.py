"""``mbdgen build``: compile a model to a module."""

from pathlib import Path
from typing import Annotated

import typer

from mbdgen.cli import options
from mbdgen.cli.guard import set_up_logging


def build(
    model: options.Model,
    out: Annotated[Path, typer.Option(help="Folder of the module.")] = Path("generated"),
    backend: options.Backend = "numba",
    layout: options.Layout = "auto",
    freeze: options.Freeze = None,
    engine: options.Engine = "sympy",
    coordinates: options.Coordinates = None,
    reduced: options.Reduced = False,
    eliminate: options.Eliminate = False,
    second: options.Second = False,
    sensitivities: options.Sensitivities = False,
    threads: options.Threads = None,
    o: options.Arguments = None,
    verbose: options.Verbose = 0,
) -> None:
    """Compile a model to a module of the target language and print its path.

    Counts, layout and the time of every stage go to stderr.
    """
    set_up_logging(verbose)
    arguments = options.model_arguments(o, coordinates)

    from mbdgen.compiler import build_report
    from mbdgen.options import BuildOptions
    from mbdgen.runtime.cores import limit

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
