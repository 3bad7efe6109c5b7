"""Which steps of a run the estimate of its error looks at.

Where every step is recorded it finds them there. Where single instants are, some groups of single
steps are written down on the way, beside what is recorded: the run is one and the same.
"""

import numpy as np

from mbdgen.runtime.accuracy.error_estimate import SampledSeries
from mbdgen.runtime.accuracy.run_checks import RunFacts
from mbdgen.runtime.methods.scheme import Scheme, choose
from mbdgen.runtime.stepping.argument_validation import Schedule
from mbdgen.runtime.stepping.driver import Run
from mbdgen.runtime.system.system_data import FloatArray

GROUPS, LENGTH = 10, 14
"""Groups of single steps, and steps of each."""
GAP = 1.5
"""Beside the shortest of all intervals: longer ones lie between two groups."""
SELDOM = 20
"""One step in so many is looked at, but two groups at least."""
PROJECTION = "mass"
"""What is recommended to who has none: it takes least from the energy of the motion."""
RTOL = 1e-8
"""Relative tolerance of libraries, if the user names none."""


def with_samples(plan: Schedule, scheme: Scheme) -> Schedule:
    """Return the schedule of fixed steps with some of them to look at, if not all are recorded."""
    if scheme.method.library or len(plan.substeps) == 0 or (plan.substeps == 1).all():
        return plan
    # Instants of short runs cost as much as their steps.
    groups = int(plan.substeps.sum()) // (SELDOM * LENGTH)
    return plan.sampled(min(max(groups, 2), GROUPS), LENGTH)


def facts_of(run: Run, scheme: Scheme, whole: bool, h: float | None) -> RunFacts:
    """Return what the estimate of the error of a run wants to know about it.

    Parameters
    ----------
    run : Run
        That has ended.
    scheme : Scheme
        How it was integrated.
    whole : bool
        Whether every step was recorded.
    h : float or None
        Length of the steps, if they have one.
    """
    rtol = None if scheme.tolerances is None else scheme.tolerances[0]
    if h is None and rtol is None:
        rtol = RTOL  # of libraries
    touched = [x for impact in run.contacts.finished for x in (impact.begin, impact.end)]
    breaks = [*run.changes, *(t for t in touched if np.isfinite(t))]
    damps = scheme.method.damps(scheme.values)
    facts = RunFacts(scheme.order, whole, None, rtol, tuple(breaks), damps, _remedy(run, scheme))
    if run.missed or run.contacts:
        missed = run.missed_contacts()  # it looks at the last steps
        count = run.missed.findings.count + run.contacts.missed.count
        facts = facts._replace(missed=missed, missed_contacts=count)
    if whole or h is None:
        return facts
    record, t = run.samples.record, run.samples.times
    series = SampledSeries(t, record.q, record.v, record.a)
    return facts._replace(samples=series, breaks=(*breaks, *_gaps(t)))


def _remedy(run: Run, scheme: Scheme) -> str:
    """Say what helps a motion that no shorter step does; empty where steps are to blame."""
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
    """Return where groups of single steps end."""
    lengths = np.abs(np.diff(t))
    if len(lengths) == 0:
        return ()
    return tuple(t[:-1][lengths > GAP * lengths.min()].tolist())
