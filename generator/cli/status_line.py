"""Status line on the terminal: current activity of a command, and its duration."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TextIO

PATIENCE = 0.4
"""Delay in seconds before an activity is shown."""
EVERY = 0.1
"""Interval in seconds between two updates."""
BUSY = 0.05
"""Shortest duration in seconds of an activity that counts; shorter ones load cached data."""


class StatusLine:
    """Display of the innermost activity; see `mbdgen.runtime.program.activity.Listener`.

    Parameters
    ----------
    stream : text stream
        Output stream of a terminal.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._owner = stream, os.getpid()
        self._lock = threading.RLock()
        self._stack: list[tuple[str, float]] = []
        self._spent: dict[str, float] = {}
        self._first: dict[str, float] = {}
        self._shown = False
        self._over = threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)
        self._ticker.start()

    def begin(self, text: str) -> None:
        """Push an activity that begins."""
        if self._is_mine():
            with self._lock:
                now = time.monotonic()
                self._stack.append((text, now))
                self._first.setdefault(text, now)
                self._draw()

    def end(self) -> None:
        """Pop the activity that began last."""
        if self._is_mine():
            with self._lock:
                text, began = self._stack.pop()
                seconds = time.monotonic() - began
                if seconds > BUSY:
                    self._spent[text] = self._spent.get(text, 0.0) + seconds
                self.erase()
                self._draw()

    def erase(self) -> None:
        """Erase the line before other output; it returns with the next update."""
        if self._shown and self._is_mine():
            with self._lock:
                self._shown = False
                self._write("\r\x1b[2K")

    def close(self) -> None:
        """Erase the line for good."""
        self._over.set()
        self._ticker.join()
        self.erase()

    def _is_mine(self) -> bool:
        """Whether this process owns the line, and is not a fork of the owner."""
        return os.getpid() == self._owner

    def _tick(self) -> None:
        while not self._over.wait(EVERY):
            with self._lock:
                self._draw()

    def _draw(self) -> None:
        if not self._stack:
            return
        text, began = self._stack[-1]
        now = time.monotonic()
        if self._spent.get(text, 0.0) + now - began < PATIENCE:
            return
        columns = _columns(self._stream)
        line = f"{text} {now - self._first[text]:.1f} s"
        self._shown = True
        self._write(f"\r\x1b[2K{line[: columns - 1]}")

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # the terminal has been closed
            self._over.set()


class Status:
    """Status line of the running command, if it has one."""

    def __init__(self) -> None:
        self._line: StatusLine | None = None
        self._inside: ExitStack | None = None

    @contextmanager
    def command(self) -> Iterator[None]:
        """Run a command, and remove its line at the end."""
        outer = self._line, self._inside
        with ExitStack() as self._inside:
            self._line = None
            yield
        self._line, self._inside = outer

    def show(self, quiet: bool) -> None:
        """Show the activities of the command from now on, on a terminal only."""
        stream = sys.stderr
        if quiet or self._inside is None or self._line is not None or not _is_terminal(stream):
            return
        from mbdgen.runtime.program.activity import listening

        self._line = StatusLine(stream)
        self._inside.callback(self._line.close)
        self._inside.enter_context(listening(self._line))

    def erase(self) -> None:
        """Erase the line before other output."""
        if self._line is not None:
            self._line.erase()


STATUS = Status()


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    except ValueError:  # the stream is closed
        return False


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
