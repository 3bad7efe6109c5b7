"""What a measurement is, and what two programs' measurements say together."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

OURS = "mbdgen"
PARTS = (1.0, 1e-2)
"""Ratios are given at the limit of a problem, and where an error a hundred times smaller is asked
for."""


@dataclass(frozen=True)
class BenchmarkRow:
    """One setting of one program on one problem.

    Attributes
    ----------
    problem, program, backend, settings : str
        What ran.
    h, steps : float, int
        Step size and number of steps.
    cpu_s : float
        Process CPU time of the solve alone, best of the repeats.
    call_s : float
        The same of the whole call a user makes (assembly and start-up included).
    us_per_step, us_per_newton : float
        Microseconds.
    error, error_measure, limit
        Error by the measure of the problem, and the largest one that counts as solved.
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
        """Return what the JSON file holds."""
        return {
            **asdict(self),
            "met": self.met,
            "us_per_step": 1e6 * self.cpu_s / self.steps if self.steps else None,
            "us_per_newton": 1e6 * self.cpu_s / self.newton if self.newton else None,
        }


def failure(
    problem: Any, program: str, backend: str, settings: str, h: float, why: str
) -> BenchmarkRow:
    """Return the row of a setting that did not get to the end."""
    limit, measure = problem.limit, problem.measure
    return BenchmarkRow(
        problem.name, program, backend, settings, h, 0, math.nan, math.nan, 0, None, measure,
        limit, why[:200],
    )  # fmt: skip


def stepping(whole: float, first: float, steps: int) -> float:
    """Return the time of the steps alone, from a whole run and a run of one step.

    What a run of one step costs is not stepping, but for its one step.
    """
    alone = whole - first * (steps - 1) / steps
    return alone if alone > 0 else whole


def best(rows: Sequence[BenchmarkRow], part: float = 1.0) -> BenchmarkRow | None:
    """Return the cheapest row whose error is at most this part of its limit."""
    good = [row for row in rows if row.error is not None and row.error <= part * row.limit]
    return min(good, key=lambda row: row.cpu_s) if good else None


def ratios(rows: Sequence[BenchmarkRow]) -> list[dict[str, Any]]:
    """Return, per problem and accuracy, the best CPU time of the others divided by ours."""
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
