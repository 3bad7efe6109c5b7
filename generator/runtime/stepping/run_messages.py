"""Messages about the end of a run: one sentence with the outcome, one with advice."""

import numpy as np

from mbdgen.limits import refusal
from mbdgen.runtime.accuracy import failure_diagnosis
from mbdgen.runtime.accuracy.violated_equations import report
from mbdgen.runtime.initialisation.constraint_diagnosis import Diagnosis
from mbdgen.runtime.methods import resolved_frequencies
from mbdgen.runtime.methods.method_limits import MASS_LIMITS
from mbdgen.runtime.methods.redundant_constraints import advice
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.monitors.events import Watch
from mbdgen.runtime.monitors.orientation_charts import OrientationCharts
from mbdgen.runtime.stepping.driver import CONTRADICTED, INTERRUPTED, NO_NUMBERS, STOPPED
from mbdgen.runtime.stepping.step_size_control import TOO_SMALL
from mbdgen.runtime.system import run_workspace
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_features import features_of


def outcome(
    system: System,
    scheme: Scheme,
    state: State,
    status: int,
    h: float,
    every: int,
    diagnosis: Diagnosis,
    attitudes: OrientationCharts,
    watch: Watch | None = None,
) -> str:
    """Return the message for a run that ended at ``state``; the system is as the last step left it.

    Parameters
    ----------
    scheme : Scheme
        Integration scheme.
    status : int
        Status returned by the compiled loop.
    h : float
        Requested step size.
    every : int
        Steps between recorded instants.
    diagnosis : Diagnosis
        Rank diagnosis of the constraints at the initial position.
    attitudes : OrientationCharts
        Orientation charts of the run.
    watch : Watch, optional
        The terminal event that ended it.
    """
    t = float(state.clock[0])
    if status == run_workspace.OK:
        thinned = f" Every {every}th step is kept to save memory." if every > 1 else ""
        return f"The end was reached at t = {t:g} s.{thinned}{advice(scheme, diagnosis)}"
    if status == STOPPED:
        if watch is not None and watch.message is not None:
            return watch.message(t)
        return f"Stopped by a terminal event or by the callback at t = {t:g} s."
    if status == INTERRUPTED:
        return f"Interrupted from the keyboard at t = {t:g} s; the motion until then is kept."
    if status == CONTRADICTED:
        rest = np.zeros(system.n_q), np.zeros(system.n_q), np.zeros(system.n_lam)
        phi = system.residual(t, state.q, *rest)[system.work.rows]
        return (
            f"The parameters set at t = {t:g} s contradict the positions there: "
            f"{report(system, phi)}. A length or position cannot jump: make it a function of time "
            f"or "
            "a driver, or begin a new run with the new value."
        )
    if status == run_workspace.LIBRARY_FAILED:
        return (
            f"The library's integrator gave up after t = {t:g} s. Choose a larger rtol or atol or "
            "another formulation; with -v (logging.INFO) it says more."
        )
    if status == TOO_SMALL:
        return (
            f"No step after t = {t:g} s keeps its error within the tolerances, however small. "
            "Choose a larger rtol or atol, and check discontinuous forces and drivers near then."
        )
    near = attitudes.failed if status == NO_NUMBERS else attitudes.nearest(state)
    if near is not None:
        return attitudes.reason(near, t)
    if stiff := resolved_frequencies.reason(system, scheme, h):
        return f"The motion could not be continued after t = {t:g} s.{stiff}"
    facts, context = features_of(system).having("massless", ()), {"scheme": scheme}
    if status == run_workspace.SINGULAR_TANGENT and (limit := refusal(MASS_LIMITS, context, facts)):
        return " ".join(limit.sentences(context, facts))
    row = failure_diagnosis.named(system, failure_diagnosis.worst(system))
    texts = {
        run_workspace.NOT_CONVERGED: f"Newton's method did not converge after t = {t:g} s "
        f"(largest residual in {row}).",
        run_workspace.TURNS_UNKNOWN: f"The turns of an angle cannot be counted after t = {t:g} s: "
        "in one step its speed changes by half a turn or more.",
        run_workspace.NOT_FINITE: f"The equations are not finite after t = {t:g} s "
        f"(first in {_not_finite(system, state, h) or row}).",
        run_workspace.KERNEL_FAILED: f"The equations could not be evaluated after t = {t:g} s.",
    }
    singular = f"The iteration matrix is singular after t = {t:g} s (near {row})."
    smaller = f"Try a smaller step (h < {h:g})"
    if scheme.method.varies:
        smaller += ", or rtol=1e-4 in a single run, which shortens steps where needed"
    todo = f"{smaller}, and check stiff or discontinuous forces, drivers and singular positions "
    todo += "near that time."
    if status == run_workspace.NOT_FINITE:
        todo = failure_diagnosis.ADVICE
    elif diagnosis.redundant:
        todo += f" {diagnosis.messages()[0]}: if they ask for different motions, remove one."
    return f"{texts.get(status, singular)} {todo}"


def _not_finite(system: System, state: State, h: float) -> str | None:
    """Name the non-finite quantity; the failed step is lost, so its instants are tried again."""
    if failure_diagnosis.first_bad(system, system.work.residual) is not None:
        return None
    t = float(state.clock[0])
    found = (failure_diagnosis.not_finite(system, t + part * h, state) for part in (0.0, 0.5, 1.0))
    return next((name for name in found if name is not None), None)
