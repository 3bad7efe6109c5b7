"""A command in a process of its own, with resource limits; it can be cancelled."""

import math
import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from mbdgen.studio.descendants import MARK, end_marked
from mbdgen.studio.run_bounds import GIGABYTE, RunBounds

MOST_TEXT = 4_000_000
"""Characters kept of the output of a command; the rest is read and discarded."""
LINE = 10_000
WIDTH = "100"


class Child:
    """A running ``mbdgen`` command.

    Parameters
    ----------
    arguments : sequence of str
        Arguments of ``mbdgen``.
    folder : Path
        Working directory.
    limits : RunBounds
        Resource limits.
    listen : callable, optional
        ``listen(line)`` receives every line of stderr; a true value keeps it out of `said`.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        limits: RunBounds,
        listen: Callable[[str], bool] | None = None,
    ) -> None:
        bounds = limits.memory * GIGABYTE, limits.file * GIGABYTE, limits.seconds
        words = [str(math.ceil(bound)) for bound in bounds]
        self._listen = listen or (lambda line: False)
        self._out: list[str] = []
        self._err: list[str] = []
        self._lock = threading.Lock()
        self._ended = self.overdue = False
        self._key = secrets.token_hex(16)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "mbdgen.studio.bounded_command", *words, *arguments],
            cwd=folder,
            env=os.environ | _few_threads() | self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # its children can be ended with it
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        streams = (self._process.stdout, self._out), (self._process.stderr, self._err)
        self._readers = [
            threading.Thread(target=self._read, args=pair, daemon=True) for pair in streams
        ]
        self._clock = threading.Timer(limits.seconds, self._too_long)
        self._clock.daemon = True
        for thread in (*self._readers, self._clock):
            thread.start()

    def _environment(self) -> dict[str, str]:
        return {"COLUMNS": WIDTH, "PYTHONIOENCODING": "utf-8", MARK: self._key}

    def wait(self) -> int:
        """Wait for the end and return the exit code, or minus the number of the final signal."""
        if sys.platform == "linux":
            # Until the exit code has been read, the process id is not reused: processes left
            # running in the group can be ended by it.
            os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
            self.stop()
        code = self._process.wait()
        with self._lock:
            self._ended = True
        self._clock.cancel()
        for reader in self._readers:
            reader.join(timeout=5.0)
        return code

    def stop(self) -> None:
        """End the process and all of its descendants now."""
        with self._lock:
            if self._ended:
                return
            if sys.platform == "win32":
                self._process.kill()
            else:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
                end_marked(self._key)

    @property
    def printed(self) -> str:
        """Text written to stdout."""
        return "".join(self._out)

    @property
    def said(self) -> str:
        """Text written to stderr."""
        return "".join(self._err)

    def _too_long(self) -> None:
        self.overdue = True
        self.stop()

    def _read(self, stream: IO[str], into: list[str]) -> None:
        """Read a stream to its end and keep the beginning."""
        kept = 0
        with stream:
            while line := stream.readline(LINE):
                if into is self._err and self._listen(line):
                    continue
                if kept < MOST_TEXT:
                    into.append(line)
                    kept += len(line)


def _few_threads() -> dict[str, str]:
    """Return an environment in which libraries of linear algebra start no threads of their own."""
    names = "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"
    return {name: "1" for name in names if name not in os.environ} | {"MALLOC_ARENA_MAX": "2"}
