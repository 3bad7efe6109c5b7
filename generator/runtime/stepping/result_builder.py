"""Build the result and the checkpoint of a finished run."""

from collections.abc import Sequence

import numpy as np

from mbdgen.runtime.initialisation.constraint_diagnosis import Diagnosis
from mbdgen.runtime.methods.redundant_constraints import redundancy
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.monitors.events import Watch
from mbdgen.runtime.monitors.recorder import GENERIC
from mbdgen.runtime.monitors.work_quadrature import DRIFT, PHI, PHI_DDOT, PHI_DOT, SCALE
from mbdgen.runtime.results.beam_results import lines_of
from mbdgen.runtime.results.body_motion import places_of
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.results.scene_figures import scene_of
from mbdgen.runtime.stepping.checkpoint import Checkpoint, identity
from mbdgen.runtime.stepping.driver import STOPPED, Run
from mbdgen.runtime.stepping.run_info import Counters, RunInfo
from mbdgen.runtime.stepping.stepper_selection import has_fused_step
from mbdgen.runtime.system import run_workspace
from mbdgen.runtime.system.system import System


def checkpoint_of(
    run: Run,
    scheme: Scheme,
    span: tuple[float, float],
    origin: Checkpoint | None,
) -> Checkpoint:
    """Return the checkpoint from which another run continues."""
    begin = (np.array([span[0]]), run.begun) if origin is None else origin.groups["begin"]
    groups = {
        **run.leave(),
        "begin": begin,
        "outputs": (run.outputs_at_end(),),
        "direction": (np.array([np.sign(span[1] - span[0])]),),
    }
    return Checkpoint(identity(run.system, scheme), groups)


def result_of(
    run: Run,
    status: int,
    message: str,
    timings: dict[str, float],
    info: RunInfo,
    watching: Sequence[Watch],
) -> Result:
    """Return the result: everything recorded and counted by the run."""
    counts, numbers = run.system.work.counters, run.progress.numbers
    q, v, a, lam, outputs, energies = run.rows.record
    return Result(
        t=run.rows.times,
        q=q,
        v=v,
        a=a,
        lam=lam,
        outputs=outputs,
        energies=energies,
        names=run.system.names,
        success=status in (run_workspace.OK, STOPPED),
        status={run_workspace.OK: 0, STOPPED: 1}.get(status, -status),
        message=message,
        counters=Counters(
            steps=int(counts[run_workspace.STEPS]),
            newton_iterations=int(counts[run_workspace.NEWTON]),
            factorisations=int(counts[run_workspace.FACTORISATIONS]),
            generic_steps=int(run.progress.position[GENERIC]),
            max_phi=float(numbers[PHI]),
            max_phi_dot=float(numbers[PHI_DOT]),
            max_phi_ddot=float(numbers[PHI_DDOT]),
            energy_drift=float(numbers[DRIFT]),
            energy_scale=float(numbers[SCALE]),
            accepted=run.accepted,
            rejected=run.rejected,
        ),
        info=info,
        timings=timings,
        measures=run.measures,
        switches=tuple(run.attitudes.switches),
        contacts=run.contacts.finished,
        t_events=[np.array(watch.times) for watch in watching],
        sensitivities=run.sensitivities(),
        scene=scene_of(run.system),
        places=places_of(run.system),
        lines=lines_of(run.system),
    )


def info_of(
    system: System, scheme: Scheme, diagnosis: Diagnosis, h: float | None, reached: float
) -> RunInfo:
    """Return the description of the run."""
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
        redundancy=redundancy(scheme, diagnosis),
        h=h,
        t_end=reached,
        parameters=system.parameters,
    )
