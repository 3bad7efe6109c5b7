"""Estimated errors beside true ones: references, methods and steps."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from mbdgen import Result, simulate
from mbdgen import load as load_model
from mbdgen.runtime.accuracy.error_estimate import extents
from tests.physics.cases import CASES, Case
from tests.physics.running import columns
from tests.reference import Reference, load

METHODS = ("newmark", "rk4", "generalized-alpha", "heun", "bdf")
"""The numbers of the estimate were chosen with these."""
HELD_OUT = ("hht", "trapezoidal", "adams", "sdirk")
"""No number was chosen with these methods, nor with `MODELS`."""
COARSER = (1.0, 4.0, 8.0)
"""Steps, beside those of `tests.physics.cases`."""
MOST_STEPS = 10_000


@dataclass(frozen=True)
class Held:
    """A shipped model without a reference, whose true motion is that of finer steps."""

    model: str
    span: float
    h: float


MODELS = (
    Held("double_pendulum", 3.0, 2e-3),
    Held("heavy_top", 0.5, 1e-4),
    Held("five_body_chain", 2.0, 1e-3),
    Held("mass_spring_bar", 3.0, 2e-3),
    Held("rolling_disc", 3.0, 2e-3),
    Held("spinning_cone", 2.0, 1e-3),
)
FINER = 16
"""Parts of a step in the run that counts as the true motion."""


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


def measured(
    case: Case, method: str, coarser: float, most_steps: int = MOST_STEPS
) -> Triple | None:
    """Run a case; None if it takes too many steps, or the run breaks down and says so."""
    reference = load(case.reference).until(case.t_end)
    gap = float(np.diff(reference.t).min())
    h = gap / max(1, round(gap / (case.h * coarser)))
    span = float(reference.t[0]), float(reference.t[-1])
    if (span[1] - span[0]) / h > most_steps:
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


def of_references(
    methods: tuple[str, ...], coarser: tuple[float, ...] = COARSER, most_steps: int = MOST_STEPS
) -> Iterator[Triple]:
    """Yield all triples of references that can be run."""
    for case in CASES:
        for method in methods:
            found = (measured(case, method, k, most_steps) for k in coarser)
            yield from (triple for triple in found if triple is not None)


def of_models(methods: tuple[str, ...] = METHODS + HELD_OUT) -> Iterator[Triple]:
    """Yield triples of models that have no reference, with errors of all coordinates."""
    for held in MODELS:
        system = load_model(held.model)
        instants = np.linspace(0.0, held.span, 101)
        fine = simulate(system, instants[[0, -1]], "dop853", held.h / FINER, instants)
        for method in methods:
            for h in (held.h, 5.0 * held.h):
                result = simulate(system, instants[[0, -1]], method, h)
                if result.info.t_end < held.span:
                    continue
                rows = np.searchsorted(result.t, instants - 1e-9)
                if not np.allclose(result.t[rows], instants, rtol=0.0, atol=1e-9):
                    raise AssertionError(f"{held.model}: {h} does not divide the span")
                error = np.abs(result.q[rows] - fine.q).max(axis=0)
                size = extents(fine.q, fine.names.coordinates)[0]
                true = float((error / size).max())
                yield Triple(held.model, method, h, true, result.accuracy.relative_error)


def part(triples: list[Triple]) -> float:
    """Return which part is estimated within a factor of ten."""
    return sum(triple.good for triple in triples) / max(len(triples), 1)


SETS: dict[str, Callable[[], Iterator[Triple]]] = {
    "references, methods that numbers were chosen with": lambda: of_references(METHODS),
    "references, other methods": lambda: of_references(HELD_OUT),
    "other mechanisms, all methods": of_models,
}
