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
    numbers: Sequence[int], judge: Callable[[int], Case], limit: float, batch: int
) -> Iterator[tuple[int, Case]]:
    """Judge cases in copies of this process and yield their verdicts.

    Parameters
    ----------
    limit : float
        Seconds of processor time for a case.
    batch : int
        Cases for a copy.
    """
    waiting = list(numbers)
    while waiting:
        done = 0
        for number, case in _copy(waiting[:batch], judge, limit):
            done += 1
            yield number, case
        waiting = waiting[done:]


def _copy(
    numbers: Sequence[int], judge: Callable[[int], Case], limit: float
) -> Iterator[tuple[int, Case]]:
    """Judge a batch; what ends the copy is the verdict on the case that it was at."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    ear, mouth = os.pipe()
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            os.close(ear)
            _work(numbers, judge, limit, mouth, said.fileno())
        os.close(mouth)
        at = 0
        try:
            for line in _lines(ear, limit * PATIENCE):
                yield numbers[at], Case(Verdict(line["verdict"]), line["detail"])
                at += 1
        finally:
            os.close(ear)
            ended = _end(child)
        if at < len(numbers):
            said.seek(0)
            yield numbers[at], _of_end(ended, said.read()[:400].decode(errors="replace"))


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


def _lines(ear: int, patience: float) -> Iterator[dict[str, str]]:
    """Yield what a copy writes until it closes the pipe, or is silent for too long."""
    rest, end = b"", monotonic() + patience
    while select.select([ear], [], [], max(0.0, end - monotonic()))[0]:
        read = os.read(ear, 65536)
        if not read:
            return
        *lines, rest = (rest + read).split(b"\n")
        for line in lines:
            yield json.loads(line)
        end = monotonic() + patience


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
        case = judged(judge, number)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        line = json.dumps({"verdict": case.verdict, "detail": case.detail})
        os.write(mouth, line.encode() + b"\n")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def quick_compiler(folder: Path) -> str:
    """Write a C compiler that does not optimise, for ``CC``: models are compiled to run briefly."""
    from mbdgen.runtime.c_compiler import compiler

    path = folder / "quick-cc"
    path.write_text(f'#!/bin/sh\nexec {" ".join(compiler())} "$@" -O0\n')
    path.chmod(0o755)
    return str(path)
