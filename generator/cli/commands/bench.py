"""``mbdgen bench``: work-precision benchmarks on standard problems."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mbdgen.cli import command_options
from mbdgen.cli.error_reports import FAILED, complain, set_up_logging
from mbdgen.errors import OptionError

if TYPE_CHECKING:
    from mbdgen.bench.benchmark_rows import BenchmarkRow


def bench(
    problem: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A01, A02-2, K-36, chain-100, ... or A02; repeatable."),
    ] = None,
    backend: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="c, numba; repeatable.")
    ] = None,
    peer: Annotated[
        list[str] | None,
        typer.Option(metavar="exudyn", help="Other program to measure in the same run."),
    ] = None,
    repeat: Annotated[
        int, typer.Option(min=1, help="Number of timed runs; the fastest counts.")
    ] = 3,
    json: Annotated[Path | None, typer.Option(help="File of all rows and ratios (json).")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no table.")] = False,
    verbose: command_options.Verbose = 0,
) -> None:
    """Measure error against CPU time of standard problems (solution only, best of warm runs)."""
    set_up_logging(verbose, quiet)
    from mbdgen.bench.problems import chosen

    problems = chosen(problem)
    backends = backend or ["c", "numba"]
    _check(backends, peer or [], json)
    from rich.console import Console

    from mbdgen.bench.benchmark_rows import ratios
    from mbdgen.bench.benchmark_run import measure, write
    from mbdgen.bench.benchmark_table import comparison, measurements

    screen = Console()
    if not screen.is_terminal:
        screen = Console(width=160)

    def say(text: str) -> None:
        if not quiet:
            typer.echo(text, err=True)

    rows: list[BenchmarkRow] = []
    for found in measure(problems, backends, bool(peer), repeat, say):
        rows += found
        if json is not None:  # after every problem, so that an interrupt keeps finished ones
            write(json, rows, repeat)
    if rows and not quiet:
        screen.print(measurements(rows))
        if compared := ratios(rows):
            screen.print(comparison(compared))
    missing = [name for name in backends if name not in {row.backend for row in rows}]
    if missing:
        complain(f"Nothing could be measured with: {', '.join(missing)}.", "See above for why.")
        raise typer.Exit(FAILED)


def _check(backends: list[str], peers: list[str], json: Path | None) -> None:
    """Validate backends, peers and the target file before any measurement."""
    from mbdgen.emit.backends import find_backend

    for name in backends:
        find_backend(name)
    for name in peers:
        if name != "exudyn":
            raise OptionError(f"There is no peer '{name}'.", "Known is: exudyn.")
        if find_spec("exudyn") is None:
            raise OptionError("Exudyn is not installed.", "pip install 'mbdgen[bench]'")
    if json is not None:
        command_options.check_target(json, "--json", (".json",))
