"""Formulations of constrained equations of motion (DAE): base class and conventions.

A file defines one ``FORMULATION``: the equations imposed besides ``M a = f + G^T lam``, and their
solution. Most are four coefficients and one function ``eliminate``: the weights of the imposed
combination of ``phi``, ``phi_dot``, ``phi_ddot``, the compliance of the Lagrange multipliers, and
the solution of the linear equations. The contracts of all functions are in
`mbdgen.runtime.solvers.scheme_functions`.

A new file in this folder that defines ``FORMULATION`` is found by
`mbdgen.runtime.formulations.known`; nothing else needs to change.
"""

from collections.abc import Callable
from dataclasses import dataclass

from mbdgen.errors import OptionError
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.methods.plugin_validation import check_options, returned_numbers
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_levels import level_slope, level_solve
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.saddle_point import eliminate_by_lu
from mbdgen.runtime.solvers.scheme_functions import (
    SchemeFunction,
    completes,
    eliminates,
    slopes,
    solves,
)
from mbdgen.runtime.system.run_workspace import OK, RunWorkspace, State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray


@eliminates
def by_lu(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """Solve the saddle-point system: see `mbdgen.runtime.solvers.saddle_point.eliminate_by_lu`."""
    return eliminate_by_lu(work, dense)


@completes
def nothing_depends(
    kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace
) -> int:
    """Leave positions and velocities of the integrator unchanged."""
    return OK


STABILISATION = (
    Option("omega", 10.0, 0.0, 1e6, "frequency of the stabilisation in rad/s"),
    Option("xi", 1.0, 0.0, 10.0, "damping ratio of the stabilisation"),
)
"""Options of the term ``phi_ddot + 2 xi omega phi_dot + omega^2 phi``, see `stabilised`."""


LEVELS = "position", "velocity", "acceleration"
_WEIGHTS = (
    "Return four numbers (w_0, w_1, w_2, compliance): none below zero, and one of the first three "
    "above it."
)


def stabilised(omega: float, xi: float) -> tuple[float, float, float]:
    """Return the Baumgarte weights ``(w_0, w_1, w_2)``: the violation is a damped oscillator."""
    return omega * omega, 2.0 * xi * omega, 1.0


@dataclass(frozen=True)
class Formulation:
    """A treatment of the constraints: index, stabilisation, elimination.

    Attributes
    ----------
    name : str
        User-facing name: ``formulation="index1"``.
    text : str
        One-line description for lists.
    source : str
        Original or best reference.
    weights : callable
        ``weights(values) -> (w_0, w_1, w_2, compliance)`` of the imposed combination.
    options : tuple of Option
        Options, after the four coefficients in ``dense.numbers``. Their names differ from those of
        methods.
    eliminate, complete : SchemeFunction
        Compiled on first use.
    slope, solve : SchemeFunction or None
        Compiled on first use; None if the formulation has no explicit accelerations, or if an
        implicit relation cannot be solved with it.
    begin : callable or None
        ``begin(system, state) -> z``: initial values of its additional states besides coordinates
        and velocities, at a consistent state; None: there are none.
    levels : tuple of str
        Constraint levels that its solutions satisfy to solver accuracy, out of
        ``position``, ``velocity``, ``acceleration``.
    exact : bool
        Whether solutions converge to those of the mechanism for small steps; those of penalties do
        not.
    redundant : bool
        Whether its own elimination supports redundant constraints; otherwise it is replaced by
        `mbdgen.runtime.solvers.rank_revealing_solve` if there are any.
    massless : bool
        Whether explicit methods may meet bodies without mass or inertia in some direction.
    timed : bool
        Whether reaction directions may depend on the time itself, as they do where drivers have
        been eliminated.
    rate : callable or None
        ``rate(s, values)``: the fastest rate, in 1/s, of the dynamics added by the formulation,
        with the largest eigenvalue s of ``H M^-1 G^T``. Explicit methods have to resolve it; None
        if nothing is added.
    projection : str
        Its default projector.
    whole : bool
        Whether it uses matrices of the whole mechanism, as all projectors do; otherwise no
        workspace is allocated for them.
    """

    name: str
    text: str
    source: str
    weights: Callable[[tuple[float, ...]], tuple[float, float, float, float]]
    options: tuple[Option, ...] = ()
    eliminate: SchemeFunction = by_lu
    complete: SchemeFunction = nothing_depends
    slope: SchemeFunction | None = level_slope
    solve: SchemeFunction | None = level_solve
    begin: Callable[[System, State], FloatArray] | None = None
    levels: tuple[str, ...] = ("acceleration",)
    exact: bool = True
    redundant: bool = True
    massless: bool = True
    timed: bool = True
    rate: Callable[[float, tuple[float, ...]], float] | None = None
    projection: str = "none"
    whole: bool = True

    def __post_init__(self) -> None:
        where = f"Formulation {self.name!r}"
        eliminates.check(where, self.eliminate)
        completes.check(where, self.complete)
        if self.slope is not None:
            slopes.check(where, self.slope)
        if self.solve is not None:
            solves.check(where, self.solve)
        if unknown := [level for level in self.levels if level not in LEVELS]:
            raise OptionError(
                f"{where} fulfils the level {unknown[0]!r}.", f"Name some of: {', '.join(LEVELS)}."
            )
        check_options(where, self.options)
        self.imposed(tuple(option.default for option in self.options))

    def imposed(self, values: tuple[float, ...]) -> tuple[float, ...]:
        """Return weights and compliance for validated option values."""
        where = f"Formulation {self.name!r}"
        call = "weights(values)"
        found = returned_numbers(where, call, lambda: self.weights(values), 4, _WEIGHTS)
        if min(found) < 0.0 or not any(found[:3]):
            raise OptionError(f"weights of {where} returns {found}.", _WEIGHTS)
        if found[2] == 0.0 and self.slope is level_slope:
            raise OptionError(
                f"{where} imposes nothing on accelerations (w_2 = 0), but promises them.",
                "Say slope=None, or give a slope of your own or a positive w_2.",
            )
        return found

    def imposed_level(self, values: tuple[float, ...]) -> str:
        """Return the highest constraint level in the imposed combination."""
        _, velocity, acceleration, _ = self.weights(values)
        if acceleration != 0.0:
            return "acceleration"
        return "velocity" if velocity != 0.0 else "position"

    @property
    def is_levels(self) -> bool:
        """Whether it consists of its four coefficients alone, solved in one linear system."""
        parts = self.eliminate, self.complete, self.slope or level_slope, self.solve
        return parts == (by_lu, nothing_depends, level_slope, level_solve)

    def citation(self) -> str:
        """Return the reference of its publication."""
        return self.source


OWN = Formulation(
    name="own",
    text="the method states and solves the constraints itself",
    source="",
    weights=lambda values: (0.0, 0.0, 1.0, 0.0),
    slope=None,
    solve=None,
)
"""Placeholder formulation for methods that need none."""
