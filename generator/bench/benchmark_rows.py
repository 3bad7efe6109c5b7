"""Rows of a benchmark, and ratios of the CPU times of two programs."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

OURS = "mbdgen"
PARTS = (1.0, 1e-2)
"""Fractions of the error limit of a problem at which ratios are computed."""


@dataclass(frozen=True)
class BenchmarkRow:
    """Measurement of one setting of one program on one problem.

    Attributes
    ----------
    problem, program, backend, settings : str
        Problem and program with its settings.
    h, steps : float, int
        Step size and number of steps.
    cpu_s : float
        Process CPU time of the solution alone, best of the repetitions.
    call_s : float
        The same for the whole call by a user (assembly and start-up included).
    us_per_step, us_per_newton : float
        Microseconds per step and per Newton iteration.
    error, error_measure, limit
        Error by the measure of the problem, and the largest error that counts as solved.
    """

    problem: str
    program: str
    backend: str
    settings: str
    h: float
    steps: int
    cpu_s: float
    call_s: float
    newton: int
    error: float | None
    error_measure: str
    limit: float
    failed: str = ""

    @property
    def met(self) -> bool:
        """Whether the error is within the limit."""
        return self.error is not None and self.error <= self.limit

    def as_dict(self) -> dict[str, Any]:
        """Return the row of the JSON file."""
        return {
            **asdict(self),
            "met": self.met,
            "us_per_step": 1e6 * self.cpu_s / self.steps if self.steps else None,
            "us_per_newton": 1e6 * self.cpu_s / self.newton if self.newton else None,
        }


def failure(
    problem: Any, program: str, backend: str, settings: str, h: float, why: str
) -> BenchmarkRow:
    """Return the row of a setting that failed."""
    limit, measure = problem.limit, problem.measure
    return BenchmarkRow(
        problem.name, program, backend, settings, h, 0, math.nan, math.nan, 0, None, measure,
        limit, why[:200],
    )  # fmt: skip


def stepping(whole: float, first: float, steps: int) -> float:
    """Return the CPU time of the steps alone, from a whole run and a run of one step.

    The cost of a run of one step, minus that of the step, is start-up.
    """
    alone = whole - first * (steps - 1) / steps
    return alone if alone > 0 else whole


def best(rows: Sequence[BenchmarkRow], part: float = 1.0) -> BenchmarkRow | None:
    """Return the fastest row whose error is at most this fraction of its limit."""
    good = [row for row in rows if row.error is not None and row.error <= part * row.limit]
    return min(good, key=lambda row: row.cpu_s) if good else None


def ratios(rows: Sequence[BenchmarkRow]) -> list[dict[str, Any]]:
    """Return, per problem and accuracy, the best CPU time of the other program divided by ours."""
    found = []
    for name in dict.fromkeys(row.problem for row in rows):
        here = [row for row in rows if row.problem == name]
        for program, part in product(dict.fromkeys(r.program for r in here), PARTS):
            own = best([r for r in here if r.program == OURS], part)
            other = best([r for r in here if r.program == program], part)
            if own is None or other is None or program == OURS:
                continue
            found.append(
                {
                    "problem": name,
                    "limit": part * own.limit,
                    "program": program,
                    "ratio": other.cpu_s / own.cpu_s,
                    "ours": f"{own.backend} {own.settings} h={own.h:g}",
                    "theirs": f"{other.settings} h={other.h:g}",
                    "our_cpu_s": own.cpu_s,
                    "their_cpu_s": other.cpu_s,
                    "kind": "ratio",
                }
            )
    return found
