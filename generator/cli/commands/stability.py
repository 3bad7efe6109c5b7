"""``mbdgen stability``: spectral radius and stability limit of a method on an oscillator."""

from pathlib import Path
from typing import Annotated

import typer

from mbdgen.cli import command_options
from mbdgen.cli.commands.run import PICTURES
from mbdgen.cli.error_reports import set_up_logging
from mbdgen.errors import OptionError


def stability(
    method: Annotated[str, typer.Argument(metavar="METHOD", help="Integrator.")],
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=NUMBER", help="Option of the method, or preset; repeatable."
        ),
    ] = None,
    formulation: Annotated[
        str | None,
        typer.Option(
            help="Analyse the generic step with this formulation instead of the method's own "
            "step; the oscillator has no constraints."
        ),
    ] = None,
    damping: Annotated[
        list[float] | None,
        typer.Option(metavar="RATIO", help="Damping ratio of the oscillator; repeatable."),
    ] = None,
    json: Annotated[
        Path | None, typer.Option(help="File of all spectral radii and limits (json).")
    ] = None,
    png: Annotated[Path | None, typer.Option(help="Diagram (png, svg, pdf).")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only write the files.")] = False,
    verbose: command_options.Verbose = 0,
) -> None:
    """Find the stability limit of a method on x'' + 2 damping omega x' + omega^2 x = 0.

    The amplification matrix is that of the compiled step of the method.
    """
    set_up_logging(verbose, quiet)
    for path, option, kinds in ((json, "--json", (".json",)), (png, "--png", PICTURES)):
        if path is not None:
            command_options.check_target(path, option, kinds)
    words = command_options.option_names(method, formulation, None)[1]
    given = command_options.scheme_options(settings, "--set", words)

    from mbdgen.runtime.methods.scheme import choose
    from mbdgen.stability.stability_limits import stability as of_scheme

    scheme = choose(method, formulation, given=given)
    if scheme.method.library:
        raise OptionError(
            f"'{method}' controls its own step size: it has no amplification matrix.",
            "Choose a method with fixed steps; see mbdgen methods.",
        )
    name = ", ".join([scheme.name, *(f"{key} = {value}" for key, value in given.items())])
    found = [of_scheme(scheme, name, ratio) for ratio in damping or [0.0]]
    if json is not None:
        from dataclasses import asdict

        from mbdgen.runtime.results.json_files import write_json

        write_json(json, [asdict(one) | {"text": one.text} for one in found])
    if png is not None:
        from mbdgen.stability.stability_diagram import save_diagram

        save_diagram(found, png)
    if not quiet:
        for one in found:
            damped = f", damping {one.damping:g}" if one.damping else ""
            typer.echo(f"{one.scheme}{damped}: {one.text}")
