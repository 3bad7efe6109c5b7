"""Queue of runs: one at a time, a few waiting, the last ones kept with their files."""

import secrets
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

from mbdgen.runtime.stepping.progress import LINE
from mbdgen.studio import command
from mbdgen.studio.child import Child
from mbdgen.studio.formats import NAMES
from mbdgen.studio.order import Order
from mbdgen.studio.outcome import CANCELLED, Outcome, outcome
from mbdgen.studio.reply import Refusal
from mbdgen.studio.run_bounds import RunBounds

Start = Callable[..., Child]


@dataclass
class StudioRun:
    """One simulation, from the request to its files.

    Attributes
    ----------
    key : str
        Random key, which permits access to the files.
    order : Order
        Requested simulation.
    folder : Path
        Folder of its files.
    share : float or None
        Completed fraction; None while the solver is compiled.
    child : Child or None
        Process.
    outcome : Outcome or None
        Outcome, once it has ended.
    """

    key: str
    order: Order
    folder: Path
    share: float | None = None
    child: Child | None = None
    outcome: Outcome | None = None
    cancelled: bool = False
    began: float = 0.0
    seconds: float = 0.0
    files: tuple[str, ...] = field(default=())

    def listen(self, line: str) -> bool:
        """Record the progress from a line of stderr."""
        if not line.startswith(LINE):
            return False
        try:
            self.share = min(1.0, max(0.0, float(line.removeprefix(LINE))))
        except ValueError:
            return False
        return True

    @property
    def state(self) -> str:
        """State: waiting, running, or that of the outcome."""
        if self.outcome is not None:
            return self.outcome.state
        return "waiting" if self.child is None else "running"

    def report(self) -> dict[str, Any]:
        """Return the data shown on the page."""
        ended, child = self.outcome, self.child
        running = ended is None and self.began > 0.0
        return {
            "run": self.key,
            "state": self.state,
            "model": self.order.model.entry.name,
            "share": 1.0 if ended is not None and ended.state == "done" else self.share,
            "seconds": time.monotonic() - self.began if running else self.seconds,
            "cause": ended.cause if ended else "",
            "remedy": ended.remedy if ended else "",
            "log": child.said if child and ended else "",
            "printed": child.printed if child and ended else "",
            "files": list(self.files),
        }


class Runs:
    """All runs of a studio.

    Parameters
    ----------
    folder : Path
        Parent of the folders of all runs.
    limits : RunBounds
        Resource limits of each run.
    start : callable
        Function that starts a process: `Child`, or a substitute in tests.
    """

    def __init__(self, folder: Path, limits: RunBounds, start: Start = Child) -> None:
        self._folder, self._limits, self._start = folder, limits, start
        self._runs: dict[str, StudioRun] = {}
        self._change = threading.Condition()
        self._closed = False
        self._worker = threading.Thread(target=self._work, daemon=True)
        self._worker.start()

    def submit(self, order: Order) -> StudioRun:
        """Append an order to the queue.

        Raises
        ------
        Refusal
            If the queue is full.
        """
        with self._change:
            if len(self._waiting()) >= self._limits.waiting:
                raise Refusal(
                    HTTPStatus.TOO_MANY_REQUESTS,
                    f"{self._limits.waiting} runs are waiting already.",
                    "Cancel one, or wait until the first has ended.",
                )
            key = secrets.token_urlsafe(16)
            run = self._runs[key] = StudioRun(key, order, self._folder / f"run-{key}")
            self._change.notify_all()
        return run

    def find(self, key: str) -> StudioRun:
        """Return a run by its key."""
        run = self._runs.get(key)
        if run is None:
            raise Refusal(
                HTTPStatus.NOT_FOUND,
                "The run does not exist, or has been removed.",
                "Run the model again.",
            )
        return run

    def cancel(self, key: str) -> StudioRun:
        """End a run or remove it from the queue; finished ones remain unchanged."""
        run = self.find(key)
        with self._change:
            if run.outcome is None:
                run.cancelled = True
                if run.child is not None:
                    run.child.stop()
                else:
                    run.outcome = Outcome(CANCELLED, "The run was cancelled before it began.")
        return run

    def close(self) -> None:
        """End all runs."""
        with self._change:
            self._closed = True
            for run in self._runs.values():
                run.cancelled = True
                if run.child is not None and run.outcome is None:
                    run.child.stop()
            self._change.notify_all()
        self._worker.join(timeout=10.0)

    def _waiting(self) -> list[StudioRun]:
        return [run for run in self._runs.values() if run.state == "waiting"]

    def _work(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._closed or self._waiting())
                if self._closed:
                    return
                run = self._waiting()[0]
                self._forget()
                try:
                    self._begin(run)
                except OSError as error:
                    run.outcome = Outcome("failed", f"The run cannot begin: {error}.", "Try again.")
                    continue
            self._finish(run)

    def _begin(self, run: StudioRun) -> None:
        run.folder.mkdir()
        run.began = time.monotonic()
        run.child = self._start(
            command.executed(run.order), run.folder, self._limits, listen=run.listen
        )

    def _finish(self, run: StudioRun) -> None:
        child = run.child
        if child is None:
            return
        code = child.wait()
        run.seconds = time.monotonic() - run.began
        run.files = tuple(name for name in NAMES if (run.folder / name).is_file())
        run.outcome = outcome(code, child.said, child.overdue, run.cancelled, self._limits)

    def _forget(self) -> None:
        """Remove the oldest finished runs with their files."""
        ended = [run for run in self._runs.values() if run.outcome is not None]
        for run in ended[: max(0, len(ended) - self._limits.kept)]:
            del self._runs[run.key]
            shutil.rmtree(run.folder, ignore_errors=True)
