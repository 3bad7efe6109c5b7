"""Time integration of a multibody system: `simulate`, from the arguments to the result.

The docstring of `simulate` is the reference documentation of users.
"""

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from mbdgen.errors import OptionError
from mbdgen.limits import Facts, require
from mbdgen.runtime.accuracy.run_checks import checked, warned
from mbdgen.runtime.accuracy.sampled_steps import facts_of, with_samples
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.initialisation.constraint_diagnosis import Diagnosis, check_motion, diagnose
from mbdgen.runtime.initialisation.initial_correction import corrections, doubtful_start
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.methods.method_limits import SCHEME_LIMITS
from mbdgen.runtime.methods.option_keywords import MethodOptions
from mbdgen.runtime.methods.resolved_frequencies import check_resolved
from mbdgen.runtime.methods.run_limits import (
    RUN_CONTROL_LIMITS,
    RUN_LIMITS,
    RUN_SCHEME_LIMITS,
    SCHEME_CONTROL_LIMITS,
    SENSITIVITIES,
    controls_of,
)
from mbdgen.runtime.methods.scheme import Scheme, choose
from mbdgen.runtime.monitors.angle_unwrapping import forget_turns
from mbdgen.runtime.monitors.events import watches
from mbdgen.runtime.monitors.orientation_charts import OrientationCharts
from mbdgen.runtime.monitors.recorder import row_bytes
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.stepping.argument_validation import schedule, step_size, stops, time_span
from mbdgen.runtime.stepping.checkpoint import Checkpoint
from mbdgen.runtime.stepping.contact_stepping import TouchingRun
from mbdgen.runtime.stepping.driver import Callback, Run
from mbdgen.runtime.stepping.progress import progress_bar
from mbdgen.runtime.stepping.result_builder import checkpoint_of, info_of, result_of
from mbdgen.runtime.stepping.run_messages import outcome
from mbdgen.runtime.stepping.step_size_control import AdaptiveRun, tolerances
from mbdgen.runtime.system import run_workspace
from mbdgen.runtime.system.model_argument import takes_model
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.second_derivatives import check_kernels
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatsLike
from mbdgen.runtime.system.system_features import features_of
from mbdgen.runtime.system.system_leases import with_own_numbers

if TYPE_CHECKING:
    from mbdgen.runtime.formulations.base import Formulation
    from mbdgen.runtime.projections.base import Projector
    from mbdgen.runtime.sensitivities.directions import Direction

LOG = logging.getLogger("mbdgen.runtime.simulate")

MEMORY = 500_000_000
"""Memory in bytes of a result above which time steps are thinned out."""


@takes_model
@with_own_numbers
def simulate(
    system: System,
    /,
    span: FloatsLike,
    method: str | Method = "newmark",
    h: float = 1e-3,
    t_eval: FloatsLike | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    events: Any = None,
    callback: Callback | None = None,
    progress: bool | str = "auto",
    start: Checkpoint | None = None,
    rebase: bool = True,
    formulation: "str | Formulation | None" = None,
    projection: "str | Projector | None" = None,
    sensitivities: Sequence[str] = (),
    **method_options: Unpack[MethodOptions],
) -> Result:
    """Integrate the equations of motion of a multibody system (a DAE) from initial conditions.

    ``M(q) a = f(t, q, v) + G^T lam``,  ``phi(t, q) = 0``: Lagrange's equations of the first kind
    with the multipliers ``lam``. Initial conditions are made consistent first.

    Parameters
    ----------
    system : System
        From a generated module or ``mbdgen.load``; also a `Model`, or the path or name of one,
        which is loaded with its default options.
    span : (float, float)
        Start and end time; integration backward in time, with methods that support it, has the
        larger one first. Equal times integrate nothing: the result is one instant, the consistent
        initial conditions.
    method : str or Method
        Name of an integrator, or a user-defined one.
    h : float
        Largest time step; every interval between recorded instants is divided into equal steps.
        With tolerances it is the first trial step. Integrators of libraries choose their own step
        size: then ``h`` is only the interval between recorded instants.
    t_eval : sequence of float, optional
        Instants to record; by default every step (fewer if the result would need over 500 MB).
    rtol, atol : float, optional
        Relative and absolute tolerance of the local error, ``atol + rtol |y|``, for step-size
        control; if only one is given, the other has the same value. Every step is recorded unless
        ``t_eval`` is given.
    events : callable, Event, str or sequence of these, optional
        Event functions: ``event(t, q, v)`` crosses zero at an event; attributes ``terminal`` and
        ``direction`` as in ``scipy.integrate.solve_ivp``. An `mbdgen.Event` watches a series of
        the model by its name, such as an output; a bare name means zero crossings of that series.
    callback : callable, optional
        ``callback(t, q, v)`` at every recorded instant; a true value stops the simulation.
    progress : "auto", "lines" or bool
        Progress bar on stderr, or lines for another program.
    start : Checkpoint, optional
        Final state of another run, `mbdgen.runtime.results.result.Result.checkpoint`: the motion
        continues as if that run had not stopped. The span starts at its time.
    rebase : bool
        Whether bodies whose orientation approaches a coordinate singularity continue in another
        chart: see `mbdgen.runtime.monitors.orientation_charts`. Otherwise the run stops there.
    formulation : str or Formulation, optional
        Formulation of the constrained equations of motion (index, elimination, penalty): one of
        ``mbdgen methods``, or a user-defined one. The default depends on the method.
    projection : str or Projector, optional
        Projection of the end of each step onto the constraints; by default that of the
        formulation.
    sensitivities : sequence of str
        Parameters, and initial coordinates (``rod.x``) and velocities (``rod.x.dot``), with
        respect to which everything recorded is differentiated: see
        `mbdgen.runtime.results.result.Result.sensitivity`.
    **method_options : float or str
        Options of the method and of the formulation; ``preset`` names a set of them. Type checkers
        know all of them: `mbdgen.runtime.methods.option_keywords.MethodOptions`.

    Returns
    -------
    Result
        Also if the simulation failed: then ``success`` is False, ``status`` is negative, and
        ``message`` says when and where it failed, and suggests a remedy. Status 0: the end was
        reached, 1: stopped by a terminal event or by the callback.
    """
    check_system("simulate", system)
    scheme = choose(method, formulation, projection, method_options)
    facts = features_of(system)
    require(SCHEME_LIMITS, facts, scheme=scheme)
    check_kernels(system, scheme.method.kernels, f"Method '{scheme.method.name}'")
    ends = time_span(span, backward=True, still=True)
    given = {"rtol": rtol, "atol": atol, "events": events, "start": start, "callback": callback}
    controls = controls_of(given, ends)
    for control in controls:
        require(SCHEME_CONTROL_LIMITS, scheme=scheme, control=control)
    accepted_error = tolerances(rtol, atol)
    wanted = _wanted(system, facts, scheme, sensitivities, controls)
    most_rows = MEMORY / (8 + (1 + len(wanted)) * row_bytes(system.data))
    plan = schedule(ends, h, t_eval, most_rows=most_rows)
    still = ends[0] == ends[1]
    chosen_steps = accepted_error is not None and not scheme.method.library and not still
    if accepted_error is not None:
        scheme = replace(scheme, tolerances=(accepted_error.r, accepted_error.a))
    whole = t_eval is None and plan.every == 1
    plan = stops(ends, t_eval) if chosen_steps else with_samples(plan, scheme)
    if start is not None:
        if not isinstance(start, Checkpoint):
            raise OptionError(
                f"start is a {type(start).__name__}, not a Checkpoint.",
                "Give result.checkpoint(), or Checkpoint.load(path).",
            )
        start.check(system, scheme, ends[0])
        start = start.towards(ends[1])
    watching = watches(system, events)
    if callback is not None and not callable(callback):
        raise OptionError("callback is not a function.", "Give callback(t, q, v).")

    if not isinstance(rebase, bool):
        raise OptionError(f"rebase = {rebase!r} is not a truth value.", "Give True or False.")
    if not rebase:
        OrientationCharts(system, rebase).check_initial_bases()
    # The sensitivity of a chart switch is not implemented: such a run stops where it would switch.
    attitudes = OrientationCharts(system, rebase and not wanted)

    clock = time.perf_counter()
    state, diagnosis = _initial(system, ends[0], start)
    moved = corrections(system, state.q, state.v) if start is None else {}
    begun = doubtful_start(system, ends[0], state.q, state.v) if start is None else ()
    require(SCHEME_LIMITS, features_of(system, diagnosis), scheme=scheme)
    if not chosen_steps and not scheme.method.library:
        check_resolved(system, scheme, ends[0], state.q, float(h))
    assembled = time.perf_counter()
    system.work.counters[:] = 0
    with progress_bar(progress, system.data.model, *ends) as report:
        parts = system, scheme, state, diagnosis.dof, watching, callback, report, attitudes, start
        run: Run
        if wanted:
            from mbdgen.runtime.sensitivities.sensitive_run import SensitiveRun

            run = SensitiveRun(*parts[:4], callback, report, attitudes, wanted)
        elif accepted_error is None or not chosen_steps:
            run = TouchingRun(*parts) if len(system.data.contacts) else Run(*parts)
        else:
            run = AdaptiveRun(*parts, accepted_error, step_size(h), every=t_eval is None)
        ready = time.perf_counter()
        status = run.integrate(plan)
    timings = {
        **with_compiling(system.data.build_seconds, ready - assembled),
        "assemble_s": assembled - clock,
        "solve_s": run.seconds,
        "run_s": time.perf_counter() - ready,
    }
    step = None if chosen_steps or scheme.method.library else float(h)
    info = info_of(system, scheme, diagnosis, step, float(state.clock[0]))
    info = replace(info, t_start=ends[0], corrections=moved)
    if wanted:
        info = replace(info, reduced=False)  # its steps are those without fused kernels
    causes = diagnosis, attitudes, run.stopped_by
    message = outcome(system, scheme, state, status, float(h), plan.every, *causes)
    if still and status == run_workspace.OK:
        message = f"A snapshot at t = {ends[0]:g} s: assembled, nothing was integrated."
    if run.rejected and run.halves:
        text = "%s: %d fixed steps did not converge and were made in halves."
        LOG.info(text, system.data.model, run.rejected)
    result = result_of(run, status, message, timings, info, watching)
    if result.success:
        result = replace(result, last=checkpoint_of(run, scheme, ends, start))
    result = checked(result, system, facts_of(run, scheme, whole, step))
    result = warned(result, begun)
    if not result.success:
        LOG.warning("%s", result.message)
    attitudes.reset()
    run.contacts.reset()
    forget_turns(system)
    return result


def _wanted(
    system: System, facts: Facts, scheme: Scheme, names: Sequence[str], controls: Sequence[str]
) -> "tuple[Direction, ...]":
    """Return the parameters of differentiation; import sensitivities only if there are any."""
    if isinstance(names, Sequence) and not names:
        return ()
    from mbdgen.runtime.sensitivities.directions import directions
    from mbdgen.runtime.sensitivities.variation_kernels import check_variations

    require(RUN_SCHEME_LIMITS, run=SENSITIVITIES, scheme=scheme)
    for control in controls:
        require(RUN_CONTROL_LIMITS, run=SENSITIVITIES, control=control)
    check_variations(system, "A simulation with sensitivities")
    require(RUN_LIMITS, facts, run=SENSITIVITIES)
    return directions(system, names)


def with_compiling(known: Sequence[tuple[str, float]], seconds: float) -> dict[str, float]:
    """Return durations in s by name, with the compile time of the method's functions added."""
    found = dict(known)
    return {**found, "compile_s": found.get("compile_s", 0.0) + seconds}


def check_system(function: str, system: object) -> None:
    """Refuse objects that are not a `System`."""
    if not isinstance(system, System):
        raise OptionError(
            f"{function} needs a System, not {type(system).__name__}.",
            "Give mbdgen.load(...), 'system' of a generated module, a Model, or the path or name "
            "of one.",
        )


def _initial(system: System, t: float, origin: Checkpoint | None) -> tuple[State, Diagnosis]:
    """Return a consistent initial state, and the degrees of freedom at the start of the motion."""
    if origin is None:
        state = assemble(system, t)
        begin, q = t, state.q
    else:
        state = origin.state
        (time_then,), q = origin.groups["begin"]
        begin = float(time_then)
    diagnosis = diagnose(system, begin, q)
    check_motion(system, diagnosis)
    for text in diagnosis.messages(begin):
        LOG.info("%s: %s", system.data.model, text)
    return state, diagnosis
