"""Short commands that a request waits for: description of a model, its generated code."""

import io
import tempfile
import threading
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path

from mbdgen.studio.child import Child
from mbdgen.studio.outcome import DONE, outcome
from mbdgen.studio.reply import Refusal
from mbdgen.studio.run_bounds import RunBounds

AT_ONCE = 2
PATIENCE = 30.0
"""Seconds that a request waits for a free slot."""
FAREWELL = 5.0
"""Seconds that the shutdown of the studio waits for each."""


class Errands:
    """Commands whose results are awaited by a request.

    Parameters
    ----------
    limits : RunBounds
        Resource limits of each command.
    """

    def __init__(self, limits: RunBounds) -> None:
        self._limits = limits
        self._turn = threading.BoundedSemaphore(AT_ONCE)
        self._children: set[Child] = set()
        self._closed = False

    def answer(self, arguments: Sequence[str]) -> str:
        """Return the standard output of a command."""
        with self._turn_of_one(), tempfile.TemporaryDirectory() as folder:
            return self._run(arguments, Path(folder))

    def archive(self, arguments: Sequence[str]) -> bytes:
        """Return all files that a command writes into its folder, as a zip file."""
        with self._turn_of_one(), tempfile.TemporaryDirectory() as folder:
            self._run(arguments, Path(folder))
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
                for path in sorted(p for p in Path(folder).rglob("*") if p.is_file()):
                    if "__pycache__" not in path.parts:
                        archive.write(path, path.relative_to(folder).as_posix())
            return packed.getvalue()

    def close(self) -> None:
        """End running commands and wait until their folders are removed; later ones are refused."""
        self._closed = True
        for child in list(self._children):
            child.stop()
        for _ in range(AT_ONCE):
            self._turn.acquire(timeout=FAREWELL)

    def _run(self, arguments: Sequence[str], folder: Path) -> str:
        child = Child(arguments, folder, self._limits)
        self._children.add(child)
        if self._closed:
            child.stop()
        try:
            code = child.wait()
        finally:
            self._children.discard(child)
        found = outcome(code, child.said, child.overdue, False, self._limits)
        if found.state != DONE:
            raise Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, found.cause, found.remedy)
        return child.printed

    @contextmanager
    def _turn_of_one(self) -> Iterator[None]:
        if not self._turn.acquire(timeout=PATIENCE):
            raise Refusal(
                HTTPStatus.TOO_MANY_REQUESTS,
                "Too many questions about models are being answered.",
                "Wait a moment and ask again.",
            )
        try:
            yield
        finally:
            self._turn.release()
