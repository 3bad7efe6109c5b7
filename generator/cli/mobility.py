"""``mbdgen mobility``: degrees of freedom, counted and real, and which equations are redundant."""

from pathlib import Path
from typing import Annotated

import typer

from mbdgen.cli import options
from mbdgen.cli.guard import set_up_logging


def mobility(
    model: options.Model,
    t: options.Instant = 0.0,
    json: Annotated[Path | None, typer.Option(help="The report by names.")] = None,
    parameters: options.Parameters = None,
    o: options.Arguments = None,
    coordinates: options.Coordinates = None,
    backend: options.Backend = "numba",
    layout: options.Layout = "auto",
    verbose: options.Verbose = 0,
) -> None:
    """Report mobility and redundancy: by counting, at the initial position, and along motions."""
    set_up_logging(verbose)
    if json is not None:
        options.check_target(json, "--json", (".json",))
    arguments = options.model_arguments(o, coordinates)
    values = options.numbers(parameters, "--set")

    from mbdgen.compiler import load
    from mbdgen.mechanics.mobility import mobility as found_by
    from mbdgen.runtime.json_file import write_json
    from mbdgen.view.text import aligned

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
