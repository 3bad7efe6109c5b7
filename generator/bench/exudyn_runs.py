"""Benchmark rows of Exudyn, with its best settings for each kind of problem (optional import).

TR2: trapezoidal, index 2; GA: generalised alpha, index 3, with a spectral radius. Newton "mod":
modified Newton with a Jacobian kept until convergence slows down; "step": one Jacobian per step;
"full": one per iteration.
"""

import contextlib
import io
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

sys.exudynFast = True  # type: ignore[attr-defined]  # its module without range checks
import exudyn as exu  # noqa: E402
import numpy as np  # noqa: E402
from scipy.interpolate import CubicSpline  # noqa: E402

from mbdgen.bench.benchmark_rows import BenchmarkRow, failure, stepping  # noqa: E402
from mbdgen.bench.exudyn_models import Translated  # noqa: E402
from mbdgen.bench.exudyn_special import SPECIAL, Special  # noqa: E402
from mbdgen.bench.problems import ENERGY, Problem  # noqa: E402
from mbdgen.bench.references import References, deviation  # noqa: E402
from mbdgen.compiler import load  # noqa: E402
from mbdgen.language.read import read  # noqa: E402
from mbdgen.runtime.system.system_data import FloatArray  # noqa: E402

PROGRAM = f"exudyn {exu.config.Version()}"
Compare = Callable[[FloatArray, FloatArray], float]
"""Distance of a probe (instants, points) from the reference."""
EXPLICIT = ("VelocityVerlet", "RK44", "DOPRI5", "RK67")
SOLVERS = {
    "dense": exu.LinearSolverType.EXUdense,
    "eigen": exu.LinearSolverType.EigenDense,
    "sparse": exu.LinearSolverType.EigenSparse,
}


@dataclass(frozen=True)
class Setting:
    """Scheme (TR2, or GA with the spectral radius in percent), Newton variant, linear solver."""

    scheme: str
    newton: str = "mod"
    linear: str = "dense"
    rtol: float = 0.0
    model: str = ""

    def __str__(self) -> str:
        explicit = self.scheme in EXPLICIT
        words = [self.model, self.scheme, *(() if explicit else (self.newton, self.linear))]
        return " ".join([*filter(None, words), *([f"rtol={self.rtol:g}"] if self.rtol else [])])


def settings(problem: Problem, n: int) -> list[Setting]:
    """Return the settings to try: dense solvers for small systems, suitable ones for redundancy."""
    if problem.name == "A04":
        return [Setting("GA90", "mod", "eigen"), Setting("GA90", "mod", "eigen", 1e-6)]
    solvers = ("dense",) if n < 60 else ("dense", "sparse") if n < 150 else ("sparse",)
    schemes = ("GA95",) if problem.name.startswith("A02") else ("TR2", "GA90")
    return [
        Setting(scheme, newton, linear, rtol)
        for scheme in schemes
        for linear in solvers
        for newton, rtol in (("mod", 0.0), ("step", 0.0), ("step", 1e-5))
    ]


def rows(
    problem: Problem, backend: str, repeat: int, references: References
) -> Iterator[BenchmarkRow]:
    """Yield a row for every setting and step; initial states and references are our backend's."""

    def compare(t: FloatArray, points: FloatArray) -> float:
        return references.distance(problem, backend, t, points)

    if problem.others:
        yield from _translated(problem, backend, repeat, compare)
    for special in SPECIAL.get(problem.name, ()):
        yield from _special(problem, special, repeat, compare)


def _translated(
    problem: Problem, backend: str, repeat: int, compare: Compare
) -> Iterator[BenchmarkRow]:
    """Yield the rows of our model converted body by body."""
    model = read(problem.model, problem.arguments)
    system = load(problem.model, backend=backend, **problem.arguments)
    plain, watched = (Translated(model, system, observed) for observed in (False, True))
    for setting in settings(problem, system.n):
        for h in problem.others:
            yield _row(problem, setting, h, repeat, plain, watched, compare)


def _special(
    problem: Problem, special: type[Special], repeat: int, compare: Compare
) -> Iterator[BenchmarkRow]:
    """Yield the rows of a model in coordinates specific to Exudyn."""
    plain, watched = special(False), special(True)
    if special.fine:
        compare = partial(deviation, _fine(problem, watched))
    for scheme in special.schemes:
        newton, linear, rtol = special.implicit
        explicit = scheme in EXPLICIT
        setting = Setting(scheme, newton, linear, 0.0 if explicit else rtol, special.label)
        for h in special.steps[scheme]:
            yield _row(problem, setting, h, repeat, plain, watched, compare)


def _fine(problem: Problem, watched: Special) -> CubicSpline:
    """Return the solution of the other program, extrapolated from two fine steps."""
    steps, found = round(problem.t_end / watched.fine), []
    for k in (1, 2):
        sample = watched.fine * (1 - 1e-7)
        _solve(watched, Setting("TR2", "step", "sparse"), problem, k * steps, sample=sample)
        found.append(np.column_stack([watched.series(name) for name in problem.probe]))
    return CubicSpline(watched.times(), found[1] + (found[1] - found[0]) / 3)


def _row(
    problem: Problem, setting: Setting, h: float, repeat: int, plain: Translated | Special,
    watched: Translated | Special, compare: Compare,
) -> BenchmarkRow:  # fmt: skip
    """Return the measurement, or the reason of its failure."""
    try:
        return _measure(problem, setting, h, repeat, plain, watched, compare)
    except (RuntimeError, ValueError) as error:
        return failure(problem, PROGRAM, "", str(setting), h, str(error))


def _measure(
    problem: Problem, setting: Setting, h: float, repeat: int, plain: Translated | Special,
    watched: Translated | Special, compare: Compare,
) -> BenchmarkRow:  # fmt: skip
    steps = round(problem.t_end / h)
    times = [_solve(plain, setting, problem, steps) for _ in range(repeat + 1)]
    newton = int(plain.mbs.sys["dynamicSolver"].it.newtonStepsCount)
    start = min(_solve(plain, setting, problem, 1, h) for _ in range(3))
    every = max(1, steps // 1000)
    _solve(watched, setting, problem, steps, sample=every * h * (1 - 1e-7))
    if problem.measure == ENERGY:
        error = watched.drift()
    else:
        points = np.column_stack([watched.series(name) for name in problem.probe])
        error = compare(watched.times(), points)
    best = min(times[1:])
    return BenchmarkRow(
        problem.name, PROGRAM, "", str(setting), h, steps, stepping(best, start, steps), best,
        newton, error if np.isfinite(error) else None, problem.measure, problem.limit,
    )  # fmt: skip


def _solve(
    model: Translated | Special, setting: Setting, problem: Problem, steps: int, h: float = 0.0,
    sample: float = 0.0,
) -> float:  # fmt: skip
    """Run from the start and return the process CPU time of the call."""
    s = exu.SimulationSettings()
    ti, linear = s.timeIntegration, s.linearSolver
    ti.numberOfSteps, ti.endTime = steps, h * steps if h else problem.t_end
    ti.adaptiveStep = False
    ti.newton.useModifiedNewton = setting.newton != "full"
    ti.newton.modifiedNewtonJacUpdatePerStep = setting.newton == "step"
    if setting.rtol:
        ti.newton.relativeTolerance = setting.rtol
    alpha = setting.scheme.startswith("GA")
    if alpha:
        ti.generalizedAlpha.spectralRadius = int(setting.scheme[2:]) / 100
        ti.generalizedAlpha.computeInitialAccelerations = True
    linear.reuseAnalyzedPattern = setting.linear == "sparse"
    linear.ignoreSingularJacobian = problem.name == "A04"
    s.linearSolverType = SOLVERS[setting.linear]
    s.parallel.numberOfThreads = 1
    s.solutionSettings.writeSolutionToFile = False
    s.solutionSettings.sensorsWritePeriod = sample or 2 * problem.t_end
    kind = exu.DynamicSolverType
    kinds = {"TR2": kind.TrapezoidalIndex2}
    kinds |= {name: getattr(kind, name) for name in EXPLICIT}
    solver = kind.GeneralizedAlpha if alpha else kinds[setting.scheme]
    with contextlib.redirect_stdout(io.StringIO()):
        start = time.process_time()
        done = model.mbs.SolveDynamic(
            s, solverType=solver, showHints=False, showCausingItems=False, autoAssemble=False
        )
        seconds = time.process_time() - start
    if not done:
        raise RuntimeError("no convergence")
    return seconds
