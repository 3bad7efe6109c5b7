"""One simulation from the user's request to the result.

`simulate` is long because it is what users read the documentation of.
"""

import logging
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime import work
from mbdgen.runtime.assemble import assemble
from mbdgen.runtime.diagnose import Diagnosis, diagnose, require_motion
from mbdgen.runtime.drive import STOPPED, Callback, Run
from mbdgen.runtime.events import watches
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.messages import outcome
from mbdgen.runtime.numbers import number
from mbdgen.runtime.progress import progress_bar
from mbdgen.runtime.recording import DRIFT, GENERIC, PHI, PHI_DDOT, PHI_DOT, row_bytes
from mbdgen.runtime.request import schedule, time_span
from mbdgen.runtime.result import Counters, Result, RunInfo
from mbdgen.runtime.scheme import Scheme, choose
from mbdgen.runtime.second import require_kernels
from mbdgen.runtime.steps import has_fused_step
from mbdgen.runtime.system import System

if TYPE_CHECKING:
    from mbdgen.runtime.formulations.base import Formulation
    from mbdgen.runtime.projectors.base import Projector

LOG = logging.getLogger("mbdgen.runtime.simulate")

MEMORY = 500_000_000
"""Bytes that a result may need before steps are left out of it."""


def simulate(
    system: System,
    span: Sequence[float],
    method: str | Method = "newmark",
    h: float = 1e-3,
    formulation: "str | Formulation | None" = None,
    projection: "str | Projector | None" = None,
    t_eval: Sequence[float] | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    events: Any = None,
    callback: Callback | None = None,
    progress: bool | str = "auto",
    **method_options: float | str,
) -> Result:
    """Integrate the motion of a system.

    Parameters
    ----------
    system : System
        From a generated module or ``mbdgen.load``.
    span : (float, float)
        Start and end time.
    method : str or Method
        Name of an integrator, or one of your own.
    h : float
        Largest step; every interval between recorded instants is divided into equal steps.
    formulation : str or Formulation, optional
        What is done about the constraints: one of ``mbdgen methods``, or one of your own. By
        default the method does what it does best.
    projection : str or Projector, optional
        How the end of each step is brought onto the constraints; by default as the formulation
        wants it.
    t_eval : sequence of float, optional
        Instants to record; by default every step (fewer if the result would need over 500 MB).
    rtol, atol : float, optional
        For methods that choose their step; the others refuse them.
    events : callable or sequence of callable, optional
        ``event(t, q, v)`` crosses zero at an event; attributes ``terminal`` and ``direction`` as in
        ``scipy.integrate.solve_ivp``.
    callback : callable, optional
        ``callback(t, q, v)`` at every recorded instant; a true value stops the simulation.
    progress : "auto" or bool
        Progress bar on stderr.
    **method_options : float
        Options of the method and of the formulation; ``preset`` names a set of them.

    Returns
    -------
    Result
        Also if the simulation failed: then ``success`` is False, ``status`` is negative, and
        ``message`` says when, where and what to try. Status 0: the end was reached, 1: stopped by
        a terminal event or by the callback.
    """
    require_system("simulate", system)
    scheme = choose(method, formulation, projection, method_options)
    require_kernels(system, scheme.method.kernels, f"Method '{scheme.method.name}'")
    _require_fixed_step(scheme.method, rtol=rtol, atol=atol)
    start, end = time_span(span)
    most_rows = MEMORY / (8 + row_bytes(system.data))
    plan = schedule((start, end), h, t_eval, most_rows=most_rows)
    watching = watches(events)
    if callback is not None and not callable(callback):
        raise OptionError("callback is not a function.", "Give callback(t, q, v).")

    clock = time.perf_counter()
    state = assemble(system, start)
    diagnosis = diagnose(system, start, state.q)
    require_motion(system, diagnosis)
    for text in diagnosis.messages(start):
        LOG.info("%s: %s", system.data.model, text)
    assembled = time.perf_counter()
    system.work.counters[:] = 0
    with progress_bar(progress, system.data.model, start, end) as report:
        run = Run(system, scheme, state, diagnosis.dof, watching, callback, report)
        status = run.integrate(plan)
    timings = {
        **dict(system.data.build_seconds),
        "assemble_s": assembled - clock,
        "solve_s": run.seconds,
        "run_s": time.perf_counter() - assembled,
    }
    info = _info(system, scheme, diagnosis, float(h), float(state.clock[0]))
    message = outcome(system, state, status, float(h), plan.every, diagnosis)
    if status not in (work.OK, STOPPED):
        LOG.warning("%s", message)
    return _result(run, status, message, timings, info)


def require_system(function: str, system: object) -> None:
    """Refuse to simulate what is no system."""
    if not isinstance(system, System):
        raise OptionError(
            f"{function} needs a System, not {type(system).__name__}.",
            "Take 'system' of a generated module or mbdgen.load(...).",
        )


def _require_fixed_step(method: Method, **tolerances: float | None) -> None:
    """Refuse tolerances: users of SciPy give them, but no method chooses its step."""
    for name, value in tolerances.items():
        if value is not None and number(name, value) is not None:
            raise OptionError(
                f"Method '{method.name}' has fixed steps and takes no {name}.", "Choose h instead."
            )


def _result(
    run: Run, status: int, message: str, timings: dict[str, float], info: RunInfo
) -> Result:
    counts, numbers, kept = run.system.work.counters, run.progress.numbers, run.count
    q, v, a, lam, outputs, energies = (array[:kept] for array in run.record)
    for column in np.flatnonzero(run.system.data.angle_outputs):
        outputs[:, column] = np.unwrap(outputs[:, column])
    return Result(
        t=run.times[:kept],
        q=q,
        v=v,
        a=a,
        lam=lam,
        outputs=outputs,
        energies=energies,
        names=run.system.names,
        success=status in (work.OK, STOPPED),
        status={work.OK: 0, STOPPED: 1}.get(status, -status),
        message=message,
        counters=Counters(
            steps=int(counts[work.STEPS]),
            newton_iterations=int(counts[work.NEWTON]),
            factorisations=int(counts[work.FACTORISATIONS]),
            generic_steps=int(run.progress.position[GENERIC]),
            max_phi=float(numbers[PHI]),
            max_phi_dot=float(numbers[PHI_DOT]),
            max_phi_ddot=float(numbers[PHI_DDOT]),
            energy_drift=float(numbers[DRIFT]),
        ),
        info=info,
        timings=timings,
        measures=run.measures,
        t_events=[np.array(watch.times) for watch in run.watches],
    )


def _info(
    system: System, scheme: Scheme, diagnosis: Diagnosis, h: float, reached: float
) -> RunInfo:
    return RunInfo(
        model=system.data.model,
        method=scheme.method.name,
        formulation=scheme.text,
        backend=system.data.backend,
        layout=system.data.layout,
        reduced=system.data.reduced is not None
        and scheme.formulation is None
        and has_fused_step(system, scheme.method),
        dof=diagnosis.dof,
        n_q=diagnosis.n_q,
        n_phi=diagnosis.n_phi,
        redundant=diagnosis.redundant,
        h=h,
        t_end=reached,
        parameters=system.parameters,
    )
