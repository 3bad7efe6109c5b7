"""What a compiled loop works on besides the step: everything of one simulation under way."""

from typing import NamedTuple

from mbdgen.runtime.linalg.factor_storage import FACTORS, Factors
from mbdgen.runtime.monitors.recorder import PROGRESS, RECORD, Progress, Record
from mbdgen.runtime.system.run_workspace import (
    INT_ARRAY,
    REAL_ARRAY,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray


class Course(NamedTuple):
    """A motion, where it stands, where it goes, and what is kept of it.

    Attributes
    ----------
    work : RunWorkspace
        Tables and scratch space of the mechanism.
    state, backup : State
        The motion, and room for what it was before a step that may fail.
    progress : Progress
        Interval and step that come next.
    record : Record
        Rows for recorded instants.
    instants, substeps : array
        Interval ``k`` reaches from ``instants[k]`` to ``instants[k + 1]`` in ``substeps[k]`` equal
        steps.
    brief : array of int
        Whether only the motion is written down at the end of an interval, for the estimate of its
        error: outputs, energies and residuals are not evaluated there.
    options : array
        Numbers of the method.
    tangent, mass : Factors
        See `mbdgen.runtime.integrators.base`.
    """

    work: RunWorkspace
    state: State
    backup: State
    progress: Progress
    record: Record
    instants: FloatArray
    substeps: IntArray
    brief: IntArray
    options: FloatArray
    tangent: Factors
    mass: Factors


COURSE = (
    *(WORK, STATE, STATE, PROGRESS, RECORD, REAL_ARRAY, INT_ARRAY, INT_ARRAY, REAL_ARRAY),
    *(FACTORS, FACTORS),
)
"""Types of the fields. Compiled loops take them one by one: [M] as one nested tuple they take Numba
1.5 s longer to compile, because every access copies what it contains."""
