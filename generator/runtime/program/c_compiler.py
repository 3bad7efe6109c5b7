"""C compiler: choice, flags, and parallel compilation to a shared library."""

import logging
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from mbdgen.errors import BuildError
from mbdgen.runtime.program.atomic_files import temporary_folder
from mbdgen.runtime.program.processors import cores

logger = logging.getLogger(__name__)

FLAGS = (
    "-std=c11",
    "-O2",
    "-fno-tree-slp-vectorize",  # slower code and a third more compile time in long basic blocks
    "-fPIC",
    "-march=native",
    "-ffp-contract=off",  # same rounding as Numba's code: no fused multiply-add
    "-fno-math-errno",  # sqrt is one instruction
)
"""No ``-ffast-math``: it would reorder sums, and the results of two backends would differ."""

COMPILERS = ("clang", "cc", "gcc")
"""In the order of preference: clang is two to four times faster for long functions."""

REMEDY = "install clang or gcc, or: python -m pip install ziglang; or use --backend numba."
_POLL = 0.005  # polling interval of running compilers in seconds


def compiler() -> list[str]:
    """Return the command of the C compiler.

    ``$CC``, else one of `COMPILERS`, else the one in the Python package `ziglang`.

    Raises
    ------
    BuildError
        If no C compiler is found.
    """
    if os.name == "nt":
        raise BuildError("The C backend does not work on Windows.", "Use --backend numba, or WSL.")
    if chosen := shlex.split(os.environ.get("CC", "")):
        return chosen
    for name in COMPILERS:
        if path := shutil.which(name):
            return [path]
    if find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc"]
    raise BuildError(
        f"There is no C compiler ({', '.join(COMPILERS)}, ziglang) on this machine.",
        f"One of these helps: {REMEDY}",
    )


def make_library(command: Sequence[str], source: Path, target: Path, units: int) -> None:
    """Compile a C file to a shared library.

    Parameters
    ----------
    command : sequence of str
        Command of the compiler.
    units : int
        Number of compilation units of the file, ``-DUNIT=1 ...``, compiled in parallel on all
        processors; 0: the whole file at once.

    Raises
    ------
    BuildError
        If the compiler cannot be started or fails; its message is part of the error.
    """
    start = time.perf_counter()
    build = [*command, *FLAGS, str(source)]
    if units == 0:
        _run([[*build, "-shared", "-o", str(target), "-lm"]], command, source)
    else:
        with temporary_folder(target.parent) as folder:
            objects = [str(folder / f"{k}.o") for k in range(1, units + 1)]
            pieces = [[*build, "-c", f"-DUNIT={k}", "-o", o] for k, o in enumerate(objects, 1)]
            # The last kernels are the longest: they start first.
            _run(pieces[::-1], command, source)
            _run([[*command, "-shared", *objects, "-o", str(target), "-lm"]], command, source)
    if not target.is_file():
        raise _failure(command, source, 0, "It wrote no library.")
    logger.info("%s: compiled in %.2f s", source, time.perf_counter() - start)


@dataclass(frozen=True)
class _Job:
    process: subprocess.Popen[bytes]
    errors: IO[bytes]

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.errors.close()


def _run(lines: Sequence[Sequence[str]], command: Sequence[str], source: Path) -> None:
    """Run commands in parallel, at most one per processor; the first failure ends all."""
    waiting, running = list(lines), list[_Job]()
    try:
        while waiting or running:
            while waiting and len(running) < cores():
                running.append(_start(waiting.pop(0)))
            for job in [job for job in running if job.process.poll() is not None]:
                if job.process.returncode != 0:
                    job.errors.seek(0)
                    text = job.errors.read().decode(errors="replace")
                    raise _failure(command, source, job.process.returncode, text)
                job.stop()
                running.remove(job)
            if running:
                time.sleep(_POLL)
    finally:
        for job in running:
            job.stop()


def _start(line: Sequence[str]) -> _Job:
    logger.debug("%s", " ".join(line))
    errors = tempfile.TemporaryFile()  # a pipe could fill up while the compiler runs
    try:
        return _Job(subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=errors), errors)
    except OSError as error:
        errors.close()
        raise BuildError(
            f"The C compiler '{line[0]}' cannot be started ({error.strerror}).",
            f"Set CC to a working compiler, or {REMEDY}",
        ) from error


def _failure(command: Sequence[str], source: Path, code: int, text: str) -> BuildError:
    said = f":\n{text.strip()[:2000]}\n" if text.strip() else "."
    return BuildError(
        f"The C compiler '{' '.join(command)}' failed on '{source}' (exit code {code}){said}",
        f"The file is kept. Set CC to another compiler, or {REMEDY}",
    )
