"""``mbdgen modes``: eigenvalues and mode shapes at rest, at an equilibrium or in steady motion."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mbdgen.cli import command_options
from mbdgen.cli.error_reports import set_up_logging
from mbdgen.errors import OptionError

if TYPE_CHECKING:
    from mbdgen.mechanics.modes import Modes
    from mbdgen.mechanics.statics import Equilibrium
    from mbdgen.runtime.system.system import System

PICTURES = (".png", ".svg", ".pdf")


def modes(
    model: command_options.Model,
    at: Annotated[
        str,
        typer.Option(
            metavar="PLACE",
            help="start, equilibrium, or t=NUMBER: the state at that instant, or its static "
            "equilibrium if the state is at rest but not in equilibrium.",
        ),
    ] = "start",
    json: Annotated[
        Path | None, typer.Option(help="File of eigenvalues and shapes (json).")
    ] = None,
    png: Annotated[
        Path | None, typer.Option(help="Plot of the eigenvalues (png, svg or pdf).")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Animation of the modes (html).")] = None,
    parameters: command_options.Parameters = None,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
    backend: command_options.Backend = "numba",
    layout: command_options.Layout = "auto",
    verbose: command_options.Verbose = 0,
) -> None:
    """List natural frequencies, damping ratios and eigenvalues of small motions."""
    set_up_logging(verbose)
    t = _instant(at)
    files = ("--json", json, (".json",)), ("--png", png, PICTURES), ("--html", html, (".html",))
    for option, path, suffixes in files:
        if path is not None:
            command_options.check_target(path, option, suffixes)
    arguments = command_options.model_arguments(o, coordinates)
    values = command_options.numbers(parameters, "--set")

    from mbdgen.compiler import load
    from mbdgen.mechanics.modes import modes as found_by
    from mbdgen.show.skeleton import skeleton

    described = command_options.described(model, arguments)
    bones = {} if html is None else skeleton(described)
    system = load(described, backend=backend, layout=layout, second=True)
    system.set(**values)
    rest = _rest(system, at, t)
    found = found_by(system, t, at=None if rest is None else rest.state)
    if rest is not None:
        typer.echo(f"About an equilibrium of '{system.data.model}', which is {rest.stability}:")
    typer.echo(_text(found))
    if json is not None:
        _write(found, json)
    if png is not None:
        from mbdgen.view.frequency_plots import save_eigenvalues

        save_eigenvalues(found.eigenvalues, system.data.model, png)
    if html is not None:
        from mbdgen.mechanics.mode_animation import save_animation

        save_animation(found, system, bones, html)


def _rest(system: "System", at: str, t: float) -> "Equilibrium | None":
    """Return the requested equilibrium, or None for the state at an instant."""
    from mbdgen.mechanics.linearise import linearise
    from mbdgen.mechanics.statics import statics

    if at == "start":
        return None
    if at != "equilibrium":
        linear = linearise(system, t)
        if linear.steady or linear.at.v.any():
            return None
    return statics(system, t)


def _text(found: "Modes") -> str:
    """Return a row for every mode."""
    if not len(found.eigenvalues):
        return "There are no degrees of freedom, hence no small motions."
    from mbdgen.mechanics.modes import without_round_off
    from mbdgen.view.plain_text import aligned

    rows = [("frequency [Hz]", "damping ratio", "real [1/s]", "imaginary [rad/s]")]
    for s, f, ratio in zip(found.eigenvalues, found.frequency, found.damping_ratio, strict=True):
        real = without_round_off(s.real, abs(s))
        rows.append((f"{f:.6g}", f"{without_round_off(ratio):.6g}", f"{real:.6g}", f"{s.imag:.6g}"))
    return aligned(rows, right=range(4))


def _instant(at: str) -> float:
    if at in ("start", "equilibrium"):
        return 0.0
    name, equals, number = at.partition("=")
    if name != "t" or not equals:
        raise OptionError(f"--at {at!r} is unknown.", "Give start, equilibrium, or t=NUMBER.")
    return command_options.as_number(number, "--at t")


def _write(found: "Modes", path: Path) -> None:
    from mbdgen.runtime.results.json_files import write_json

    names = found.names.coordinates
    listed = [
        {
            "real": float(s.real),
            "imaginary": float(s.imag),
            "frequency": float(f),
            "damping_ratio": float(ratio),
            "shape": {
                name: [float(x.real), float(x.imag)] for name, x in zip(names, shape, strict=True)
            },
        }
        for s, f, ratio, shape in zip(
            found.eigenvalues, found.frequency, found.damping_ratio, found.shapes, strict=True
        )
    ]
    position = dict(zip(names, found.linear.at.q.tolist(), strict=True))
    write_json(path, {"states": list(found.linear.states), "at": position, "modes": listed})
