"""``mbdgen mobility``: degrees of freedom and redundant constraint equations."""

from pathlib import Path
from typing import Annotated

import typer

from mbdgen.cli import command_options
from mbdgen.cli.error_reports import set_up_logging


def mobility(
    model: command_options.Model,
    t: command_options.Instant = 0.0,
    json: Annotated[Path | None, typer.Option(help="File of the report (json).")] = None,
    parameters: command_options.Parameters = None,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
    backend: command_options.Backend = "numba",
    layout: command_options.Layout = "auto",
    verbose: command_options.Verbose = 0,
) -> None:
    """Report mobility and redundancy: by counting, at the initial position, and along motions."""
    set_up_logging(verbose)
    if json is not None:
        command_options.check_target(json, "--json", (".json",))
    arguments = command_options.model_arguments(o, coordinates)
    values = command_options.numbers(parameters, "--set")

    from mbdgen.compiler import load
    from mbdgen.mechanics.mobility import mobility as found_by
    from mbdgen.runtime.results.json_files import write_json
    from mbdgen.view.plain_text import aligned

    system = load(model, backend=backend, layout=layout, **arguments)
    system.set(**values)
    found = found_by(system, t)
    report = {
        "coordinates": found.here.n_q,
        "constraint equations": found.here.n_phi,
        "mobility by counting (Gruebler)": found.count,
        "instantaneous mobility": found.instantaneous,
        "finite mobility": found.finite,
        "mobility without drivers": found.without_drivers,
        "driven equations": found.drivers,
        "redundant equations": found.nearby.redundant,
        "singular position": found.singular,
    }
    said = {key: str(x) for key, x in report.items()} | {
        "singular position": "yes" if found.singular else "no"
    }
    typer.echo(aligned(list(said.items())))
    for message in found.messages():
        typer.echo(message)
    if json is not None:
        plain = {key.partition(" (")[0].replace(" ", "_"): x for key, x in report.items()}
        dependent = [
            {"equation": system.names.rows[one.row], "follows_from": list(one.partners)}
            for one in found.nearby.dependencies
        ]
        branches = {"branches": list(found.branches), "dependent": dependent}
        write_json(json, {"model": system.data.model, **plain, **branches})
