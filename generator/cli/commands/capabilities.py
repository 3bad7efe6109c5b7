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
    feature: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What serves a feature, such as friction or contacts."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
) -> None:
    """List supported combinations of methods, formulations, backends, runs and model features."""
    arguments = command_options.model_arguments(o, coordinates)

    from mbdgen.capabilities.capability_table import as_data, cells, text_of
    from mbdgen.capabilities.feature_support import (
        cells_of_feature,
        feature_named,
        text_of_feature,
    )
    from mbdgen.capabilities.of_model import features_of_model

    asked = None if feature is None else feature_named(feature)
    if model is None and arguments:
        raise OptionError("Arguments of a model were given without a model.", "Add --model MODEL.")
    facts = (
        None if model is None else features_of_model(command_options.described(model, arguments))
    )
    if facts is not None and asked is not None and asked not in facts.features:
        raise OptionError(f"'{facts.model}' has no {asked}.", "Leave --feature or --model away.")
    table = cells(facts) if asked is None else cells_of_feature(asked, cells(facts))
    if json:
        from json import dumps

        typer.echo(dumps(as_data(table), indent=2))
    else:
        typer.echo(text_of(table) if asked is None else text_of_feature(asked, table))
