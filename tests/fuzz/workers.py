"""Cases in copies of this process, so that one that crashes or never ends is caught and named.

A copy judges a batch of cases one after the other and writes a line for each. Its processor time
for each case is bounded by a timer of the system, the time on the clock by the reader.
"""

import faulthandler
import json
import os
import resource
import select
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic

from tests.fuzz.verdicts import Case, Verdict, judged

MEMORY = 8_000_000_000
"""Bytes of addresses that a case may take."""
PATIENCE = 10
"""Seconds on the clock for a second of processor time: other programs run beside."""


def in_copies(
    numbers: Sequence[int],
    judge: Callable[[int], Case],
    limit: float,
    batch: int,
    at_once: int = 1,
) -> Iterator[tuple[int, Case]]:
    """Judge cases in copies of this process and yield their verdicts as they come.

    Parameters
    ----------
    limit : float
        Seconds of processor time for a case.
    batch : int
        Cases for a copy.
    at_once : int
        Copies that work at the same time.
    """
    waiting = [numbers[k : k + batch] for k in range(0, len(numbers), batch)][::-1]
    working: list[_Copy] = []
    try:
        while waiting or working:
            while waiting and len(working) < at_once:
                working.append(_Copy(waiting.pop(), judge, limit))
            soonest = min(copy.until for copy in working)
            ears = [copy.ear for copy in working]
            ready = select.select(ears, [], [], max(0.0, soonest - monotonic()))[0]
            for copy in [*working]:
                if copy.ear in ready:
                    yield from copy.listen()
                if copy.is_silent:
                    working.remove(copy)
                    yield from copy.end()
                    if rest := copy.numbers[copy.at :]:
                        waiting.append(rest)
    finally:
        for copy in working:
            os.kill(copy.process, signal.SIGKILL)
            list(copy.end())


class _Copy:
    """A copy that judges a batch; what ends it is the verdict on the case that it was at."""

    def __init__(self, numbers: Sequence[int], judge: Callable[[int], Case], limit: float) -> None:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        self.numbers, self.at, self._patience = numbers, 0, limit * PATIENCE
        self._rest, self._closed = b"", False
        self.until = monotonic() + self._patience
        self._said = tempfile.TemporaryFile()  # open as long as the copy works
        self.ear, mouth = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(self.ear)
            _work(numbers, judge, limit, mouth, self._said.fileno())
        os.close(mouth)

    @property
    def is_silent(self) -> bool:
        """Whether nothing more comes: it has closed its end, or says nothing for too long."""
        return self._closed or monotonic() > self.until

    def listen(self) -> Iterator[tuple[int, Case]]:
        """Read the verdicts that the child process has written."""
        read = os.read(self.ear, 65536)
        self._closed = not read
        *lines, self._rest = (self._rest + read).split(b"\n")
        for text in lines:
            told = json.loads(text)
            self.at += 1
            self.until = monotonic() + self._patience
            case = Case(Verdict(told["verdict"]), told["detail"], told["seconds"])
            yield self.numbers[self.at - 1], case

    def end(self) -> Iterator[tuple[int, Case]]:
        """Wait for the end of the copy; if it has not said all, that is a verdict, too."""
        os.close(self.ear)
        status = _end(self.process)
        with self._said as said:
            said.seek(0)
            words = said.read()[:400].decode(errors="replace")
        if self.at < len(self.numbers):
            self.at += 1
            yield self.numbers[self.at - 1], _of_end(status, words)


def _of_end(status: int, said: str) -> Case:
    if not os.WIFSIGNALED(status):
        return Case(Verdict.SIGNAL, f"exit code {os.waitstatus_to_exitcode(status)}: {said!r}")
    name = signal.Signals(os.WTERMSIG(status)).name
    if name in ("SIGPROF", "SIGKILL"):
        return Case(Verdict.HANG, f"ended by {name}")
    return Case(Verdict.SIGNAL, f"{name}: {said!r}")


def _end(child: int) -> int:
    """Wait for a copy that has said all that it will say; kill it if it does not end."""
    for _ in range(200):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        select.select([], [], [], 0.01)
    os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def _work(
    numbers: Sequence[int], judge: Callable[[int], Case], limit: float, mouth: int, said: int
) -> None:
    """Judge cases in the copy, which ends here."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for target, source in ((0, nothing), (1, said), (2, said)):
        os.dup2(source, target)
    faulthandler.enable(said, all_threads=False)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for number in numbers:
        signal.setitimer(signal.ITIMER_PROF, limit)
        begun = _processor_time()
        case = judged(judge, number)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        seconds = _processor_time() - begun
        told = {"verdict": case.verdict, "detail": case.detail, "seconds": seconds}
        line = json.dumps(told)
        os.write(mouth, line.encode() + b"\n")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _processor_time() -> float:
    """Seconds of this process and of those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def quick_compiler(folder: Path) -> str:
    """Write a C compiler that does not optimise, for ``CC``: models are compiled to run briefly."""
    from mbdgen.runtime.program.c_compiler import compiler

    path = folder / "quick-cc"
    path.write_text(f'#!/bin/sh\nexec {" ".join(compiler())} "$@" -O0\n')
    path.chmod(0o755)
    return str(path)
