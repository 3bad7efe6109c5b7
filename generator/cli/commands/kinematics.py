"""``mbdgen kinematics`` and ``mbdgen inverse``: kinematic simulation and inverse dynamics."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mbdgen.cli import command_options
from mbdgen.cli.commands.run import PICTURES
from mbdgen.cli.error_reports import FAILED, complain, set_up_logging
from mbdgen.cli.model_report import introduce, print_log
from mbdgen.cli.solver_choice import check_solver_name, groups_of_drivers
from mbdgen.errors import OptionError

if TYPE_CHECKING:
    from mbdgen.runtime.results.result import Result
    from mbdgen.runtime.system.system import System

Instants = Annotated[int, typer.Option("--n", min=1, help="Number of intervals.")]
Csv = Annotated[Path | None, typer.Option(help="Table of all series.")]
Json = Annotated[
    Path | None, typer.Option(help="File of singular positions and final outputs (json).")
]
Npz = Annotated[Path | None, typer.Option(help="Complete result, for load_result.")]
Plot = Annotated[
    str | None, typer.Option(metavar="NAMES", help="Series to plot, separated by commas.")
]
Png = Annotated[Path | None, typer.Option(help="Plot (png, svg or pdf).")]
Html = Annotated[Path | None, typer.Option(help="Animation (html).")]


@dataclass(frozen=True)
class Shown:
    """Pictures of a motion: the series of a plot, its file, and the file of an animation."""

    plot: str | None
    png: Path | None
    html: Path | None

    def checked(self, model: str) -> "Shown":
        """Validate the target files before any computation."""
        png = self.png
        if png is None and self.plot is not None:
            png = Path(f"{Path(model).stem}.png")
        if png is not None:
            from mbdgen.runtime.program.optional_libraries import import_optional

            command_options.check_target(png, "--png", PICTURES)
            import_optional("matplotlib.figure", "plot")
        if self.html is not None:
            command_options.check_target(self.html, "--html", (".html",))
        return Shown(self.plot, png, self.html)

    def write(self, motion: "Result") -> list[Path]:
        """Write the pictures, and return their files."""
        if self.html is not None:
            motion.animate().save(self.html)
        if self.png is not None:
            from mbdgen.runtime.results.series_expressions import separate
            from mbdgen.view.plots import save_plot

            save_plot(motion, separate(self.plot) if self.plot else None, self.png, "t")
        return [path for path in (self.png, self.html) if path is not None]


def kinematics(
    model: command_options.Model,
    t: command_options.Span = "1",
    n: Instants = 100,
    least: Annotated[
        bool, typer.Option("--least", help="Least-squares velocities where there is no driver.")
    ] = False,
    csv: Csv = None,
    json: Json = None,
    npz: Npz = None,
    plot: Plot = None,
    png: Png = None,
    html: Html = None,
    parameters: command_options.Parameters = None,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
    backend: command_options.Backend = "numba",
    layout: command_options.Layout = "auto",
    solver: command_options.Solver = "global",
    progress_lines: command_options.ProgressLines = False,
    quiet: command_options.Quiet = False,
    verbose: command_options.Verbose = 0,
) -> None:
    """Compute positions, velocities and accelerations from drivers and constraints alone.

    As many drivers are needed as the mechanism has degrees of freedom. If it cannot be driven to
    the end, files contain the motion up to there, and the exit code is 3.
    """
    set_up_logging(verbose, quiet)
    check_solver_name(solver)
    if least and solver == "groups":
        raise OptionError(
            "--solver groups leaves no degree of freedom undetermined.",
            "Drive all degrees of freedom, or omit --least or --solver.",
        )
    chosen = least, False, "global" if least else solver
    arguments = command_options.model_arguments(o, coordinates)
    _drive(
        model,
        t,
        n,
        (csv, json, npz),
        Shown(plot, png, html),
        chosen,
        (parameters, arguments, backend, layout),
        (command_options.progress(progress_lines, quiet), quiet),
    )


def inverse(
    model: command_options.Model,
    t: command_options.Span = "1",
    n: Instants = 100,
    csv: Csv = None,
    json: Json = None,
    npz: Npz = None,
    plot: Plot = None,
    png: Png = None,
    html: Html = None,
    parameters: command_options.Parameters = None,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
    backend: command_options.Backend = "numba",
    layout: command_options.Layout = "auto",
    progress_lines: command_options.ProgressLines = False,
    quiet: command_options.Quiet = False,
    verbose: command_options.Verbose = 0,
) -> None:
    """Compute driver forces and all reactions along a prescribed motion (inverse dynamics)."""
    set_up_logging(verbose, quiet)
    arguments = command_options.model_arguments(o, coordinates)
    chosen = (False, True, "global")
    _drive(
        model,
        t,
        n,
        (csv, json, npz),
        Shown(plot, png, html),
        chosen,
        (parameters, arguments, backend, layout),
        (command_options.progress(progress_lines, quiet), quiet),
    )


def _drive(
    model: str,
    t: str,
    n: int,
    files: tuple[Path | None, Path | None, Path | None],
    shown: "Shown",
    chosen: tuple[bool, bool, str],
    build: tuple[list[str] | None, dict[str, Any], str, str],
    display: tuple[bool | str, bool],
) -> None:
    parameters, arguments, backend, layout = build
    csv, json, npz = files
    for path, suffix in ((csv, ".csv"), (json, ".json"), (npz, ".npz")):
        if path is not None:
            command_options.check_target(path, f"--{suffix[1:]}", (suffix,))
    shown = shown.checked(model)
    start, end = command_options.as_span(t)
    if start == end:
        raise OptionError(f"--t {t} is not a time span.", "Give END or START:END in seconds.")
    values = command_options.numbers(parameters, "--set")

    import numpy as np

    from mbdgen.compiler import load
    from mbdgen.emit.module_files import is_generated
    from mbdgen.mechanics.kinematics import kinematics as found_by
    from mbdgen.runtime.results.json_files import write_json
    from mbdgen.view.summary import guided_rows

    described = None if is_generated(Path(model)) else command_options.described(model, arguments)
    more = arguments if described is None else {}
    system = load(model if described is None else described, backend=backend, layout=layout, **more)
    system.set(**values)
    progress, quiet = display
    if not quiet:
        introduce(described, system)
    least, reactions, solver = chosen
    guided = groups_of_drivers(solver, model, system, arguments) or system
    instants = np.linspace(start, end, n + 1)
    found = found_by(guided, instants, least=least, reactions=reactions, progress=progress)
    motion = found.motion
    # States of bodies follow behind them, if these have other coordinates.
    last = dict(zip(system.names.outputs, motion.outputs[-1].tolist(), strict=False))
    if not quiet:
        print_log("", guided_rows(motion))
        typer.echo(f"'{system.data.model}' at t = {motion.t[-1]:.9g} s:")
        typer.echo(_text(system, motion, reactions))
    for one in found.singular:
        typer.echo(f"singular position at t = {one.t:.9g} s: {one.kind}", err=True)
    for target in (csv, npz):
        if target is not None:
            motion.save(target)
    written = [path for path in files if path is not None] + shown.write(motion)
    if json is not None:
        singular = [{"t": one.t, "kind": one.kind} for one in found.singular]
        report = {"success": motion.success, "message": motion.message, "singular": singular}
        residuals = {"max_phi": motion.counters.max_phi, "max_phi_dot": motion.counters.max_phi_dot}
        way = {"model": system.data.model, "solved": motion.info.formulation}
        write_json(json, {**way, **report, **residuals, "outputs": last})
    if not quiet:
        for path in written:
            typer.echo(f"wrote {path}", err=True)
    if not motion.success:
        complain(motion.message)
        raise typer.Exit(FAILED)


def _text(system: "System", motion: "Result", reactions: bool) -> str:
    """Return final outputs and, for inverse dynamics, the multipliers of the drivers."""
    from math import isnan

    from mbdgen.view.plain_text import aligned

    names = system.names
    ends = zip(names.outputs, motion.outputs[-1], names.units, strict=False)
    rows = [(name, f"{value:.10g}", unit) for name, value, unit in ends if not isnan(value)]
    if reactions:
        rows += [
            (names.multipliers[k], f"{motion.lam[-1, k]:.10g}", "(multiplier of the driver)")
            for k in system.data.driven
        ]
    return aligned(rows, right=(1,))
