"""``mbdgen sweep``: simulate a model with many sets of parameters."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mbdgen.cli import options
from mbdgen.cli.guard import FAILED, complain, set_up_logging
from mbdgen.errors import OptionError

if TYPE_CHECKING:
    from mbdgen.runtime.data import FloatArray
    from mbdgen.runtime.ensembles.result import EnsembleResult
    from mbdgen.runtime.system import System

MOST_FAILURES = 5
"""Failed members that are shown; ``--json`` has them all."""


def sweep(
    model: options.Model,
    param: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUES",
            help="START:STOP:COUNT or numbers with commas; repeatable: all combinations.",
        ),
    ] = None,
    table: Annotated[
        Path | None, typer.Option(help="CSV file: a column for each parameter, a row per member.")
    ] = None,
    t: Annotated[str, typer.Option(metavar="END|START:END", help="Time span in seconds.")] = "10",
    h: Annotated[float, typer.Option(help="Step size in seconds.")] = 1e-3,
    every: Annotated[int, typer.Option(min=1, help="Record each EVERY-th step.")] = 1,
    method: Annotated[str, typer.Option(help="Integrator.")] = "newmark",
    method_option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=NUMBER", help="Option of the integrator; repeatable."),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=NUMBER", help="Parameter of all members; repeatable."),
    ] = None,
    series: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="What is kept, with commas between; default: outputs."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="All series, a Parquet file.")] = None,
    json: Annotated[Path | None, typer.Option(help="Counts, failures, times.")] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Threads; default: one for every core.")
    ] = None,
    o: options.Arguments = None,
    backend: options.Backend = "numba",
    layout: options.Layout = "auto",
    engine: options.Engine = "sympy",
    reduced: options.Reduced = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only write the files.")] = False,
    verbose: options.Verbose = 0,
) -> None:
    """Simulate a model with many sets of parameters, on all cores.

    Parameters in --param are combined with each other and with the rows of --table. A member that
    fails stops no other; the exit code is then 3.
    """
    set_up_logging(verbose, quiet)
    _check(out, json)
    span = options.as_span(t)
    arguments = options.model_arguments(o)
    chosen: dict[str, Any] = {**options.numbers(method_option, "--method-option")}
    values = options.numbers(parameters, "--set")
    wanted = None if series is None else [n.strip() for n in series.split(",") if n.strip()]

    from mbdgen.runtime.request import choose_method, step_size, time_span

    columns = members(param or (), table)
    _require_apart(columns, values)
    time_span(span)
    step_size(h)
    choose_method(method, chosen)

    from mbdgen.compiler import load
    from mbdgen.runtime.ensembles.many import simulate_many

    system = load(
        model, backend=backend, layout=layout, engine=engine, reduced=reduced, **arguments
    )
    for name in (*values, *columns):
        _require(system, name, model)
    system.set(**values)
    result = simulate_many(
        system,
        span,
        columns,
        method=method,
        h=h,
        every=every,
        series="all" if wanted == ["all"] else wanted,
        workers=workers,
        out=out,
        progress=False if quiet else "auto",
        **chosen,
    )
    if json is not None:
        from mbdgen.runtime.json_file import write_json

        write_json(json, result.summary())
    if not quiet:
        _report(result, [path for path in (out, json) if path is not None])
    if not result.success:
        _complain(result)
        raise typer.Exit(FAILED)


def members(param: Sequence[str], table: Path | None) -> "dict[str, FloatArray]":
    """Return a column for every parameter: all combinations of ``--param`` and rows of ``--table``.

    Raises
    ------
    OptionError
        If something is not a range, not a list, not a table, or given twice.
    """
    import numpy as np

    from mbdgen.runtime.ensembles.members import grid

    axes = {name: as_values(text, name) for name, text in _assignments(param).items()}
    rows = {} if table is None else read_table(table)
    for name in axes:
        if name in rows:
            raise OptionError(f"--param and --table both give '{name}'.", "Give it in one of them.")
    if not axes and not rows:
        raise OptionError("There is nothing to sweep.", "Give --param NAME=START:STOP:COUNT.")
    if not rows:
        return grid(**axes)
    count = len(next(iter(rows.values())))
    combined = grid(**{"": np.arange(count)}, **axes)
    chosen = combined.pop("").astype(int)
    return {**{name: column[chosen] for name, column in rows.items()}, **combined}


def as_values(text: str, name: str) -> "FloatArray":
    """Read ``1:2:100`` (start, stop, count), ``0.5,1,2`` or one number."""
    import numpy as np

    from mbdgen.runtime.ensembles.members import require_count

    parts = text.split(":")
    what = f"--param {name}"
    if len(parts) == 1:
        return np.array([options.as_number(part, what) for part in text.split(",")])
    count = parts[-1].strip()
    if len(parts) != 3 or not count.isdecimal() or int(count) == 0:
        raise OptionError(
            f"{what}={text} is no range.", "Write START:STOP:COUNT, for example 1:2:100."
        )
    require_count(int(count), f"{what}={text}")
    start, stop = (options.as_number(part, what) for part in parts[:2])
    if not np.isfinite([start, stop]).all():
        raise OptionError(f"An end of {what}={text} is not a finite number.", "Give a number.")
    return np.linspace(start, stop, int(count))


def read_table(path: Path) -> "dict[str, FloatArray]":
    """Read a CSV file: names in the first line, one member in every other."""
    import numpy as np

    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            lines = [line for line in csv.reader(file) if line]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise OptionError(
            f"--table '{path}' cannot be read ({reason}).", "Give a CSV file in UTF-8."
        ) from error
    names = [name.strip() for name in lines[0]] if lines else []
    if len(lines) < 2 or len(set(names)) != len(names):
        reason = "has no rows" if len(lines) < 2 else "names a column twice"
        raise OptionError(
            f"--table '{path}' {reason}.", "Write names in the first line, then a row per member."
        )
    values = np.empty((len(lines) - 1, len(names)))
    for k, line in enumerate(lines[1:]):
        if len(line) != len(names):
            raise OptionError(
                f"Row {k + 1} of --table '{path}' has {len(line)} numbers, not {len(names)}.",
                "Give a number for every column.",
            )
        what = f"row {k + 1} of --table '{path}'"
        pairs = zip(names, line, strict=True)
        values[k] = [options.as_number(text, f"{name} in {what}") for name, text in pairs]
    return dict(zip(names, np.ascontiguousarray(values.T), strict=True))


def _assignments(param: Sequence[str]) -> dict[str, str]:
    return options.assignments(param, "--param")


def _require_apart(columns: Iterable[str], values: Iterable[str]) -> None:
    """Refuse a parameter that is changed and fixed at the same time."""
    if both := [name for name in columns if name in set(values)]:
        raise OptionError(
            f"'{both[0]}' changes from member to member, but --set gives it as well.",
            "Give it in one of them.",
        )


def _check(out: Path | None, json: Path | None) -> None:
    """Check all targets before anything is computed."""
    if out is not None:
        from mbdgen.runtime.export import require

        options.check_target(out, "--out", (".parquet",))
        require("pyarrow.parquet", "data")
    if json is not None:
        options.check_target(json, "--json", (".json",))


def _require(system: "System", name: str, model: str) -> None:
    """Refuse what cannot be swept; arguments of the model function make another mechanism."""
    from mbdgen.language.read import arguments_of

    if name not in system.parameters and name in arguments_of(model):
        raise OptionError(
            f"'{name}' is an argument of the model function, but no parameter of "
            f"'{system.data.model}' once it is compiled.",
            f"Sweep once for each value, with -o {name}=VALUE, or make it a parameter.",
        )
    system.require_parameter(name)


def _report(result: "EnsembleResult", written: Sequence[Path]) -> None:
    from mbdgen.runtime.numbers import counted

    found = result.summary()
    typer.echo(
        f"{counted(found['members'], 'member')}, {found['failed']} failed, "
        f"{counted(found['steps'], 'step')}, "
        f"{found['us_per_step']:.3g} us of processor time a step, "
        f"{found['wall_s']:.3g} s on {counted(found['workers'], 'thread')}"
    )
    for path in written:
        typer.echo(f"wrote {path}", err=True)


def _complain(result: "EnsembleResult") -> None:
    from mbdgen.runtime.numbers import counted

    failed = [int(i) for i in result.failed]
    more = f" {len(failed) - MOST_FAILURES} more in --json." if len(failed) > MOST_FAILURES else ""
    complain(
        f"{len(failed)} of {counted(len(result), 'member')} failed.{more}",
        "\n       ".join(result.messages[i] for i in failed[:MOST_FAILURES]),
    )
