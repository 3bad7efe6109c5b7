"""Checks at the end of every run: constraint violations, energy balance, finite outputs, error.

A run that has reached its end with an invalid motion is not a success: `checked` changes the
status, gives the reason, and keeps everything that was recorded. It works on results, so that it is
the same for all their sources: methods of mbdgen and of libraries, with a formulation or without,
fixed or adaptive steps, sensitivities, structural groups.
"""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from math import inf, isfinite, isnan, nan
from typing import NamedTuple

import numpy as np

from mbdgen.errors import AccuracyWarning, AssemblyWarning
from mbdgen.runtime.accuracy.error_estimate import (
    Estimated,
    SampledMotion,
    SampledSeries,
    estimate,
    extents,
    looked_at,
    step_for,
    thinned,
)
from mbdgen.runtime.accuracy.linearised_period import linearised_period
from mbdgen.runtime.accuracy.result_accuracy import HOPELESS, WARNED, Accuracy
from mbdgen.runtime.monitors.energy_balance import Balance, balance_terms
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.results.result_series import lengths
from mbdgen.runtime.system.equation_scales import SMALLEST, Sizes
from mbdgen.runtime.system.system import System

BROKEN = 106
"""Status: the end was reached, by an invalid motion."""
CONFIRMED = 0.25
"""Relative energy error that confirms an estimate without any correct digit, or the instability of
a treatment of the constraints.
"""
VIOLATED, BROKEN_CONSTRAINTS = 0.01, 0.1
"""Constraint violations relative to the size of the mechanism: for a warning, and for failure."""
ENOUGH = 1e-3
"""Relative error of the motion for which a step size is recommended."""
ACCEPTED = 3.0
"""Error of an adaptive run, relative to the sum of the tolerances of its steps."""
SLIGHT = 1e-6
"""Constraint violations, relative to the size of the mechanism, that need no further check."""
_INSTANTS = 8
NOTHING = SampledMotion(np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0)))
NOT_SEEN = (
    "The error is not estimated: accelerations jump so often that no five steps between two jumps "
    "can be looked at. Verify the run instead (--verify)."
)
TOO_FEW = "The error is not estimated: there are too few steps. Verify the run instead (--verify)."


class RunFacts(NamedTuple):
    """Data of a run required by the error estimate.

    Attributes
    ----------
    order : int
        Order of the method.
    whole : bool
        Whether every step was recorded; otherwise steps are those between recorded instants.
    samples : SampledSeries, optional
        Groups of single steps, if not every step was recorded.
    rtol : float, optional
        Relative tolerance of an adaptive run.
    breaks : sequence of float
        Instants of discontinuous accelerations, or at which groups of steps end.
    damps : bool
        Whether the method has intended numerical dissipation at high frequencies.
    remedy : str
        Advice for a motion that fails with any step size; empty if the step size is the cause.
    missed_contacts : int
        Number of contacts that were not resolved by the steps.
    missed : str
        Sentence about these contacts; empty if there are none.
    """

    order: int
    whole: bool = True
    samples: SampledSeries | None = None
    rtol: float | None = None
    breaks: Sequence[float] = ()
    damps: bool = False
    remedy: str = ""
    missed_contacts: int = 0
    missed: str = ""


def checked(result: Result, system: System, facts: RunFacts) -> Result:
    """Return a result with its accuracy, and without success if the motion is invalid.

    Parameters
    ----------
    result : Result
        Result of a run, successful or not.
    system : System
        System with the parameters of the run.
    facts : RunFacts
        Data of the run.
    """
    energy = balance_of(result)
    accuracy = estimated(result, system, facts, energy)
    accuracy = replace(accuracy, missed_contacts=facts.missed_contacts)
    if facts.remedy and _confirmed(accuracy):
        accuracy = replace(accuracy, advice=facts.remedy)
    if facts.missed:  # its last sentence; no estimate accounts for contacts that were not evaluated
        accuracy = replace(accuracy, advice=f"Steps{facts.missed.rpartition('Steps')[2]}")
    missed = (facts.missed,) if facts.missed else ()
    result = replace(result, accuracy=accuracy)
    if not result.success:
        return _warning(result, missed)
    energy = energy._replace(part=accuracy.energy_balance)
    found = broken(result, accuracy, energy, facts.damps)
    if found:
        message = f"{result.message.rstrip('.')}, but {found} {accuracy.advice}".rstrip()
        result = replace(result, success=False, status=-BROKEN, message=message, last=None)
        return _warning(result, missed)
    return _warning(result, (*missed, *doubts(accuracy, energy)))


def _warning(result: Result, texts: tuple[str, ...]) -> Result:
    """Return a result with warnings, which are also issued in Python."""
    for text in texts:
        warnings.warn(f"'{result.info.model}': {text}", AccuracyWarning, stacklevel=4)
    return replace(result, warnings=texts)


def warned(result: Result, begun: tuple[str, ...]) -> Result:
    """Return a result with warnings about its initial conditions before the others."""
    for text in begun:
        warnings.warn(f"'{result.info.model}': {text}", AssemblyWarning, stacklevel=3)
    return replace(result, warnings=(*begun, *result.warnings)) if begun else result


def broken(result: Result, accuracy: Accuracy, energy: Balance, damps: bool = False) -> str:
    """Return the reason why a motion is invalid; empty if it is valid.

    Numerical dissipation of a damping method does not: it only causes warnings.
    """
    text = not_finite(result)
    if text:
        return text
    if accuracy.constraint_violation >= BROKEN_CONSTRAINTS:
        return (
            f"the constraints do not hold: they are violated by {accuracy.constraint_violation:.0%}"
            f" of the size of the mechanism (|phi| = {result.counters.max_phi:.2g})."
        )
    if text := energy.broken(damps):
        return text
    hopeless = accuracy.relative_error >= HOPELESS and _confirmed(accuracy)
    if hopeless and not energy.is_excused(damps):
        return "no digit of the motion is right: its estimated error is as large as the motion."
    return ""


def balance_of(result: Result) -> Balance:
    """Return the energy balance of a result."""
    counters = result.counters
    found = Balance.of(balance_terms(result.energies), counters.energy_drift, counters.energy_scale)
    if isnan(found.part) and not np.isfinite(result.v).all():
        return found._replace(part=inf)
    return found


def _confirmed(accuracy: Accuracy) -> bool:
    """Whether the energy confirms that a motion is invalid.

    The error estimate may be too large by a factor of ten and more for stiff or damped motions, and
    may itself come from the energy balance.
    """
    return accuracy.energy_balance >= CONFIRMED


def doubts(accuracy: Accuracy, energy: Balance) -> tuple[str, ...]:
    """Return warnings about a valid motion."""
    found = []
    if accuracy.relative_error >= WARNED:
        found.append(f"The estimated error of the motion is {accuracy.relative_error:.0%} of it.")
    if text := energy.doubt():
        found.append(text)
    if accuracy.constraint_violation >= VIOLATED:
        found.append(
            f"Constraints are violated by {accuracy.constraint_violation:.0%} of the size of the "
            "mechanism."
        )
    return tuple(f"{text} {accuracy.advice}".rstrip() for text in found)


def not_finite(result: Result) -> str:
    """Name the first output that is not finite, and its time; empty if all are finite.

    Reactions that were not requested are NaN, and so are outputs that read them: then only the
    motion itself is checked. After a chart switch, coordinates of a body are NaN where the initial
    chart is singular.
    """
    switched = np.zeros(result.q.shape[1], bool)
    for switch in result.switches:
        switched[switch.first : switch.last] |= switch.rebased
    unknown = result.lam.size > 0 and bool(np.isnan(result.lam).all())
    tables = [(result.q, result.names.coordinates), (result.v, result.names.coordinates)]
    if not unknown:
        tables.append((result.outputs[:, : len(result.names.outputs)], result.names.outputs))
    for values, names in tables:
        if isfinite(float(values.sum())):  # nearly always true, and fast
            continue
        bad = ~np.isfinite(values)
        if names is result.names.coordinates:
            bad[:, switched] &= ~np.isnan(values[:, switched])
        if bad.any():
            row = int(np.argmax(bad.any(axis=1)))
            column = int(np.argmax(bad[row]))
            return (
                f"'{names[column]}' is {values[row, column]:g} at t = {result.t[row]:g} s"
                f"{'' if row else ', where the motion begins'}."
            )
    return ""


def estimated(result: Result, system: System, facts: RunFacts, energy: Balance) -> Accuracy:
    """Estimate the errors of a result."""
    if len(result.t) < 2 or result.counters.steps == 0:
        return Accuracy()
    if not isfinite(float(result.q.sum())):
        return Accuracy(energy_balance=energy.part)
    rows = _rows(result, facts.samples)
    moves = extents(rows.q, result.names.coordinates)[1]
    balance = energy.part if moves else 0.0
    with np.errstate(all="ignore"):
        error = _error(result, rows, facts, balance)
    h = float(np.abs(np.diff(result.t)).max()) if facts.whole else result.info.h or nan
    return Accuracy(
        relative_error=error.error,
        worst_time=error.worst_time,
        energy_balance=balance,
        constraint_violation=_violation(result, system),
        shortest_period=error.shortest_period,
        linearised_period=_linearised_period(result, system),
        h=h,
        advice=_advice(error, facts, h),
    )


def _rows(result: Result, samples: SampledSeries | None) -> SampledSeries:
    """Return instants that give amplitude and frequency of a motion."""
    rows = SampledSeries(*(thinned(x) for x in (result.t, result.q, result.v, result.a)))
    if samples is None or len(samples.t) == 0:
        return rows
    return SampledSeries(*(np.concatenate(pair) for pair in zip(rows, samples, strict=True)))


def _error(result: Result, rows: SampledSeries, facts: RunFacts, balance: float) -> Estimated:
    """Estimate the error of the motion from its steps, and from the tolerances if adaptive."""
    steps = result.counters.steps
    series = facts.samples
    if facts.whole:
        steps = len(result.t) - 1
        series = SampledSeries(result.t, result.q, result.v, result.a)
    seen = NOTHING
    if series is not None and len(series.t) > 1:
        seen = looked_at(series, facts.breaks)
    found = estimate(result, rows, seen, steps, balance)
    if facts.rtol is None:
        return found
    # High-order methods with large steps have more digits than any polynomial through their steps.
    allowed = ACCEPTED * facts.rtol * max(result.counters.accepted, result.counters.steps)
    bound = max(allowed, balance if isfinite(balance) else 0.0)
    error = min(found.error, bound) if isfinite(found.error) else bound
    return found._replace(error=error)


def _advice(error: Estimated, facts: RunFacts, h: float) -> str:
    """Return the recommended step size as a sentence."""
    if not isfinite(error.error) and (facts.breaks or not isfinite(error.shortest_period)):
        return NOT_SEEN if facts.breaks else TOO_FEW
    if not isfinite(error.error):
        step = step_for(h, HOPELESS, ENOUGH, facts.order, error.shortest_period)
        return f"h = {step:g} s would do, if steps so long tell."
    if not isfinite(h):
        return ""
    if facts.rtol is not None:
        if error.error <= ENOUGH:
            return f"rtol = {facts.rtol:g} will do."
        return f"rtol = {max(facts.rtol * ENOUGH / error.error, 1e-13):.0e} would do."
    if error.error <= ENOUGH:
        return f"h = {h:.6g} s will do."
    step = step_for(h, error.error, ENOUGH, facts.order, error.shortest_period)
    return f"h = {min(step, h):g} s would do."


def _linearised_period(result: Result, system: System) -> float:
    """Return the shortest period of the motion linearised about its last instant."""
    at = (x[-1] for x in (result.q, result.v, result.a, result.lam))
    return linearised_period(system, float(result.t[-1]), *at)


def _violation(result: Result, system: System) -> float:
    """Return the constraint violation relative to the size of the mechanism."""
    rows = system.position_rows
    largest = result.counters.max_phi
    if len(rows) == 0 or not isfinite(largest):
        return 0.0 if len(rows) == 0 else float("nan")
    farthest, last = np.abs(thinned(result.q)).max(axis=0), len(result.t) - 1
    extents = farthest[lengths(result.names)]
    size = min(float(extents.max(initial=0.0)) if len(extents) else 1.0, 1.0)
    if largest <= SLIGHT * size:
        return largest / size if size > 0.0 else 0.0
    worst, at_these = 0.0, 0.0
    zero, none = np.zeros(system.n_q), np.zeros(system.n_lam)
    for k in np.unique(np.linspace(0, last, _INSTANTS).astype(int)):
        t, q = float(result.t[k]), result.q[k]
        phi = np.abs(system.residual(t, q, zero, zero, none)[rows])
        terms = Sizes.of(system, system.jacobian(t, q, rows), farthest).rows
        worst = max(worst, float((phi / terms).max()))
        at_these = max(at_these, float(phi.max()))
    # The largest of all steps need not be recorded.
    return worst * largest / at_these if at_these > 0.0 else largest / max(size, SMALLEST)
