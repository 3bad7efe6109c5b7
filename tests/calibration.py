"""Estimated errors beside true ones: references, methods and steps."""

from dataclasses import dataclass

import numpy as np

from mbdgen import Result, simulate
from tests.physics.cases import CASES, Case
from tests.physics.running import columns
from tests.reference import Reference, load

METHODS = ("newmark", "rk4", "generalized-alpha", "heun", "bdf")
COARSER = (1.0, 4.0)
"""Steps, beside those of `tests.physics.cases`."""
MOST_STEPS = 60_000


@dataclass(frozen=True)
class Triple:
    """One run: its step, its true relative error and the estimated one."""

    case: str
    method: str
    h: float
    true: float
    estimated: float

    @property
    def ratio(self) -> float:
        """Estimated by true error; beyond the size of the motion both are that size."""
        return min(self.estimated, 1.0) / min(max(self.true, 1e-13), 1.0)

    @property
    def good(self) -> bool:
        """Whether the estimate is within a factor of ten."""
        return 0.1 <= self.ratio <= 10.0


def measured(case: Case, method: str, coarser: float) -> Triple | None:
    """Run a case; None if it takes too many steps, or the run breaks down and says so."""
    reference = load(case.reference).until(case.t_end)
    gap = float(np.diff(reference.t).min())
    h = gap / max(1, round(gap / (case.h * coarser)))
    span = float(reference.t[0]), float(reference.t[-1])
    if (span[1] - span[0]) / h > MOST_STEPS:
        return None
    result = simulate(case.system(), span, method, h, progress=False)
    if result.info.t_end < span[1]:
        return None
    error = relative_error(result, reference, case)
    return Triple(case.reference, method, h, error, result.accuracy.relative_error)


def relative_error(result: Result, reference: Reference, case: Case) -> float:
    """Largest error of all series, each beside how far those of its unit go."""
    rows = np.rint((reference.t - result.t[0]) / (result.t[1] - result.t[0])).astype(int)
    assert np.allclose(result.t[rows], reference.t, rtol=0.0, atol=1e-9)
    errors: dict[str, float] = {}
    sizes: dict[str, float] = {}
    for series, names in case.series.items():
        expected = reference.stack(*names.split())
        unit = reference.units[names.split()[0]]
        error = float(np.abs(columns(result, (series,))[rows] - expected).max())
        errors[unit] = max(errors.get(unit, 0.0), error)
        sizes[unit] = max(sizes.get(unit, 0.0), float(np.ptp(expected, axis=0).max()))
    return max(errors[unit] / sizes[unit] for unit in errors)


def everything() -> list[Triple]:
    """All triples that can be run."""
    found = (measured(c, m, k) for c in CASES for m in METHODS for k in COARSER)
    return [triple for triple in found if triple is not None]
