"""Identity of a sweep, compared on resumption, with messages naming the differences."""

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.ensembles.ensemble_members import Members
from mbdgen.runtime.ensembles.job import Job
from mbdgen.runtime.system.system import System
from mbdgen.version import __version__

Identity = dict[str, str]


def identity_of(system: System, job: Job, members: Members, size: int) -> Identity:
    """Describe a sweep.

    Parameters
    ----------
    size : int
        Members of a block.
    """
    data, plan = system.data, job.plan
    begin, end = plan.instants[0], plan.instants[-1]
    varied = ", ".join(members.names) or "none"
    given = [x for x in (members.q0, members.v0) if x is not None]
    own = [] if system.as_given else [system.q0, system.v0]
    fixed = {k: v for k, v in system.parameters.items() if k not in members.names}
    return {
        "version of mbdgen": __version__,
        "model": data.model,
        "code": f"{data.backend} {data.layout}" + (" reduced" if data.reduced is not None else ""),
        "set of equations": data.digest[:12],
        "set of numbers": _short(data.tables.p),
        "list of varied parameters": varied,
        **{f"parameter {name} =": f"{value!r}" for name, value in fixed.items()},
        "method": f"{job.method.name} ({job.method.formulation})",
        "set of options": ", ".join(f"{x:.17g}" for x in job.options),
        "step h =": repr(job.h),
        "time span": f"{begin:.17g} to {end:.17g} s",
        "set of instants": f"{plan.keep.sum()} ({_short(plan.instants, plan.keep, plan.substeps)})",
        "list of series": ", ".join(column.name for column in job.series),
        "number of members": str(len(members)),
        "table of parameters": _short(members.values),
        "set of initial values": _short(*given, *own, system.angles0),
        "size of blocks": str(size),
    }


def check_same_sweep(path: object, theirs: Mapping[str, Any], ours: Identity) -> None:
    """Reject a file of another sweep, by what differs."""
    for what in dict.fromkeys([*ours, *theirs]):
        if theirs.get(what) != ours.get(what):
            raise OptionError(
                f"'{path}' belongs to another sweep: its {what} '{theirs.get(what, 'missing')}', "
                f"not '{ours.get(what, 'missing')}'.",
                "Resume with the model, parameters, method and series of that sweep, or give "
                "another file; without resume the file is written anew.",
            )


def _short(*arrays: Any) -> str:
    h = hashlib.sha256()
    for array in arrays:
        h.update(f"{array.shape} ".encode())
        h.update(np.ascontiguousarray(array).tobytes())
    return h.hexdigest()[:12]
