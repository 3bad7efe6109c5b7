"""One benchmark run: all problems, backends and the other program, and its file."""

import json
import os
import platform
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mbdgen import __version__
from mbdgen.bench import ours
from mbdgen.bench.problems import Problem
from mbdgen.bench.rows import Row, ratios
from mbdgen.errors import MbdgenError

PROTOCOL = (
    "Process CPU time (user + system) of the solve alone, one thread, best of the repeats after a "
    "warm-up run; timed runs record start and end only, errors come from a second, untimed run."
)


def measure(
    problems: Sequence[Problem],
    backends: Sequence[str],
    peer: bool,
    repeat: int,
    say: Callable[[str], None],
) -> tuple[list[Row], list[dict[str, Any]]]:
    """Return rows and ratios; a problem that fails is reported and does not stop the others."""
    rows: list[Row] = []
    for problem in problems:
        for backend in backends:
            say(f"{problem.name}: {backend}")
            try:
                rows += ours.rows(problem, backend, repeat)
            except MbdgenError as error:
                say(f"{problem.name}: {backend}: {error.cause}")
        if peer and problem.others:
            from mbdgen.bench import exudyn_runs

            say(f"{problem.name}: {exudyn_runs.PROGRAM}")
            rows += exudyn_runs.rows(problem, repeat)
    return rows, ratios(rows)


def write(path: Path, rows: Sequence[Row], found: Sequence[dict[str, Any]], repeat: int) -> None:
    """Write the JSON file."""
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
        "rows": [{**row.as_dict(), "kind": "measurement"} for row in rows] + list(found),
    }
    text = json.dumps(data, indent=1, default=str)
    path.write_text(text.replace("NaN", "null") + "\n", "utf-8")


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
