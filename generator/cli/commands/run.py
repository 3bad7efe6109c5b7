"""``mbdgen run``: simulate a model.

`run` is long because every option of the command is an argument of it.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mbdgen.cli import command_options
from mbdgen.cli.error_reports import FAILED, USER_ERROR, complain, set_up_logging, warn
from mbdgen.cli.model_report import introduce, print_log
from mbdgen.cli.solver_choice import check_solver, groups_of, run_by_groups, served
from mbdgen.cli.written_files import outputs_of, write_each
from mbdgen.errors import OptionError

if TYPE_CHECKING:
    from mbdgen.language import model as language
    from mbdgen.runtime.accuracy.verification import Verification
    from mbdgen.runtime.groups.grouped_system import GroupedSystem
    from mbdgen.runtime.results.result import Result
    from mbdgen.runtime.system.system import System

PICTURES = (".png", ".svg", ".pdf")
FORMATS = (".npz", ".csv", ".parquet", ".nc", ".mat", ".json")
CHOICES = ("t", "h", "method", "formulation", "statics")
"""Settings that a model may suggest."""
MOST_OUTPUTS = 24
"""Number of final values shown; a model may have thousands of outputs."""


def run(
    context: typer.Context,
    model: command_options.Model,
    t: command_options.Span = "10",
    h: command_options.Step = 1e-3,
    method: command_options.Method = "newmark",
    formulation: command_options.Formulation = None,
    projection: command_options.Projection = None,
    method_option: command_options.MethodOption = None,
    rtol: command_options.RelativeTolerance = None,
    atol: command_options.AbsoluteTolerance = None,
    record_every: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="Interval of recording in seconds, independent of the step size; default: every "
            "step.",
            rich_help_panel=command_options.INTEGRATION,
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=NUMBER",
            help="Parameter of the model or option of the method; repeatable.",
            rich_help_panel=command_options.INTEGRATION,
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(help="Table of all series (csv).", rich_help_panel=command_options.FILES),
    ] = None,
    json: Annotated[
        Path | None,
        typer.Option(
            help="File of counters, timings and final outputs (json).",
            rich_help_panel=command_options.FILES,
        ),
    ] = None,
    npz: Annotated[
        Path | None,
        typer.Option(
            help="Complete result, for load_result (npz).", rich_help_panel=command_options.FILES
        ),
    ] = None,
    save: Annotated[
        list[Path] | None,
        typer.Option(
            help="Result in the format of the suffix (parquet, nc, mat, ...).",
            rich_help_panel=command_options.FILES,
        ),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Series or expressions to plot, separated by commas.",
            rich_help_panel=command_options.FILES,
        ),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Abscissa of the plot: a series or t.",
            rich_help_panel=command_options.FILES,
        ),
    ] = "t",
    png: Annotated[
        Path | None,
        typer.Option(help="Plot (png, svg or pdf).", rich_help_panel=command_options.FILES),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            help="Animation, one self-contained file (html).",
            rich_help_panel=command_options.FILES,
        ),
    ] = None,
    animation: Annotated[
        Path | None,
        typer.Option(
            help="Animation as a film (gif, or mp4 with ffmpeg).",
            rich_help_panel=command_options.FILES,
        ),
    ] = None,
    until: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SERIES=NUMBER",
            help="Stop where a series crosses a number; repeatable.",
            rich_help_panel=command_options.INTEGRATION,
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            help="Checkpoint of the final state, for --resume (npz).",
            rich_help_panel=command_options.FILES,
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            help="Continue from a --checkpoint of the same run; --t is then the end.",
            rich_help_panel=command_options.INTEGRATION,
        ),
    ] = None,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
    backend: command_options.Backend = "numba",
    layout: command_options.Layout = "auto",
    engine: command_options.Engine = "sympy",
    statics: Annotated[
        bool,
        typer.Option(
            "--statics/--no-statics",
            help="Start at rest in a static equilibrium.",
            rich_help_panel=command_options.INTEGRATION,
        ),
    ] = False,
    rebase: Annotated[
        bool,
        typer.Option(
            help="Chart switching of orientations near their singularities.",
            rich_help_panel=command_options.INTEGRATION,
        ),
    ] = True,
    reduced: command_options.Reduced = False,
    eliminate: command_options.Eliminate = False,
    second: command_options.Second = False,
    solver: command_options.Solver = "global",
    given: command_options.Inputs = None,
    threads: command_options.Threads = None,
    progress_lines: command_options.ProgressLines = False,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify",
            help="Repeat with half the step or a tenth of rtol; report the confirmed digits.",
        ),
    ] = False,
    quiet: command_options.Quiet = False,
    verbose: command_options.Verbose = 0,
) -> None:
    """Simulate a model; report counters, energy balance and constraint residuals.

    Every step is recorded. Final outputs go to stdout, the log to stderr. With --t 0 nothing is
    integrated: the mechanism is assembled, and all files describe the initial state.

    A simulation that fails still writes its files and exits with code 3.
    """
    from mbdgen.emit.module_files import is_generated
    from mbdgen.runtime.results.series_expressions import separate

    set_up_logging(verbose, quiet)
    names = separate(plot) if plot else None
    if png is None and (plot is not None or against != "t"):
        png = Path(f"{Path(model).stem}.png")
    files = _files(csv, json, npz, save or [])
    _check(files, png)
    films = _films(html, animation)
    if checkpoint is not None:
        command_options.check_target(checkpoint, "--checkpoint", (".npz",))
    arguments = command_options.model_arguments(o, coordinates)
    described = None if is_generated(Path(model)) else command_options.described(model, arguments)
    origins = _origins(context, described)
    suggested = {} if described is None else _suggested(described, origins)
    t, h = suggested.get("t", t), suggested.get("h", h)
    method = suggested.get("method", method)
    formulation = suggested.get("formulation", formulation)
    statics = suggested.get("statics", statics)
    if solver == "groups":
        method, formulation = served(method, formulation, chosen="method" not in origins)
    began = time.perf_counter()
    wanted = t, h, method, method_option, formulation, projection, settings
    asked = command_options.request(*wanted, still=True)
    controls = {"rtol": rtol, "atol": atol, "events": until or None, "start": resume or checkpoint}
    check_solver(solver, asked, given, controls, [projection, record_every])
    compiling = time.perf_counter() - began

    from mbdgen.compiler import load
    from mbdgen.runtime.monitors.events import Event
    from mbdgen.runtime.program.processors import limit
    from mbdgen.runtime.simulate import simulate
    from mbdgen.runtime.stepping.checkpoint import Checkpoint

    limit(threads)
    system = load(
        model if described is None else described,
        backend=backend,
        layout=layout,
        engine=engine,
        reduced=reduced,
        eliminate=eliminate,
        second=second or asked.needs_second,
        **(arguments if described is None else {}),
    )
    _add_seconds(system, compiling)
    command_options.check_unambiguous(asked.scheme_options, system.parameters, f"'{asked.method}'")
    system.set(**asked.parameters)
    _check_names(system, [*(names or []), against])
    if not quiet:
        introduce(described, system)
    progress = command_options.progress(progress_lines, quiet)
    begin = Checkpoint.load(resume) if resume is not None else None
    span = asked.span if begin is None or ":" in t else (begin.t, asked.span[1])
    if statics and begin is None:
        from mbdgen.mechanics.statics import settle

        settle(system, span[0])
    chosen: dict[str, Any] = {"progress": progress, "rtol": rtol, "atol": atol, "start": begin}
    chosen["rebase"] = rebase
    if record_every is not None:
        chosen["t_eval"] = command_options.multiples(span, record_every)
    chosen["events"] = [Event(name, at, terminal=True) for name, at in _places(until)]
    grouped = groups_of(solver, model, system, asked, given, arguments, engine)
    if grouped is not None:
        result = run_by_groups(grouped, asked)
    else:
        result = simulate(system, span, **chosen, **asked.arguments)
    if verify:
        result = _verified(system, result, asked, chosen, grouped)
    if not result.success and not files:
        # The result of a failed run is kept, even if no file was requested.
        files = [("--npz", Path(f"{result.info.model}.partial.npz"))]
    picture = None if png is None else (png, names, against)
    paths = [path for _, path in files]
    written, refused = write_each(outputs_of(result, paths, films, picture, checkpoint))
    if not quiet:
        _report(result, origins, written)
    for text in result.warnings:
        warn(text)
    if not result.success:
        complain(f"The simulation of '{result.info.model}' failed. {result.message}")
        raise typer.Exit(FAILED)
    if refused:
        raise typer.Exit(USER_ERROR)


def _verified(
    system: "System",
    result: "Result",
    asked: command_options.Request,
    chosen: dict[str, Any],
    grouped: "GroupedSystem | None",
) -> "Result":
    """Repeat a run with a finer step or tolerance; return its result with the verification."""
    from mbdgen.runtime.accuracy.verification import compared, finer_arguments, verified

    if not result.success or len(result.t) < 2:
        return result
    if grouped is None:
        return verified(system, result, {**chosen, **asked.arguments})
    words = {"method": "rk4" if asked.method == "rk4" else "newmark", "h": asked.h}
    finer, by, factor = finer_arguments(words, by_tolerance=False)
    again = replace(asked, h=finer["h"])
    return compared(result, run_by_groups(grouped, again, result.t.tolist()), by, factor)


def _files(
    csv: Path | None, json: Path | None, npz: Path | None, save: Sequence[Path]
) -> list[tuple[str, Path]]:
    """Return (option, path) of all files to write."""
    single = (("--csv", csv), ("--json", json), ("--npz", npz))
    return [(option, p) for option, p in single if p] + [("--save", p) for p in save]


def _places(until: Sequence[str] | None) -> list[tuple[str, float]]:
    """Parse ``SERIES=NUMBER``; names of series are no identifiers."""
    parts = [text.rpartition("=") for text in until or ()]
    for series, _, number in parts:
        if not series:
            raise OptionError(
                f"--until {number!r} is not of the form series=number.", "Correct it."
            )
    return [
        (series.strip(), command_options.as_number(x, f"--until {series}"))
        for series, _, x in parts
    ]


def _check(files: Sequence[tuple[str, Path]], png: Path | None) -> None:
    """Validate all target files before any computation."""
    for option, path in files:
        wanted = FORMATS if option == "--save" else (f".{option[2:]}",)
        command_options.check_target(path, option, wanted)
    if png is not None:
        from mbdgen.runtime.program.optional_libraries import import_optional

        command_options.check_target(png, "--png", PICTURES)
        import_optional("matplotlib.figure", "plot")


def _films(html: Path | None, animation: Path | None) -> list[Path]:
    """Return the animations to write; validate them before any computation."""
    if html is not None:
        command_options.check_target(html, "--html", (".html",))
    if animation is not None:
        from mbdgen.runtime.program.optional_libraries import import_optional
        from mbdgen.view.animation import FILMS

        command_options.check_target(animation, "--animation", FILMS)
        import_optional("matplotlib.figure", "plot")
        if animation.suffix.lower() == ".mp4":
            from mbdgen.view.still_pictures import check_ffmpeg

            check_ffmpeg()
    return [path for path in (html, animation) if path is not None]


def _check_names(system: "System", names: Sequence[str]) -> None:
    """Validate the names of plotted series before they are computed."""
    from mbdgen.runtime.results.result_series import BALANCE, STRAIN, Directory
    from mbdgen.runtime.results.series_expressions import check_known

    derived = (BALANCE, STRAIN) if system.data.along else (BALANCE,)
    directory = Directory(system.names, bodies=system.data.bodies, derived=derived)
    for name in names:
        check_known(directory, name)


def _add_seconds(system: "System", seconds: float) -> None:
    """Add the compilation of the integrator to the compile time."""
    known = dict(system.data.build_seconds)
    known["compile_s"] = known.get("compile_s", 0.0) + seconds
    system.data = replace(system.data, build_seconds=tuple(known.items()))


def _suggested(model: "language.Model", origins: Mapping[str, str]) -> dict[str, Any]:
    """Return the values that the model suggests for settings that the user did not make."""
    found = {name: x for name, x in model.suggested.given().items() if name in origins}
    if "t" in found:
        found["t"] = f"{found['t']:.15g}"
    if "method" not in origins:
        found.pop("formulation", None)  # it is suggested for another method
    return found


def _origins(context: typer.Context, model: "language.Model | None") -> dict[str, str]:
    """Return the origin of the settings that the user did not make: the model, or the defaults."""
    sources = {name: context.get_parameter_source(name) for name in CHOICES}
    suggested = {} if model is None else model.suggested.given()
    return {
        name: "of the model" if name in suggested else "default"
        for name, source in sources.items()
        if source and source.name == "DEFAULT"
    }


def _report(result: "Result", origins: Mapping[str, str], written: Sequence[Path]) -> None:
    from mbdgen.view.summary import outcome_rows, set_up_rows

    rows = [*set_up_rows(result, origins), *outcome_rows(result)]
    if not result.success:
        rows[-1] = "termination", "abnormal"  # the error message gives the reason
    print_log("", rows)
    width = max((len(name) for name in result.names.outputs), default=0)
    final = result.outputs[-1] if len(result.t) else []
    units = result.names.units
    for name, value, unit in list(zip(result.names.outputs, final, units, strict=False))[
        :MOST_OUTPUTS
    ]:
        typer.echo(f"{name:<{width}}  {value: .10g} {unit}".rstrip())
    if len(result.names.outputs) > MOST_OUTPUTS:
        more = len(result.names.outputs) - MOST_OUTPUTS
        typer.echo(f"and {more} more outputs (--json and --csv contain all)", err=True)
    if result.verification is not None:
        _print_trust(result.verification)
    for path in written:
        typer.echo(f"wrote {path}", err=True)


def _print_trust(found: "Verification") -> None:
    """Print the digits of the outputs that a second run confirms."""
    from mbdgen.view.plain_text import aligned

    rows = [("output", "digits", "largest error")]
    rows += [(name, str(x.digits), f"{x.error:.1e}") for name, x in found.outputs.items()]
    if not found.failure:
        typer.echo(f"\nVerified with {found.by}: {'passed' if found.passed else 'not passed'}.")
        typer.echo(aligned(rows[: MOST_OUTPUTS + 1], right=(1, 2)))
