"""``mbdgen statics``: a static equilibrium and its stability."""

from pathlib import Path
from typing import Annotated

import typer

from mbdgen.cli import command_options
from mbdgen.cli.error_reports import set_up_logging


def statics(
    model: command_options.Model,
    t: Annotated[
        float | None,
        typer.Option(
            help="Instant in seconds; default: suggested by the model, or 0.",
            callback=command_options.finite_instant,
        ),
    ] = None,
    stable: Annotated[
        bool,
        typer.Option(
            "--stable", help="Accept a stable equilibrium only: minimise the potential energy."
        ),
    ] = False,
    steps: Annotated[
        int | None, typer.Option(help="Initial number of load steps from zero to full loads.")
    ] = None,
    json: Annotated[
        Path | None, typer.Option(help="File of coordinates, outputs and stiffness (json).")
    ] = None,
    parameters: command_options.Parameters = None,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
    backend: command_options.Backend = "numba",
    layout: command_options.Layout = "auto",
    verbose: command_options.Verbose = 0,
) -> None:
    """Find a static equilibrium near the initial position."""
    set_up_logging(verbose)
    if json is not None:
        command_options.check_target(json, "--json", (".json",))
    arguments = command_options.model_arguments(o, coordinates)
    values = command_options.numbers(parameters, "--set")

    from mbdgen.compiler import load
    from mbdgen.emit.module_files import is_generated
    from mbdgen.mechanics.statics import statics as found_by
    from mbdgen.runtime.results.json_files import write_json
    from mbdgen.view.plain_text import aligned

    if is_generated(Path(model)):
        system, suggested = load(model, backend=backend, layout=layout, **arguments), None
    else:
        described = command_options.described(model, arguments)
        if steps is not None and layout == "auto":
            layout = "loop"  # load stepping needs the loop layout
        system = load(described, backend=backend, layout=layout)
        suggested = described.suggested.at
    t = suggested or 0.0 if t is None else t
    system.set(**values)
    found = found_by(system, t, stable=stable, steps=steps)
    typer.echo(
        f"'{system.data.model}' has an equilibrium at t = {t:g} s, {found.stability} "
        f"({found.method}, {found.iterations} iterations)."
    )
    units = dict(zip(system.names.outputs, system.names.units, strict=True))
    rows = [(name, f"{x:.10g} {units[name]}".rstrip()) for name, x in found.outputs.items()]
    position = dict(zip(system.names.coordinates, found.state.q.tolist(), strict=True))
    typer.echo(aligned(rows or [(name, f"{x:.10g}") for name, x in position.items()]))
    if json is not None:
        multipliers = dict(zip(system.names.multipliers, found.state.lam.tolist(), strict=True))
        content = {
            "model": system.data.model,
            "stability": found.stability,
            "method": found.method,
            "iterations": found.iterations,
            "coordinates": position,
            "outputs": found.outputs,
            "multipliers": multipliers,
            "stiffness": found.stiffness.tolist(),
        }
        write_json(json, content)
