"""Benchmark run over problems, backends and the other program, and its output file."""

import logging
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mbdgen import __version__
from mbdgen.bench import ours
from mbdgen.bench.benchmark_rows import BenchmarkRow, ratios
from mbdgen.bench.problems import Problem
from mbdgen.bench.references import References
from mbdgen.errors import MbdgenError
from mbdgen.runtime.results.json_files import write_json

LOG = logging.getLogger("mbdgen.bench")
PROTOCOL = (
    "Process CPU time (user + system) of the solve alone, one thread, best of the repeats "
    "after a "
    "warm-up run; timed runs record start and end only, errors come from a second, untimed run."
)


def measure(
    problems: Sequence[Problem],
    backends: Sequence[str],
    peer: bool,
    repeat: int,
    say: Callable[[str], None],
) -> Iterator[list[BenchmarkRow]]:
    """Yield the rows of each problem; failures are reported and do not stop the others."""
    references = References()
    for problem in problems:
        rows: list[BenchmarkRow] = []
        for backend in backends:
            say(f"{problem.name}: {backend}")
            try:
                rows += ours.rows(problem, backend, repeat, references)
            except MbdgenError as error:
                LOG.error("%s: %s: %s", problem.name, backend, error)
        if peer:
            from mbdgen.bench import exudyn_runs

            say(f"{problem.name}: {exudyn_runs.PROGRAM}")
            works = next((row.backend for row in rows), backends[0])
            try:
                rows += exudyn_runs.rows(problem, works, repeat, references)
            except MbdgenError as error:
                LOG.error("%s: %s: %s", problem.name, exudyn_runs.PROGRAM, error)
        yield rows


def write(path: Path, rows: Sequence[BenchmarkRow], repeat: int) -> None:
    """Write the JSON file: all rows and their ratios."""
    data = {
        "protocol": PROTOCOL,
        "repeat": repeat,
        "mbdgen": __version__,
        "machine": {
            "cpu": _processor(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "load": os.getloadavg()[0],
        },
        "rows": [{**row.as_dict(), "kind": "measurement"} for row in rows] + ratios(rows),
    }
    write_json(path, data)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
