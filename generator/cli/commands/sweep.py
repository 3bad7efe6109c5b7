"""``mbdgen sweep``: simulate a model with many sets of parameters.

`sweep` is long because every option of the command is an argument of it.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mbdgen.cli import command_options
from mbdgen.cli.error_reports import FAILED, complain, set_up_logging, warn
from mbdgen.cli.parameter_sets import parameter_sets
from mbdgen.errors import OptionError

if TYPE_CHECKING:
    from mbdgen.runtime.ensembles.ensemble_result import EnsembleResult
    from mbdgen.runtime.system.system import System

MOST_FAILURES = 5
"""Number of failed members shown; ``--json`` lists all."""


def sweep(
    model: command_options.Model,
    param: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUES",
            help="START:STOP:COUNT, or numbers separated by commas; repeatable: all combinations.",
        ),
    ] = None,
    table: Annotated[
        Path | None, typer.Option(help="CSV file: one column per parameter, one row per member.")
    ] = None,
    t: command_options.Span = "10",
    h: command_options.Step = 1e-3,
    every: Annotated[int, typer.Option(min=1, help="Record each EVERY-th step.")] = 1,
    method: command_options.Method = "newmark",
    method_option: command_options.MethodOption = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=NUMBER", help="Parameter of all members; repeatable."),
    ] = None,
    series: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", help="Series to record, separated by commas; default: outputs."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File of all series (parquet).")] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", help="Reuse members already computed in --out or in an unfinished sweep."
        ),
    ] = False,
    json: Annotated[
        Path | None, typer.Option(help="File of counts, failures and times (json).")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Threads; default: one for every core.")
    ] = None,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
    backend: command_options.Backend = "numba",
    layout: command_options.Layout = "auto",
    engine: command_options.Engine = "sympy",
    reduced: command_options.Reduced = False,
    eliminate: command_options.Eliminate = False,
    quiet: command_options.Quiet = False,
    verbose: command_options.Verbose = 0,
) -> None:
    """Simulate a model with many sets of parameters, on all cores.

    Values of --param are combined with each other and with the rows of --table.

    A failed member does not stop the others; the exit code is then 3. Warnings leave it 0.
    """
    set_up_logging(verbose, quiet)
    _check(out, json)
    if resume and out is None:
        raise OptionError("--resume needs a file.", "Give it: --out sweep.parquet.")
    arguments = command_options.model_arguments(o, coordinates)
    values = command_options.numbers(parameters, "--set")
    wanted = None if series is None else [n.strip() for n in series.split(",") if n.strip()]
    columns = parameter_sets(param or (), table)
    _check_apart(columns, values)
    asked = command_options.request(t, h, method, method_option)

    from mbdgen.compiler import load
    from mbdgen.runtime.ensembles.ensemble_simulation import simulate_many

    system = load(
        model,
        backend=backend,
        layout=layout,
        engine=engine,
        reduced=reduced,
        eliminate=eliminate,
        **arguments,
    )
    for name in (*values, *columns):
        _check_parameter(system, name, model)
    system.set(**values)
    result = simulate_many(
        system,
        asked.span,
        columns,
        method=method,
        h=h,
        every=every,
        series="all" if wanted == ["all"] else wanted,
        workers=workers,
        out=out,
        progress=False if quiet else "auto",
        resume=resume,
        **asked.scheme_options,
    )
    if json is not None:
        from mbdgen.runtime.results.json_files import write_json

        write_json(json, result.summary())
    if not quiet:
        _report(result, [path for path in (out, json) if path is not None])
    if result.warned:
        warn(result.warned)
    if not result.success:
        _complain(result)
        raise typer.Exit(FAILED)


def _check_apart(columns: Iterable[str], values: Iterable[str]) -> None:
    """Refuse a parameter that is both varied and fixed."""
    if both := [name for name in columns if name in set(values)]:
        raise OptionError(
            f"'{both[0]}' changes from member to member, but --set gives it as well.",
            "Give it in one of them.",
        )


def _check(out: Path | None, json: Path | None) -> None:
    """Validate all target files before any computation."""
    if out is not None:
        from mbdgen.runtime.program.optional_libraries import import_optional

        command_options.check_target(out, "--out", (".parquet",))
        import_optional("pyarrow.parquet", "data")
    if json is not None:
        command_options.check_target(json, "--json", (".json",))


def _check_parameter(system: "System", name: str, model: str) -> None:
    """Refuse unknown parameters; arguments of the model function make another mechanism."""
    from mbdgen.language.read import arguments_of

    if name not in system.parameters and name in arguments_of(model):
        raise OptionError(
            f"'{name}' is an argument of the model function, but no parameter of "
            f"'{system.data.model}' once it is compiled.",
            f"Sweep once for each value, with -o {name}=VALUE, or make it a parameter.",
        )
    system.check_parameter(name)


def _report(result: "EnsembleResult", written: Sequence[Path]) -> None:
    from mbdgen.runtime.results.sentence_parts import counted

    found = result.summary()
    taken = f"{found['resumed']} reused, "
    before = f"{found['ended']} ended early because a moving point left its path, "
    typer.echo(
        f"{counted(found['members'], 'member')}, {found['failed']} failed, "
        f"{before if found['ended'] else ''}"
        f"{taken if found['resumed'] else ''}"
        f"{counted(found['steps'], 'step')}, "
        f"{found['us_per_step']:.3g} us of processor time a step, "
        f"{found['wall_s']:.3g} s on {counted(found['workers'], 'thread')}"
    )
    for path in written:
        typer.echo(f"wrote {path}", err=True)


def _complain(result: "EnsembleResult") -> None:
    from mbdgen.runtime.results.sentence_parts import counted

    failed = [int(i) for i in result.failed]
    more = f" {len(failed) - MOST_FAILURES} more in --json." if len(failed) > MOST_FAILURES else ""
    complain(
        f"{len(failed)} of {counted(len(result), 'member')} failed.{more}",
        "\n       ".join(result.messages[i] for i in failed[:MOST_FAILURES]),
    )
