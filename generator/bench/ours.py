"""Benchmark rows of mbdgen: every method, step and backend of a problem."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from mbdgen.bench.benchmark_rows import OURS, BenchmarkRow, failure, stepping
from mbdgen.bench.problems import ENERGY, Problem
from mbdgen.bench.references import SAMPLES, References, probe
from mbdgen.compiler import load
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.simulate import simulate
from mbdgen.runtime.system.system import System


def rows(
    problem: Problem, backend: str, repeat: int, references: References
) -> Iterator[BenchmarkRow]:
    """Yield a row for every method and step."""
    systems = {"": load(problem.model, backend=backend, **problem.arguments)}
    if problem.reduced and backend == "c":
        options: dict[str, Any] = {"backend": backend, "layout": "flat", "reduced": True}
        systems["reduced "] = load(problem.model, **options, **problem.arguments)
    if problem.flat and backend == "c":
        systems["flat "] = load(problem.model, backend=backend, layout="flat", **problem.arguments)
    for label, system in systems.items():
        for method, steps in problem.steps.items():
            for h in steps:
                yield measure(problem, system, backend, label, method, h, repeat, references)


def measure(
    problem: Problem, system: System, backend: str, label: str, method: str, h: float, repeat: int,
    references: References,
) -> BenchmarkRow:  # fmt: skip
    """Time runs that record start and end only; compute the error in a further, sampled run."""
    settings = label + method
    span = (0.0, problem.t_end)
    solve, call, runs = [], [], []
    for _ in range(repeat + 1):  # the first run is a warm-up
        start = time.process_time()
        run = simulate(system, span, method=method, h=h, t_eval=span, progress=False)
        call.append(time.process_time() - start)
        solve.append(run.timings["solve_s"])
        runs.append(run)
        if not run.success:
            return failure(problem, OURS, backend, settings, h, run.message)
    sampled = _sampled(problem, system, method, h)
    if not sampled.success:
        return failure(problem, OURS, backend, settings, h, sampled.message)
    if problem.measure == ENERGY:
        error = float(sampled.counters.energy_drift)
    else:
        error = references.distance(problem, backend, sampled.t, probe(problem, sampled))
    counters = runs[0].counters
    short = (0.0, problem.t_end / counters.steps)
    first = [
        simulate(system, short, method=method, h=h, t_eval=short, progress=False).timings["solve_s"]
        for _ in range(3)
    ]
    return BenchmarkRow(
        problem.name, OURS, backend, settings, h, counters.steps,
        stepping(min(solve[1:]), min(first), counters.steps), min(call[1:]),
        counters.newton_iterations, error, problem.measure, problem.limit,
    )  # fmt: skip


def _sampled(problem: Problem, system: System, method: str, h: float) -> Result:
    """Run once more, with enough instants to compute the error."""
    span = (0.0, problem.t_end)
    steps = round(problem.t_end / h)
    instants = np.linspace(*span, max(1, steps // max(1, steps // SAMPLES)) + 1)
    return simulate(system, span, method=method, h=h, t_eval=instants.tolist(), progress=False)
