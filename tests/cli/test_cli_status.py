"""The line that says what a command is busy with: on terminals only, gone at the end."""

import io
import sys
import threading

import pytest

from mbdgen.cli import status_line
from mbdgen.cli.error_reports import set_up_logging
from mbdgen.cli.status_line import STATUS, StatusLine
from mbdgen.runtime.program.activity import activity, listening


class Terminal(io.StringIO):
    """A terminal that remembers what was written to it."""

    def isatty(self) -> bool:
        return True


def left(text: str) -> str:
    """What stands on the line at the end: everything behind the last removal."""
    return text.rpartition("\r\x1b[2K")[2]


def test_line_tells_the_innermost_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status_line, "PATIENCE", 0.0)
    stream = Terminal()
    line = StatusLine(stream)
    with listening(line):
        with activity("deriving the equations"):
            assert "deriving the equations 0.0 s" in left(stream.getvalue())
            with activity("compiling kernels"):
                assert "compiling kernels" in left(stream.getvalue())
            assert "deriving the equations" in left(stream.getvalue())
            line.erase()  # as before a warning
            assert left(stream.getvalue()) == ""
        assert left(stream.getvalue()) == ""
    line.close()
    with activity("something else"):
        assert "else" not in stream.getvalue()


def test_what_is_quick_is_not_told() -> None:
    stream = Terminal()
    line = StatusLine(stream)
    with listening(line), activity("loading"):
        pass
    line.close()
    assert stream.getvalue() == ""


@pytest.mark.parametrize(("terminal", "quiet", "told"), [(1, 0, 1), (1, 1, 0), (0, 0, 0)])
def test_silent_without_a_terminal_or_if_quiet(
    terminal: int, quiet: int, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_line, "PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    before = threading.active_count()
    with STATUS.command():
        set_up_logging(0, bool(quiet))
        with activity("deriving the equations"):
            pass
    assert ("deriving" in stream.getvalue()) == bool(told)
    assert left(stream.getvalue()) == "" and threading.active_count() == before
