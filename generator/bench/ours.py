"""Our own rows: every method, step and backend of a problem."""

import logging
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from mbdgen.bench.problems import ENERGY, Problem
from mbdgen.bench.rows import OURS, Row, failure, stepping
from mbdgen.compiler import load
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.result import Result
from mbdgen.runtime.simulate import simulate
from mbdgen.runtime.system import System

logger = logging.getLogger(__name__)
SAMPLES = 1000


def rows(problem: Problem, backend: str, repeat: int) -> Iterator[Row]:
    """Yield a row for every method and step."""
    systems = {"": load(problem.model, backend=backend, **problem.arguments)}
    if problem.reduced and backend == "c":
        options: dict[str, Any] = {"backend": backend, "layout": "flat", "reduced": True}
        systems["reduced "] = load(problem.model, **options, **problem.arguments)
    for label, system in systems.items():
        for method, steps in problem.steps.items():
            for h in steps:
                yield measure(problem, system, backend, label, method, h, repeat)


def measure(
    problem: Problem, system: System, backend: str, label: str, method: str, h: float, repeat: int
) -> Row:
    """Time runs that record start and end only; take the error from one more that samples."""
    settings = label + method
    span = (0.0, problem.t_end)
    solve, call, runs = [], [], []
    for _ in range(repeat + 1):  # the first one warms up
        start = time.process_time()
        run = simulate(system, span, method=method, h=h, t_eval=span, progress=False)
        call.append(time.process_time() - start)
        solve.append(run.timings["solve_s"])
        runs.append(run)
        if not run.success:
            return failure(problem, OURS, backend, settings, h, run.message)
    counters = runs[0].counters
    short = (0.0, problem.t_end / counters.steps)
    first = [
        simulate(system, short, method=method, h=h, t_eval=short, progress=False).timings["solve_s"]
        for _ in range(3)
    ]
    return Row(
        problem.name, OURS, backend, settings, h, counters.steps,
        stepping(min(solve[1:]), min(first), counters.steps), min(call[1:]),
        counters.newton_iterations, _error(problem, system, method, h), problem.measure,
        problem.limit,
    )  # fmt: skip


def _error(problem: Problem, system: System, method: str, h: float) -> float | None:
    span = (0.0, problem.t_end)
    steps = round(problem.t_end / h)
    instants = np.linspace(*span, max(1, steps // max(1, steps // SAMPLES)) + 1)
    run = simulate(system, span, method=method, h=h, t_eval=instants.tolist(), progress=False)
    if problem.measure == ENERGY:
        return float(run.counters.energy_drift)
    return distance(problem, run.t, probe(problem, run))


def probe(problem: Problem, run: Result) -> FloatArray:
    """Return the series that are compared, shape (instants, series)."""
    return np.column_stack([run[name] for name in problem.probe])


def distance(problem: Problem, t: FloatArray, points: FloatArray) -> float:
    """Return the largest distance of a probe from the reference."""
    return float(np.linalg.norm(points - reference(problem.name, problem)(t), axis=1).max())


@cache
def _references() -> dict[str, CubicSpline]:
    return {}


def reference(name: str, problem: Problem) -> CubicSpline:
    """Return the solution at a fine step, made once per problem."""
    known = _references()
    if name not in known:
        system = load(problem.model, backend="c", **problem.arguments)
        t = np.linspace(0.0, problem.t_end, SAMPLES + 1)
        run = simulate(
            system,
            (0.0, problem.t_end),
            method="rk4",
            h=problem.fine,
            t_eval=t.tolist(),
            progress=False,
        )
        known[name] = CubicSpline(run.t, probe(problem, run))
    return known[name]
