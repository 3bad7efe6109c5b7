"""``mbdgen capabilities``: supported combinations, and the reasons for those refused."""

from typing import Annotated

import typer

from mbdgen.cli import command_options
from mbdgen.errors import OptionError


def capabilities(
    model: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Only rows about features of this model."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
) -> None:
    """List supported combinations of methods, formulations, backends, runs and model features."""
    arguments = command_options.model_arguments(o, coordinates)

    from mbdgen.capabilities.capability_table import as_data, cells, text_of
    from mbdgen.capabilities.of_model import features_of_model

    if model is None and arguments:
        raise OptionError("Arguments of a model were given without a model.", "Add --model MODEL.")
    facts = (
        None if model is None else features_of_model(command_options.described(model, arguments))
    )
    table = cells(facts)
    if json:
        from json import dumps

        typer.echo(dumps(as_data(table), indent=2))
    else:
        typer.echo(text_of(table))
