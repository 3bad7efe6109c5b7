"""Typer application of ``mbdgen``: its commands and global options.

Only Typer is imported here and at the top of the command modules, so that help appears at once.
"""

import gc
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from inspect import cleandoc
from io import TextIOWrapper
from itertools import pairwise
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from mbdgen import __version__
from mbdgen.cli.commands.analyse import analyse
from mbdgen.cli.commands.bench import bench
from mbdgen.cli.commands.build import build
from mbdgen.cli.commands.capabilities import capabilities
from mbdgen.cli.commands.check import check
from mbdgen.cli.commands.clean import clean
from mbdgen.cli.commands.compare import compare
from mbdgen.cli.commands.doctor import doctor
from mbdgen.cli.commands.import_mubodyna import import_mubodyna
from mbdgen.cli.commands.kinematics import inverse, kinematics
from mbdgen.cli.commands.methods import methods
from mbdgen.cli.commands.mobility import mobility
from mbdgen.cli.commands.models import models
from mbdgen.cli.commands.modes import modes
from mbdgen.cli.commands.profile import profile
from mbdgen.cli.commands.run import run as simulate
from mbdgen.cli.commands.sensitivity import sensitivity
from mbdgen.cli.commands.show import show
from mbdgen.cli.commands.stability import stability
from mbdgen.cli.commands.statics import statics
from mbdgen.cli.commands.studio import studio
from mbdgen.cli.commands.sweep import sweep
from mbdgen.cli.error_reports import USER_ERROR, complain, guarded, unwritable

COMMANDS: dict[str, Callable[..., Any]] = {
    "run": simulate,
    "sweep": sweep,
    "studio": studio,
    "mobility": mobility,
    "kinematics": kinematics,
    "inverse": inverse,
    "statics": statics,
    "modes": modes,
    "sensitivity": sensitivity,
    "analyse": analyse,
    "build": build,
    "show": show,
    "check": check,
    "models": models,
    "import-mubodyna": import_mubodyna,
    "methods": methods,
    "capabilities": capabilities,
    "compare": compare,
    "bench": bench,
    "stability": stability,
    "profile": profile,
    "clean": clean,
    "doctor": doctor,
}

app = typer.Typer(
    name="mbdgen",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 2 wrong input, 3 the simulation failed, 1 an error of mbdgen.",
)


class _Command(TyperCommand):
    """Command that explains ``-h 0.01`` and ``-t 1``: the options are ``--h`` and ``--t``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse short forms of options that have only a long one; see `click.Command`."""
        known = {option for parameter in self.params for option in parameter.opts}
        for option, value in pairwise([*args, ""]):
            if len(option) != 2 or option in known or f"-{option}" not in known:
                continue
            if option != "-h":
                cause = f"There is no option {option}."
            elif _is_number(value):
                cause = "-h shows the help and takes no number."
            else:
                continue
            complain(cause, f"Did you mean -{option} {value}".rstrip() + "?")
            raise typer.Exit(USER_ERROR)
        return super().parse_args(ctx, args)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _help(command: Callable[..., Any]) -> str:
    """Return the docstring with one line per paragraph, which the terminal wraps."""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", cleandoc(command.__doc__ or ""))


for _name, _command in COMMANDS.items():
    app.command(_name, cls=_Command, help=_help(_command))(guarded(_command))


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mbdgen {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Compile mechanisms to solvers and simulate them.

    MODEL is a model file or the name of a shipped model (see: mbdgen models).
    """


def run() -> None:
    """Run the application and exit."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # the stream is closed: there is no reader
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
        # A terminal that cannot encode a character shows a question mark instead of a traceback.
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    # Imports create a million long-lived objects: garbage collection among them takes a tenth of
    # the time from start to first result.
    gc.set_threshold(200_000, 50, 100)
    code: Any = 0
    try:
        app(prog_name="mbdgen")
    except SystemExit as done:
        code = done.code
    sys.exit(_flushed(code))


def _flushed(code: Any) -> Any:
    """Flush the standard streams and return the exit code; report one that cannot be written."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        with suppress(OSError, ValueError):
            complain(*unwritable(error))
        code = code or USER_ERROR
        _let_go(sys.stdout)
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        code = code or USER_ERROR
        _let_go(sys.stderr)
    return code


def _let_go(stream: Any) -> None:
    """Redirect a closed stream to the null device, because Python flushes it once more at exit."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
