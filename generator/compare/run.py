"""Running a comparison: one reference, then every case at the same instants."""

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mbdgen.compare.case import Case, Impossible
from mbdgen.compare.motor import Motor
from mbdgen.compare.row import Row
from mbdgen.errors import MbdgenError, OptionError
from mbdgen.runtime import measures
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.result import Result
from mbdgen.runtime.simulate import simulate
from mbdgen.runtime.system import System

LOG = logging.getLogger("mbdgen.compare.run")

MOST_INSTANTS, MOST_TARGETS = 200, 20
"""Instants at which runs are compared; fewer if steps are chosen, for these must meet them all."""
REFERENCE, FINER = "dop853", 4
"""The reference takes steps this many times as small as the smallest of the comparison."""


@dataclass(frozen=True)
class Comparison:
    """Everything a comparison has found.

    Attributes
    ----------
    model : str
        Name of the model.
    span : (float, float)
        Simulated time.
    reference : str
        What errors are measured against.
    rows : tuple of Row
        One for each run.
    impossible : tuple of Impossible
        Combinations that do not exist.
    """

    model: str
    span: tuple[float, float]
    reference: str
    rows: tuple[Row, ...]
    impossible: tuple[Impossible, ...]


def compare(
    load: Callable[[str], System],
    cases: Sequence[Case],
    impossible: Sequence[Impossible],
    span: tuple[float, float],
    h: Sequence[float],
    motor: Motor | None = None,
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
        All step sizes: the largest one says where runs are compared, the smallest one how fine the
        reference is.
    motor : Motor, optional
        Whose work is balanced.
    """
    if not cases:
        raise OptionError(
            "No combination is possible: " + " ".join(i.reason for i in impossible[:1]),
            "Choose other methods or formulations; mbdgen methods lists what fits.",
        )
    systems = {backend: load(backend) for backend in dict.fromkeys(c.backend for c in cases)}
    first = next(iter(systems.values()))
    chosen = any(case.step.h is None for case in cases)
    instants = _instants(span, max(h), MOST_TARGETS if chosen else MOST_INSTANTS)
    fine = min(h) / FINER
    reference = simulate(first, span, method=REFERENCE, h=fine, t_eval=instants, progress=False)
    if not reference.success:
        raise OptionError(
            f"The reference ({REFERENCE}, h = {fine:g}) failed. {reference.message}",
            "Give smaller steps or a shorter time.",
        )
    if motor is not None:
        motor.require(reference)
    rows = [_row(systems[case.backend], case, span, reference, motor) for case in cases]
    return Comparison(
        model=first.data.model,
        span=span,
        reference=f"{REFERENCE}, h = {fine:g} s",
        rows=tuple(_with_orders(rows)),
        impossible=tuple(impossible),
    )


def _instants(span: tuple[float, float], h: float, most: int) -> list[float]:
    """Multiples of the largest step, so that no scheme has to change its own."""
    start, end = span
    steps = max(1, round((end - start) / h))
    every = math.ceil(steps / most)
    found = [start + (end - start) * k / steps for k in range(0, steps, every)]
    return [*found, end]


def _row(
    system: System,
    case: Case,
    span: tuple[float, float],
    reference: Result,
    motor: Motor | None,
) -> Row:
    """Run one case; what goes wrong is a finding, not an error."""
    step, t_eval = case.step, reference.t.tolist()
    row = Row(case.name, case.backend, step.h, step.rtol, step.atol)
    LOG.info("%s, %s", case.name, step.text)
    # Where steps are chosen by tolerances, h is the first one that is tried.
    chosen: dict[str, Any] = {"rtol": step.rtol, "atol": step.atol, **case.scheme.arguments}
    h = step.h or t_eval[1] - t_eval[0]
    try:
        result = simulate(system, span, h=h, t_eval=t_eval, progress=False, **chosen)
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


def _with_orders(rows: Sequence[Row]) -> list[Row]:
    """Add the order that two neighbouring steps of a scheme show."""
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
