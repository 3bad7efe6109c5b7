"""Error handling of all commands: a message and an exit code instead of a traceback."""

import errno
import functools
import logging
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

import typer

from mbdgen.cli.status_line import STATUS
from mbdgen.errors import AccuracyWarning, AssemblyWarning, MbdgenError

OUR_ERROR, USER_ERROR, FAILED = 1, 2, 3
_OF_STREAMS = frozenset({errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG})
SAID = ("mbdgen.runtime.simulate", "mbdgen.runtime.ensembles")
"""Loggers whose warnings a command prints at its end."""


def guarded(command: Callable[..., Any]) -> Callable[..., Any]:
    """Turn errors of a command into messages and exit codes."""

    @functools.wraps(command)
    def call(*args: Any, **given: Any) -> None:
        try:
            with warnings.catch_warnings(), STATUS.command():
                for said in (AccuracyWarning, AssemblyWarning):  # commands print these themselves
                    warnings.simplefilter("ignore", said)
                command(*args, **given)
        except MbdgenError as error:
            complain(error.cause, error.remedy)
            raise typer.Exit(USER_ERROR) from None
        except (typer.Exit, typer.Abort, BrokenPipeError, KeyboardInterrupt):
            raise
        except OSError as error:
            if error.errno in _OF_STREAMS and error.filename is None:
                with suppress(OSError):
                    complain(*unwritable(error))
                raise typer.Exit(USER_ERROR) from None
            _tell_defect(error)
        except Exception as error:
            _tell_defect(error)

    return call


def unwritable(error: Exception) -> tuple[str, str]:
    """Return cause and remedy of an output that cannot be written."""
    reason = getattr(error, "strerror", None) or str(error)
    return (
        f"The standard output cannot be written ({reason}).",
        "Direct it to a terminal, or to a file on a disk with free space.",
    )


def _tell_defect(error: Exception) -> NoReturn:
    traceback.print_exc()
    complain(
        f"mbdgen failed with an internal error ({type(error).__name__}).",
        "Please report it with the command, the model and the lines above.",
    )
    raise typer.Exit(OUR_ERROR) from None


def complain(cause: str, remedy: str = "") -> None:
    """Write an error to stderr: one sentence of cause and one of remedy."""
    typer.secho("error: ", fg="red", bold=True, err=True, nl=False)
    typer.echo(cause, err=True)
    if remedy:
        typer.echo(f"       {remedy}", err=True)


def warn(text: str) -> None:
    """Write a warning to stderr."""
    typer.secho("warning: ", fg="yellow", bold=True, err=True, nl=False)
    typer.echo(text, err=True)


def set_up_logging(verbose: int, quiet: bool = False) -> None:
    """Show the messages of the library on stderr: warnings, progress (-v), details (-vv)."""
    STATUS.show(quiet)
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbose, 2)]
    logger = logging.getLogger("mbdgen")
    for old in [h for h in logger.handlers if isinstance(h, _Handler)]:
        logger.removeHandler(old)
    logger.addHandler(_Handler())
    logger.setLevel(logging.ERROR if quiet else level)


class _Handler(logging.Handler):
    """Handler that writes to the current stderr, which a test may have replaced."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one message."""
        if record.name in SAID and record.levelno == logging.WARNING:
            return  # the command prints it itself
        STATUS.erase()
        prefix = "warning: " if record.levelno >= logging.WARNING else ""
        sys.stderr.write(f"{prefix}{record.getMessage()}\n")
