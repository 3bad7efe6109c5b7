"""``mbdgen compare``: work-precision comparison of formulations, integrators and step sizes.

`compare` is long because every option of the command is an argument of it.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mbdgen.cli import command_options
from mbdgen.cli.commands.run import PICTURES
from mbdgen.cli.error_reports import set_up_logging
from mbdgen.errors import OptionError

if TYPE_CHECKING:
    from mbdgen.runtime.system.system import System


def compare(
    model: command_options.Model,
    methods: Annotated[
        str, typer.Option(metavar="NAMES", help="Integrators, separated by commas.")
    ] = ("newmark,rk4,dopri5"),
    formulations: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Formulations, separated by commas; 'all', or 'own' for the default.",
        ),
    ] = None,
    projections: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", help="Projections, separated by commas; 'own' for the default."
        ),
    ] = None,
    h: Annotated[
        str, typer.Option(metavar="STEPS", help="Step sizes in s, separated by commas.")
    ] = ("0.01,0.005,0.0025"),
    rtol: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBERS",
            help="Tolerances, separated by commas: further runs with step-size control.",
        ),
    ] = None,
    atol: command_options.AbsoluteTolerance = None,
    motor: Annotated[
        str | None,
        typer.Option(
            metavar="ANGLE=TORQUE",
            help="Energy balance with a motor: an output, and a number or a parameter.",
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="METHOD",
            help="Method of the reference solution; default: dop853 or, if it fails, radau.",
        ),
    ] = None,
    t: command_options.Span = "1",
    backends: Annotated[
        str, typer.Option(metavar="NAMES", help="Target languages, separated by commas.")
    ] = "numba",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=NUMBER",
            help="Parameter of the model, or option; of one method alone: METHOD.OPTION.",
        ),
    ] = None,
    json: Annotated[Path | None, typer.Option(help="File of all rows (json).")] = None,
    png: Annotated[
        Path | None, typer.Option(help="Work-precision diagram (png, svg, pdf).")
    ] = None,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
    layout: command_options.Layout = "auto",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only write the files.")] = False,
    verbose: command_options.Verbose = 0,
) -> None:
    """Run a model with all combinations of formulations, integrators, steps and backends.

    Errors are differences of the outputs from a fine run of --reference, at instants common to all
    step sizes. Runs that fail and combinations that do not exist are reported with the reason.
    Library methods choose their own steps: they run with --rtol, or with 1e-4, 1e-6 and 1e-8.
    """
    set_up_logging(verbose, quiet)
    for path, option, kinds in ((json, "--json", (".json",)), (png, "--png", PICTURES)):
        if path is not None:
            command_options.check_target(path, option, kinds)
    span = command_options.as_span(t)
    arguments = command_options.model_arguments(o, coordinates)

    from mbdgen.compare.case import cases
    from mbdgen.compare.comparison import compare as run_all
    from mbdgen.compare.motor_work import MotorWork
    from mbdgen.compare.step_lengths import Sweep
    from mbdgen.compiler import load
    from mbdgen.runtime.integrators import method
    from mbdgen.runtime.stepping.argument_validation import step_size, time_span

    time_span(span, backward=True)
    steps = [step_size(x) for x in _numbers(h, "--h")]
    sweep = Sweep(tuple(steps), tuple(_numbers(rtol, "--rtol")) if rtol else (), atol)
    loaded: dict[str, System] = {}
    named = _names(methods, "--methods")
    second = any(method(name).kernels for name in [*named, *([reference] if reference else [])])
    for backend in _names(backends, "--backends"):
        loaded[backend] = load(model, backend=backend, layout=layout, second=second, **arguments)
    parameters, given = _settings(next(iter(loaded.values())), settings)
    for system in loaded.values():
        system.set(**parameters)
    runs, impossible = cases(
        named,
        _or_own(formulations, "--formulations"),
        _or_own(projections, "--projections"),
        sweep,
        list(loaded),
        given,
    )
    known = {option.name for case in runs for option in case.scheme.options}
    command_options.check_unambiguous(parameters, known, "a method that is compared")
    turning = MotorWork(*_motor(motor, next(iter(loaded.values())))) if motor else None
    comparison = run_all(loaded.__getitem__, runs, impossible, span, steps, turning, reference)
    if json is not None:
        from dataclasses import asdict

        from mbdgen.runtime.results.json_files import write_json

        write_json(json, asdict(comparison))
    if png is not None:
        from mbdgen.compare.comparison_diagram import save_diagram

        save_diagram(comparison, png)
    if quiet:
        return
    from mbdgen.compare.comparison_table import remarks, table

    typer.echo(table(comparison))
    for text in remarks(comparison):
        typer.echo(text)


def _names(text: str, option: str) -> list[str]:
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise OptionError(f"{option} names nothing.", "Give names, separated by commas.")
    return list(dict.fromkeys(found))


def _numbers(text: str, option: str) -> list[float]:
    return [command_options.as_number(name, option) for name in _names(text, option)]


def _motor(text: str, system: "System") -> tuple[str, float]:
    """Parse ``angle=torque``; the torque is a number or a parameter."""
    angle, equals, torque = text.rpartition("=")
    if not equals or not angle.strip():
        raise OptionError(f"--motor {text!r} is not of the form angle=torque.", "Correct it.")
    if torque.strip() in system.parameters:
        return angle.strip(), system.parameters[torque.strip()]
    return angle.strip(), command_options.as_number(torque, "--motor")


def _or_own(text: str | None, option: str) -> list[str | None]:
    """Parse a list of names; None stands for the default of a method."""
    return [None if name == "own" else name for name in _names(text or "own", option)]


def _number_or_word(text: str) -> object:
    """Parse the value of an option; strings are validated with the scheme."""
    try:
        return float(text)
    except ValueError:
        return text


def _settings(
    system: "System", settings: list[str] | None
) -> tuple[dict[str, float], dict[str, object]]:
    """Split ``--set`` into parameters of the model and options of schemes."""
    parameters: dict[str, float] = {}
    given: dict[str, object] = {}
    for name, text in command_options.assignments(settings, "--set").items():
        if name in system.parameters:
            parameters[name] = command_options.as_number(text, f"--set {name}")
        else:
            given[name] = _number_or_word(text)
    return parameters, given
