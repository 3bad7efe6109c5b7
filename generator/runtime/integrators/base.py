"""Integrators: base class and conventions; a file with one compiled ``step`` and one ``METHOD``.

``step(kernels, work, state, h, options, tangent, mass) -> status`` advances ``state`` by ``h``: on
return 0 the time, ``q``, ``v``, ``a`` and the Lagrange multipliers ``lam`` are those of the new
instant and satisfy the constraints of position, velocity and acceleration. On any other status
(`mbdgen.runtime.system.run_workspace`) the caller restores the state, so a step need not undo
anything. ``tangent`` and ``mass`` are factors with pivots chosen for the iteration matrix of
`Method.tangent_weights` and for ``[M, -G^T; H, eps]``; at the beginning of a step ``mass`` belongs
to the position of ``state``.

``work.kept`` has `Method.kept` rows of ``n_q`` values passed from one step to the next: zero at the
beginning of a motion, otherwise those of the last successful step. A step writes them last, when it
can no longer fail.

A step that leaves residual and rates of the new state in ``work`` sets ``work.memory[LEFT]`` to 1;
otherwise the loop evaluates them.

A new file in this folder that defines ``METHOD`` is found by `mbdgen.runtime.integrators.known`;
nothing else needs to change.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Literal, get_args

from mbdgen.errors import OptionError
from mbdgen.runtime.linalg.linear_solver import FACTORS
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.methods.plugin_validation import Deferred, check_options, returned_numbers
from mbdgen.runtime.program.kernel_abi import KERNELS
from mbdgen.runtime.stepping.error_estimators import Estimate
from mbdgen.runtime.system.run_workspace import REAL_ARRAY, STATE, WORK
from mbdgen.subset import types

STEP_SIGNATURE = types.int64(KERNELS, WORK, STATE, types.float64, REAL_ARRAY, FACTORS, FACTORS)
STEP = types.FunctionPointer(STEP_SIGNATURE)

WANTED = (
    "step(kernels: Kernels, work: Work, state: State, h: float, options: FloatArray, "
    "tangent: Factors, mass: Factors) -> int"
)
"""The compiled signature of a step."""

NEWTON_OPTIONS = (
    Option("tolerance", 1e-10, 1e-15, 1e-3, "Newton: increment of q relative to 1 + max |q|"),
    Option("max_iterations", 20.0, 1.0, 1000.0, "Newton: iterations per step", whole=True),
)
"""Common options of implicit methods (Newton iteration), after their own."""


def newmark_options(
    beta: float = 0.25, gamma: float = 0.5, least_gamma: float = 0.0
) -> tuple[Option, ...]:
    """Return the options of both Newmark weights with a method's own defaults."""
    return (
        Option("beta", beta, 1e-6, 2.0, "weight of the new acceleration in the displacement"),
        Option("gamma", gamma, least_gamma, 2.0, "weight of the new acceleration in the velocity"),
    )


INNER_OPTIONS = (
    Option("tolerance", 1e-12, 1e-15, 1e-3, "change of v relative to 1 + max |v|"),
    Option(
        "max_iterations",
        50.0,
        1.0,
        1000.0,
        "iterations of v; 1 if forces do not depend on v",
        whole=True,
    ),
)
"""Common options of conditionally explicit methods, which iterate for velocity-dependent forces."""

Needs = Literal["slope", "jerk", "solve", "stages", "nothing"]
"""Functions called by general steps."""


def compiled_step(function: Callable[..., int]) -> Deferred:
    """Make a ``step``: compiled at first use, for the compiled loop, which has its address."""
    return Deferred(function, STEP_SIGNATURE, "the step of an integrator", WANTED)


@dataclass(frozen=True)
class Method:
    """A time integration method: properties, options and step functions.

    Attributes
    ----------
    name : str
        User-facing name: ``method="newmark"``.
    formulation : str
        Constraint treatment of its own step; for a method without one, the default formulation.
    order : int
        Order of convergence with the default options; an option ``order`` overrides it.
    order_with : callable, optional
        ``order_with(values) -> order``, if the order depends on other options.
    step : compiled step, optional
        Function of signature ``STEP_SIGNATURE``: the method's own treatment of the constraints, the
        fastest one.
    options : tuple of Option
        In the order of the array that ``step`` receives.
    tangent_weights : callable
        ``(h, options) -> (c_q, c_v, c_a)`` of the iteration matrix that ``tangent`` factorises.
    check : callable
        Raises an ``OptionError`` for incompatible values.
    fused_step : str
        Module with a ``step`` for fused kernels (`mbdgen.runtime.stepping.fused_loop`), imported,
        and with it compiled, only for systems that have them.
    varied_step : str
        Module with a ``step`` that varies the motion too (`mbdgen.runtime.sensitivities`),
        imported, and with it compiled, only for sensitivities.
    fused_kernels : tuple of str
        Which of them that step calls.
    constants : tuple of float
        Coefficients of the formula, after the options in the array that steps receive.
    kept : int
        Rows of ``work.kept``: vectors of ``n_q`` values passed from step to step.
    general : str
        Module with a ``step`` for any formulation
        (`mbdgen.runtime.solvers.scheme_functions.general_step`), imported, and with it compiled,
        only when it is used.
    needs : str
        Function called by ``general``: ``slope``, the accelerations of a formulation at a state;
        ``jerk``, their rates too; ``solve``, the solution of an implicit relation; ``stages``: it
        solves the equations of several instants together, and takes the weights of a formulation
        only; ``nothing``: it states and solves the constraints itself, and takes no formulation.
    step_alone : str
        Module with a general step that includes and solves the constraints itself: used if the user
        names neither formulation nor projection and there is no ``step``.
    kind : str
        ``explicit`` or ``implicit``, where it does not follow from `needs`.
    relates_z : bool
        Of a method that calls ``solve``: whether it stores the known part of the relation of ``z``
        in ``dense.z``, as required by formulations with additional states.
    rows : int
        Rows of ``dense.rows`` that ``general`` and ``step_alone`` need.
    projection : str
        Default projector, used with ``formulation`` if the user names neither.
    text : str
        One-line description for lists.
    source : str
        Original or best reference.
    presets : mapping
        Names for sets of options.
    at_ends : bool
        Whether the equations hold at the end of each step, not elsewhere.
    orders : mapping
        Orders of velocities that differ from ``order``, by the highest constraint level that a
        formulation imposes.
    restored : bool
        Whether projected step ends have the full ``order`` nevertheless.
    levels : tuple of str
        Constraint levels satisfied by its own treatment at every instant, to solver accuracy.
    velocities : bool
        Whether its own treatment supports nonholonomic constraints, such as rolling.
    kernels : tuple of str
        Kernels it calls that modules have only if they were asked for them
        (`mbdgen.interface.SECOND_KERNELS`).
    measures : tuple of str
        Names of the run statistics that ``general`` stores in ``dense.measured``, available in
        `Result.measures`.
    estimate : Estimate, optional
        Embedded error estimate for step-size control; without one the step-doubling (Richardson)
        estimate is used.
    damps : callable
        ``(options) -> bool``: whether the method has numerical damping of motions faster than its
        steps.
    varies : bool
        Whether variable step sizes are supported.
    backward : bool
        Whether negative steps (backward in time) are supported.
    redundant : bool
        Of a method that ``needs`` stages: whether redundant constraints are allowed, with
        formulations that support them.
    library : bool
        Whether ``general`` has a ``solver`` of another library instead of a step
        (`mbdgen.runtime.external.external_solver`), with step-size control by ``rtol`` and
        ``atol``.
    """

    name: str
    formulation: str
    order: int
    step: Deferred | None = None
    options: tuple[Option, ...] = ()
    tangent_weights: Callable[[float, tuple[float, ...]], tuple[float, float, float]] = (
        lambda h, values: (0.0, 0.0, 1.0)
    )
    check: Callable[[tuple[float, ...]], None] = lambda values: None
    fused_step: str = ""
    varied_step: str = ""
    fused_kernels: tuple[str, ...] = ()
    constants: tuple[float, ...] = ()
    kept: int = 0
    general: str = ""
    needs: Needs = "slope"
    step_alone: str = ""
    kind: str = ""
    relates_z: bool = False
    rows: int = 0
    projection: str = "mass"
    order_with: Callable[[tuple[float, ...]], int] | None = None
    text: str = ""
    source: str = ""
    presets: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    at_ends: bool = True
    orders: Mapping[str, int] = field(default_factory=dict)
    restored: bool = True
    levels: tuple[str, ...] = ("position", "velocity", "acceleration")
    velocities: bool = True
    kernels: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    estimate: Estimate | None = None
    damps: Callable[[tuple[float, ...]], bool] = lambda values: False
    varies: bool = True
    backward: bool = True
    redundant: bool = True
    library: bool = False

    def citation(self) -> str:
        """Return where the method was published."""
        return self.source

    def __post_init__(self) -> None:
        where = f"Method {self.name!r}"
        if isinstance(self.step, FunctionType | Deferred):
            where += f" (step in '{self.step.__code__.co_filename}')"
        if self.step is None and not self.general:
            raise OptionError(f"{where} has no step.", "Give it a step, a general one, or both.")
        if self.step is not None and not _is_step(self.step):
            raise OptionError(
                f"{where} has a step that is not compiled for the loop.",
                f"Decorate {WANTED} with @compiled_step.",
            )
        if self.needs not in get_args(Needs):
            raise OptionError(
                f"{where} needs {self.needs!r}.", f"Say one of: {', '.join(get_args(Needs))}."
            )
        if type(self.rows) is not int or self.rows < 0:
            raise OptionError(f"{where} has {self.rows!r} rows.", "Give a number of vectors.")
        if type(self.kept) is not int or self.kept < 0 or (self.kept and self.fused_step):
            raise OptionError(
                f"{where} keeps {self.kept!r} rows"
                + (", which a fused step does not know." if self.fused_step else "."),
                "Give kept, a number of vectors; with any of them leave fused_step away.",
            )
        if self.measures and self.step is not None:
            raise OptionError(
                f"{where} measures something that its own step cannot hand over.",
                "Only general steps measure: leave step or measures away.",
            )
        check_options(where, self.options)
        self._check_weights(where)

    def _check_weights(self, where: str) -> None:
        """Evaluate the weights once, with the default options, as a check."""
        values = (*(option.default for option in self.options), *self.constants)
        returned_numbers(
            where,
            "tangent_weights(h, options)",
            lambda: self.tangent_weights(1e-3, values),
            3,
            "Return three numbers (c_q, c_v, c_a); (0.0, 0.0, 1.0) if the step uses no tangent.",
        )


def _is_step(step: object) -> bool:
    return isinstance(step, Deferred) and step.signature is STEP_SIGNATURE
