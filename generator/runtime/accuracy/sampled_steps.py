"""Sampling of steps for the error estimate of a run.

If every step is recorded, these are the samples. If only some instants are recorded, some groups of
single steps are recorded in addition: the run itself is the same.
"""

import numpy as np

from mbdgen.runtime.accuracy.error_estimate import SampledSeries
from mbdgen.runtime.accuracy.run_checks import RunFacts
from mbdgen.runtime.methods.scheme import Scheme, choose
from mbdgen.runtime.stepping.argument_validation import Schedule
from mbdgen.runtime.stepping.driver import Run
from mbdgen.runtime.system.system_data import FloatArray

GROUPS, LENGTH = 10, 14
"""Number of groups of single steps, and of steps in each."""
GAP = 1.5
"""Interval, relative to the shortest one, above which it lies between two groups."""
SELDOM = 20
"""One step in so many is sampled, but two groups at least."""
PROJECTION = "mass"
"""Recommended projection for a scheme without one: it changes the energy of the motion least."""
RTOL = 1e-8
"""Relative tolerance of libraries, if the user specifies none."""


def with_samples(plan: Schedule, scheme: Scheme) -> Schedule:
    """Return the schedule of fixed steps with sampled steps, if not all are recorded."""
    if scheme.method.library or len(plan.substeps) == 0 or (plan.substeps == 1).all():
        return plan
    # Instants of short runs cost as much as their steps.
    groups = int(plan.substeps.sum()) // (SELDOM * LENGTH)
    return plan.sampled(min(max(groups, 2), GROUPS), LENGTH)


def facts_of(run: Run, scheme: Scheme, whole: bool, h: float | None) -> RunFacts:
    """Return the data of a run required by its error estimate.

    Parameters
    ----------
    run : Run
        Finished run.
    scheme : Scheme
        Integration scheme.
    whole : bool
        Whether every step was recorded.
    h : float or None
        Step size, if it is fixed.
    """
    rtol = None if scheme.tolerances is None else scheme.tolerances[0]
    if h is None and rtol is None:
        rtol = RTOL  # of libraries
    touched = [x for impact in run.contacts.finished for x in (impact.begin, impact.end)]
    breaks = [*run.changes, *(t for t in touched if np.isfinite(t))]
    damps = scheme.method.damps(scheme.values)
    facts = RunFacts(scheme.order, whole, None, rtol, tuple(breaks), damps, _remedy(run, scheme))
    if run.missed or run.contacts:
        missed = run.missed_contacts()  # checks the last steps
        count = run.missed.findings.count + run.contacts.missed.count
        facts = facts._replace(missed=missed, missed_contacts=count)
    if whole or h is None:
        return facts
    record, t = run.samples.record, run.samples.times
    series = SampledSeries(t, record.q, record.v, record.a)
    return facts._replace(samples=series, breaks=(*breaks, *_gaps(t)))


def _remedy(run: Run, scheme: Scheme) -> str:
    """Return advice for a motion that fails with any step size; else empty."""
    if not run.system.n_lam or not scheme.holds_positions_only:
        return ""
    usual = choose(scheme.method)
    formulation = "" if scheme.formulation is None else scheme.formulation.name
    leave = "" if usual.holds_positions_only else ", or leave the formulation to the method"
    return (
        f"Formulation '{formulation}' without a projection holds positions only, and velocities "
        f"that leave the constraints can grow with steps of any length: give "
        f"projection='{PROJECTION}'{leave}."
    )


def _gaps(t: FloatArray) -> tuple[float, ...]:
    """Return the instants at which groups of single steps end."""
    lengths = np.abs(np.diff(t))
    if len(lengths) == 0:
        return ()
    return tuple(t[:-1][lengths > GAP * lengths.min()].tolist())
