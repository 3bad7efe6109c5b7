"""Run a method with a formulation and a projector, for all layouts and backends."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.formulations.base import Formulation, nothing_depends
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNELS
from mbdgen.runtime.projections.base import leave
from mbdgen.runtime.solvers.constraint_correction import correct
from mbdgen.runtime.solvers.constraint_levels import level_slope, level_solve
from mbdgen.runtime.solvers.dense_workspace import DENSE, DenseWorkspace, new_dense_workspace
from mbdgen.runtime.solvers.scheme_functions import (
    GENERAL_STEP,
    PARTS,
    SchemeFunction,
    SchemeFunctions,
    general_step,
)
from mbdgen.runtime.solvers.step_finalisation import begin_at_slope, slope_at_state
from mbdgen.runtime.stepping import time_loop
from mbdgen.runtime.stepping.run_buffers import COURSE, Course
from mbdgen.runtime.system.run_workspace import OK, State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

if TYPE_CHECKING:
    from mbdgen.runtime.ensembles.member_block import MemberBlock
    from mbdgen.runtime.initialisation.fast_initialisation import InitialisationWorkspace

_FACTORS = 2
"""The last two fields of a course are factors; a step gets its functions and workspace instead."""

RUN: Callable[..., int] = separate(
    types.int64(
        *(GENERAL_STEP, KERNELS, *COURSE[:-_FACTORS], PARTS, DENSE, types.int64, types.int64)
    )
)(time_loop.integrate)


def general_step_of(scheme: Scheme) -> Any:
    """Return the compiled general step of a scheme."""
    where = scheme.step_alone or scheme.method.general
    try:
        step = getattr(import_module(where), "step", None)
    except ModuleNotFoundError as error:
        raise OptionError(f"Method '{scheme.method.name}': {error}.", _GENERAL) from error
    if not isinstance(step, SchemeFunction):
        raise OptionError(
            f"The module '{where}' has no step that method '{scheme.method.name}' can call.",
            _GENERAL,
        )
    return step.pointer


_GENERAL = f"Name a module with a {general_step.wanted} decorated with @general_step."


def parts_of(scheme: Scheme, formulation: Formulation, dependent: bool) -> SchemeFunctions:
    """Return the compiled functions of a scheme.

    Parameters
    ----------
    dependent : bool
        Whether there are redundant constraint equations.
    """
    projector = scheme.projector
    return SchemeFunctions(
        eliminate=elimination(formulation, dependent).pointer,
        complete=formulation.complete.pointer,
        slope=(formulation.slope or level_slope).pointer,
        solve=(formulation.solve or level_solve).pointer,
        change=(leave if projector is None else projector.change).pointer,
        project=(correct if projector is None else projector.project).pointer,
    )


def elimination(formulation: Formulation, dependent: bool) -> SchemeFunction:
    """Return the elimination of a formulation, or the rank-revealing one for redundant rows."""
    if formulation.redundant or not dependent:
        return formulation.eliminate
    from mbdgen.runtime.solvers.rank_revealing_solve import (
        by_rank,  # compiled only if needed
    )

    return by_rank


def dependent_rows(system: System, dof: int) -> int:
    """Return the number of redundant constraint equations, from the degrees of freedom."""
    return len(system.work.rows) + dof - system.n_q


def workspace_of(
    system: System, scheme: Scheme, formulation: Formulation, state: State, dof: int, rows: int
) -> DenseWorkspace:
    """Allocate the workspace of a run, with as many rows as the method needs."""
    values, projector = scheme.formulation_values, scheme.projector
    # A projector with its own iteration needs no change.
    corrects = projector is not None and (
        projector.change is not leave or projector.project is not correct
    )
    return new_dense_workspace(
        system,
        numbers=np.array([*formulation.imposed(values), *values]),
        dof=dof,
        z=np.zeros(0) if formulation.begin is None else formulation.begin(system, state),
        rows=rows,
        projects=corrects,
        completes=formulation.complete is not nothing_depends,
        measures=len(scheme.method.measures),
        whole=formulation.whole,
    )


def restart_workspace(
    system: System, formulation: Formulation, state: State, dense: DenseWorkspace
) -> None:
    """Reset the workspace to the beginning of a motion; measured quantities are kept."""
    for array in (dense.z_dot, dense.rows, dense.times, dense.held, dense.held_order):
        array[...] = 0
    if formulation.begin is not None:
        dense.z[:] = formulation.begin(system, state)


class GeneralRun:
    """The compiled loop of a scheme with a formulation; see `Steps`.

    Parameters
    ----------
    system, scheme : System, Scheme
        System and integration scheme.
    formulation : Formulation
        Formulation of the scheme.
    state : State
        A consistent initial state.
    dof : int
        Degrees of freedom at that state.
    """

    need_pivots = False
    budget = 100

    def __init__(
        self, system: System, scheme: Scheme, formulation: Formulation, state: State, dof: int
    ) -> None:
        method = scheme.method
        self._system, self._state, self._formulation = system, state, formulation
        self._explicit = method.needs in ("slope", "jerk") and not scheme.step_alone
        # Consistent accelerations are not those of a penalty formulation: a rule that needs those
        # at the beginning would lose its order with the first step. A formulation that integrates
        # its own variables has initial values for them that belong to the consistent state.
        own = formulation.slope is not None and formulation.begin is None
        self._inexact = own and not formulation.exact
        self._step = general_step_of(scheme), system.kernels
        self._parts = parts_of(scheme, formulation, dependent_rows(system, dof) > 0)
        self._dense = workspace_of(system, scheme, formulation, state, dof, method.rows)
        self._begun = False

    def restart(self) -> None:
        """Discard slopes, history and eliminations; reinitialise variables of the formulation."""
        restart_workspace(self._system, self._formulation, self._state, self._dense)
        self._begun = False

    def run(self, course: Course, last: int, budget: int) -> int:
        """Integrate as `mbdgen.runtime.stepping.time_loop.integrate` does."""
        if not self._begun and (self._explicit or self._inexact):
            begin = slope_at_state if self._explicit else begin_at_slope
            status: int = begin(
                self._system.kernels, self._system.work, self._state, self._dense, self._parts
            )
            if status != OK:
                return status
        self._begun = True
        parts = self._parts, self._dense
        status = RUN(*self._step, *course[:-_FACTORS], *parts, last, budget)
        return status

    def run_members(
        self,
        course: Course,
        last: int,
        budget: int,
        room: "InitialisationWorkspace",
        block: "MemberBlock",
    ) -> int:
        """Refuse: ensembles run only methods that treat the constraints themselves."""
        raise OptionError(
            "simulate_many runs methods with their own formulation only.",
            "Leave formulation and projection away, or run simulate in a loop.",
        )

    @property
    def memory(self) -> tuple[FloatArray | IntArray, ...]:
        """Data that steps pass on besides the state."""
        dense = self._dense
        motion = dense.z, dense.z_dot, dense.rows, dense.times
        return *motion, dense.held, dense.held_order, dense.measured

    @property
    def vectors(self) -> tuple[FloatArray, ...]:
        """Variables integrated by a formulation, their slope, and the rows of the method."""
        return self._dense.z, self._dense.z_dot, self._dense.rows

    @property
    def measured(self) -> FloatArray:
        """Quantities measured by the method, in the order of ``Method.measures``."""
        return self._dense.measured

    @property
    def left(self) -> FloatArray:
        """See `mbdgen.runtime.steps.dense_runge_kutta_step.step`, and other methods."""
        n_q, rows = self._system.n_q, self._dense.rows
        return rows[:, n_q : 2 * n_q] if self._explicit else rows
