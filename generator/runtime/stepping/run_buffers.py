"""Data of a simulation that a compiled loop works on, besides the step."""

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
    """State, progress, schedule and recording of a run.

    Attributes
    ----------
    work : RunWorkspace
        Tables and workspace of the mechanism.
    state, backup : State
        The current state, and a copy of it from before a step that may fail.
    progress : Progress
        Next interval and step.
    record : Record
        Rows for recorded instants.
    instants, substeps : array
        Interval ``k`` reaches from ``instants[k]`` to ``instants[k + 1]`` in ``substeps[k]`` equal
        steps.
    brief : array of int
        Whether only the motion is recorded at the end of an interval, for the error estimate:
        outputs, energies and residuals are not evaluated there.
    options : array
        Options of the method.
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
"""Types of the fields. Compiled loops take the fields as separate arguments.
"""
