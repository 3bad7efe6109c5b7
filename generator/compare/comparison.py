"""Comparison of schemes: one reference solution, then every case at the same instants."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mbdgen.compare.case import Case, Impossible
from mbdgen.compare.comparison_row import ComparisonRow
from mbdgen.compare.motor_work import MotorWork
from mbdgen.compare.reference_motion import reference_motion
from mbdgen.compare.step_lengths import instants
from mbdgen.errors import MbdgenError, OptionError
from mbdgen.runtime.program.activity import activity
from mbdgen.runtime.results import measures
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.simulate import simulate
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

LOG = logging.getLogger("mbdgen.compare.comparison")

MOST_INSTANTS, MOST_TARGETS = 200, 20
"""Number of instants at which runs are compared; fewer with step-size control, which must meet
all of them.
"""


@dataclass(frozen=True)
class Comparison:
    """Result of a comparison.

    Attributes
    ----------
    model : str
        Name of the model.
    span : (float, float)
        Simulated time: up to the last instant common to all step sizes.
    wanted_end : float
        Requested end time.
    reference : str
        Description of the reference solution.
    rows : tuple of ComparisonRow
        One for each run.
    impossible : tuple of Impossible
        Invalid combinations.
    """

    model: str
    span: tuple[float, float]
    wanted_end: float
    reference: str
    rows: tuple[ComparisonRow, ...]
    impossible: tuple[Impossible, ...]


def compare(
    load: Callable[[str], System],
    cases: Sequence[Case],
    impossible: Sequence[Impossible],
    span: tuple[float, float],
    h: Sequence[float],
    motor: MotorWork | None = None,
    reference: str | None = None,
) -> Comparison:
    """Run all cases.

    Parameters
    ----------
    load : callable
        ``load(backend)`` returns the system.
    cases, impossible : sequence
        From `mbdgen.compare.case.cases`.
    span : (float, float)
        Start and end time.
    h : sequence of float
        All step sizes; the smallest one determines the step of the reference.
    motor : MotorWork, optional
        Motor whose work enters the energy balance.
    reference : str, optional
        Integrator of the reference (`mbdgen.compare.reference_motion`).
    """
    if not cases:
        raise OptionError(
            "No combination is possible: " + " ".join(i.reason for i in impossible[:1]),
            "Choose other methods or formulations; mbdgen methods lists what fits.",
        )
    systems = {backend: load(backend) for backend in dict.fromkeys(c.backend for c in cases)}
    first = next(iter(systems.values()))
    steps = sorted({case.step.h for case in cases if case.step.h is not None})
    chosen = any(case.step.h is None for case in cases)
    at = instants(span, steps, MOST_TARGETS if chosen else MOST_INSTANTS)
    compared = at[0], at[-1]
    with activity("computing the reference"):
        exact, text = reference_motion(first, compared, at, min(h), reference)
    if motor is not None:
        motor.check(exact)
    rows, warm = [], set()
    for k, case in enumerate(cases, start=1):
        system, key = systems[case.backend], (case.name, case.backend)
        with activity(f"run {k} of {len(cases)}: {case.name}, {case.step.text},"):
            if key not in warm:
                warm.add(key)
                _warm_up(system, case, at[:2])
            rows.append(_row(system, case, exact, motor))
    return Comparison(
        model=first.data.model,
        span=compared,
        wanted_end=span[1],
        reference=text,
        rows=tuple(_with_orders(rows)),
        impossible=tuple(impossible),
    )


def _simulated(system: System, case: Case, at: Sequence[float]) -> Result:
    """Simulate a case from the first to the last of these instants."""
    step = case.step
    # With step-size control, h is the initial step size.
    chosen: dict[str, Any] = {"rtol": step.rtol, "atol": step.atol, **case.scheme.arguments}
    h = step.h or abs(at[1] - at[0])
    return simulate(system, (at[0], at[-1]), h=h, t_eval=at, progress=False, **chosen)


def _warm_up(system: System, case: Case, at: Sequence[float]) -> None:
    """Do the one-time work of a scheme, such as importing a library, before it is timed."""
    with suppress(MbdgenError):
        _simulated(system, case, at)


def _row(system: System, case: Case, reference: Result, motor: MotorWork | None) -> ComparisonRow:
    """Run one case; errors become part of its row."""
    step = case.step
    row = ComparisonRow(case.name, case.backend, step.h, step.rtol, step.atol)
    LOG.info("%s, %s", case.name, step.text)
    try:
        result = _simulated(system, case, reference.t.tolist())
    except MbdgenError as error:
        return replace(row, failed=f"{error.cause} {error.remedy}")
    if not result.success:
        return replace(row, failed=result.message)
    counters = result.counters
    return replace(
        row,
        error=_distance(result, reference),
        total_error=measures.total_error(_observed(result), _observed(reference)),
        energy_drift=counters.energy_drift,
        energy_spread=_spread(result),
        motor_balance=None if motor is None else motor.balance(result),
        phi=counters.max_phi,
        phi_dot=counters.max_phi_dot,
        phi_ddot=counters.max_phi_ddot,
        steps=counters.steps,
        iterations=counters.newton_iterations,
        cpu=result.timings["solve_s"],
    )


def _distance(result: Result, reference: Result) -> float:
    """Largest distance of a series, relative to the largest value of that series."""
    ours, theirs = _observed(result), _observed(reference)
    scale = np.maximum(np.abs(theirs).max(axis=0, initial=0.0), measures.THRESHOLD)
    return float((np.abs(ours - theirs) / scale).max(initial=0.0))


def _spread(result: Result) -> float | None:
    return measures.energy_spread(result) if measures.energy(result)[0] != 0.0 else None


def _observed(result: Result) -> FloatArray:
    """Outputs, or coordinates if the model has none."""
    return result.outputs if result.outputs.shape[1] else result.q


def _with_orders(rows: Sequence[ComparisonRow]) -> list[ComparisonRow]:
    """Add the observed order between consecutive steps of a scheme."""
    found = []
    for row in rows:
        same = [r for r in rows if (r.scheme, r.backend) == (row.scheme, row.backend)]
        sizes = {r.h: r.error or 0.0 for r in same if r.h is not None}
        larger = [h for h in sizes if row.h is not None and h > row.h]
        if row.h is not None and row.error and larger:
            nearest = min(larger)
            observed = measures.orders([nearest, row.h], [sizes[nearest], row.error])
            if np.isfinite(observed[0]):
                row = replace(row, order=float(observed[0]))
        found.append(row)
    return found
