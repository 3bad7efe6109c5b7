"""``mbdgen profile``: time of a simulation by kernels and solution steps."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mbdgen.cli import command_options
from mbdgen.cli.error_reports import FAILED, complain, set_up_logging

if TYPE_CHECKING:
    from mbdgen.runtime.accuracy.run_profile import RunProfile


def profile(
    model: command_options.Model,
    t: command_options.Span = "0.2",
    h: command_options.Step = 1e-3,
    method: command_options.Method = "newmark",
    json: Annotated[Path | None, typer.Option(help="File of the profile (json).")] = None,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
    backend: command_options.Backend = "numba",
    layout: command_options.Layout = "auto",
    reduced: command_options.Reduced = False,
    eliminate: command_options.Eliminate = False,
    verbose: command_options.Verbose = 0,
) -> None:
    """Show where the time of a simulation goes and what would reduce it.

    A short run is made; then its compiled functions are timed by repeated calls at states of the
    run.
    """
    set_up_logging(verbose)
    if json is not None:
        command_options.check_target(json, "--json", (".json",))
    span = command_options.as_span(t)
    arguments = command_options.model_arguments(o, coordinates)

    from mbdgen.compiler import load
    from mbdgen.runtime.accuracy.run_profile import profile as measure

    system = load(
        model, backend=backend, layout=layout, reduced=reduced, eliminate=eliminate, **arguments
    )
    found = measure(system, span, h, method)
    _show(found)
    if json is not None:
        from mbdgen.runtime.results.json_files import write_json

        write_json(json, found.as_json())
        typer.echo(f"wrote {json}", err=True)
    if not found.result.success:
        complain(found.result.message)
        raise typer.Exit(FAILED)


def _unknowns(found: "RunProfile") -> str:
    if found.reduced is None:
        return f"{found.n} unknowns"
    return f"{sum(found.reduced)} of {found.n} unknowns"


def _show(found: "RunProfile") -> None:
    from mbdgen.runtime.accuracy.run_profile import advice

    info = found.result.info
    typer.echo(
        f"{info.model}: {_unknowns(found)}, backend {info.backend}, layout {info.layout}, "
        f"{found.result.counters.steps} steps of {info.h:g} s with {info.method}, "
        f"{found.newton_per_step:.2f} Newton iterations a step"
    )
    counters = found.result.counters
    if found.fused:
        typer.echo(
            "fused kernels: yes, evaluation and solution in straight-line code; "
            f"{counters.generic_steps} of {counters.steps} steps rejected and repeated without them"
        )
    else:
        typer.echo(f"fused kernels: no, {found.unfused}")
    products = f", {found.products} multiplications to factorise" if found.products else ", dense"
    typer.echo(
        f"matrix {found.nnz} entries, L + U {found.fill} "
        f"({found.fill / max(1, found.nnz):.2f} times)"
        f"{products}{' (by the generic loop)' if found.fused else ''}"
    )
    typer.echo(
        f"{'piece':<20}{'operations':>11}{'us a call':>12}{'calls a step':>14}{'us a step':>12}"
        f"{'part':>7}"
    )
    for piece in found.pieces:
        part = piece.per_step / found.whole
        typer.echo(
            f"{piece.name:<20}{piece.operations or '':>11}{1e6 * piece.seconds:>12.3f}"
            f"{piece.calls:>14.2f}"
            f"{1e6 * piece.per_step:>12.3f}{part:>7.0%}"
        )
    part = found.rest / found.whole
    typer.echo(f"{'copies, calls and the rest':<57}{1e6 * found.rest:>12.3f}{part:>7.0%}")
    typer.echo(f"{'measured in the run':<57}{1e6 * found.step:>12.3f}")
    for text in advice(found):
        typer.echo(text)
