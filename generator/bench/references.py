"""Reference solutions at a fine step, common to all programs and methods."""

import numpy as np
from scipy.interpolate import CubicSpline

from mbdgen.bench.problems import Problem
from mbdgen.compiler import load
from mbdgen.errors import MbdgenError
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.simulate import simulate
from mbdgen.runtime.system.system_data import FloatArray

SAMPLES = 1000


class References:
    """References of one benchmark run, computed on demand."""

    def __init__(self) -> None:
        self._known: dict[str, CubicSpline] = {}

    def distance(self, problem: Problem, backend: str, t: FloatArray, points: FloatArray) -> float:
        """Return ``max |points(t) - reference(t)|`` over the instants.

        Parameters
        ----------
        problem : Problem
            Problem.
        backend : str
            Backend that computes the reference if there is none yet.
        t : array, shape (instants,)
        points : array, shape (instants, series)
            Probe of the problem.
        """
        return deviation(self._of(problem, backend), t, points)

    def _of(self, problem: Problem, backend: str) -> CubicSpline:
        if problem.name not in self._known:
            self._known[problem.name] = _solution(problem, backend)
        return self._known[problem.name]


def deviation(reference: CubicSpline, t: FloatArray, points: FloatArray) -> float:
    """Return ``max |points(t) - reference(t)|`` over the instants."""
    return float(np.linalg.norm(points - reference(t), axis=1).max())


def probe(problem: Problem, run: Result) -> FloatArray:
    """Return the compared series, shape (instants, series)."""
    return np.column_stack([run[name] for name in problem.probe])


def _solution(problem: Problem, backend: str) -> CubicSpline:
    system = load(problem.model, backend=backend, **problem.arguments)
    span = (0.0, problem.t_end)
    # At every step: a spline cannot represent oscillations faster than the sampling.
    t = np.linspace(*span, max(SAMPLES, round(problem.t_end / problem.fine)) + 1).tolist()
    run = simulate(system, span, method="rk4", h=problem.fine, t_eval=t, progress=False)
    if not run.success:
        raise MbdgenError(
            f"The reference of '{problem.name}' did not reach the end time.", run.message
        )
    return CubicSpline(run.t, probe(problem, run))
