"""Compiled functions of a scheme, of its formulation and projector, called by address.

A method calls ``parts.slope`` (explicit ones) or ``parts.solve`` (implicit ones), and at the end of
a step ``parts.complete`` and ``parts.project``. ``slope`` and ``solve`` of most formulations are
those of `mbdgen.runtime.solvers.constraint_levels`, which call ``eliminate`` and ``complete``.

eliminate(work, dense) -> status
    Solve ``dense.K x = dense.rhs`` for ``dense.x = (a, lam)``.
complete(kernels, work, state, dense) -> status
    Update the dependent part of ``state.q``, ``state.v``, keeping the independent part.
slope(eliminate, complete, kernels, work, state, dense, t, y, y_dot) -> status
    ``y = (q, v, z) -> y_dot``; ``a`` and ``lam`` are stored in ``state``, ``z_dot`` in ``dense``.
solve(eliminate, complete, kernels, work, state, dense, q_known, v_known, t, c_q, c_v, tolerance,
limit) -> status
    Solve for ``a, lam`` such that the equations hold at ``t`` with ``q = q_known + c_q a``,
    ``v = v_known + c_v a``; all four are stored in ``state``, whose values are the initial guess.
    Likewise ``z = z_known + c_v z_dot``, where ``dense.z`` is ``z_known`` before and ``z`` after.
project(change, kernels, work, state, dense) -> status
    Project ``state.q`` and ``state.v`` onto the constraints at ``state.clock``; ``change`` has the
    signature of ``eliminate``; most projectors differ in it only.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from mbdgen.errors import OptionError
from mbdgen.runtime.methods.plugin_validation import compiled_for
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.program.function_addresses import AddressedFunction
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.dense_workspace import DENSE, DenseWorkspace
from mbdgen.runtime.system.run_workspace import REAL_ARRAY, STATE, WORK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

_REAL, _STATUS = types.float64, types.int64

ELIMINATE = types.FunctionPointer(_STATUS(WORK, DENSE))
COMPLETE = types.FunctionPointer(_STATUS(KERNELS, WORK, STATE, DENSE))
_COMMON = (ELIMINATE, COMPLETE, KERNELS, WORK, STATE, DENSE)
SLOPE = types.FunctionPointer(_STATUS(*_COMMON, _REAL, REAL_ARRAY, REAL_ARRAY))
SOLVE = types.FunctionPointer(
    _STATUS(*_COMMON, REAL_ARRAY, REAL_ARRAY, _REAL, _REAL, _REAL, _REAL, types.int64)
)
PROJECT = types.FunctionPointer(_STATUS(ELIMINATE, KERNELS, WORK, STATE, DENSE))


class SchemeFunctions(NamedTuple):
    """Compiled functions of one scheme; see the module."""

    eliminate: Any
    complete: Any
    slope: Any
    solve: Any
    change: Any
    project: Any


PARTS = types.NamedTuple((ELIMINATE, COMPLETE, SLOPE, SOLVE, ELIMINATE, PROJECT), SchemeFunctions)


@internal
def slope_at(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    parts: SchemeFunctions,
    t: float,
    y: FloatArray,
    y_dot: FloatArray,
) -> int:
    """Call ``parts.slope``."""
    status: int = parts.slope(
        parts.eliminate, parts.complete, kernels, work, state, dense, t, y, y_dot
    )
    return status


@internal
def solve_at(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    parts: SchemeFunctions,
    t: float,
    c_q: float,
    c_v: float,
    tolerance: float,
    limit: int,
) -> int:
    """Call ``parts.solve``, with ``q_known`` and ``v_known`` in the first rows of the workspace."""
    status: int = parts.solve(
        parts.eliminate,
        parts.complete,
        kernels,
        work,
        state,
        dense,
        work.scratch[0],
        work.scratch[1],
        t,
        c_q,
        c_v,
        tolerance,
        limit,
    )
    return status


GENERAL_STEP = types.FunctionPointer(_STATUS(KERNELS, WORK, STATE, _REAL, REAL_ARRAY, PARTS, DENSE))
"""``step(kernels, work, state, h, options, parts, dense) -> status``"""


class SchemeFunction:
    """A function compiled on first use by a scheme: listing methods compiles nothing.

    Parameters
    ----------
    function : callable
        Python source.
    kind : Kind
        Signature that it is called with.
    """

    def __init__(self, function: Callable[..., Any], kind: "Kind") -> None:
        self._function, self.kind = function, kind

    @cached_property
    def compiled(self) -> Any:
        """Compiled function, called by address."""
        role = f"the {self.kind.name} of a scheme"
        return compiled_for(self.kind.type.signature, self._function, role, self.kind.wanted)

    @cached_property
    def pointer(self) -> AddressedFunction:
        """Function pointer passed by Python."""
        return AddressedFunction.of(self.compiled, self.kind.type)


@dataclass(frozen=True)
class Kind:
    """Decorator of functions with a common signature.

    Attributes
    ----------
    decorator : str
        Name of the decorator.
    type : types.FunctionPointer
        Type that functions are compiled for.
    wanted : str
        Signature as text, as above.
    """

    decorator: str
    type: types.FunctionPointer
    wanted: str

    @property
    def name(self) -> str:
        """Name of such a function: ``slope``."""
        return self.wanted.partition("(")[0]

    def __call__(self, function: Callable[..., Any]) -> SchemeFunction:
        """Turn a function into a part of a scheme."""
        return SchemeFunction(function, self)

    def check(self, where: str, part: object) -> None:
        """Raise unless ``part`` is a function of this kind."""
        if not isinstance(part, SchemeFunction) or part.kind is not self:
            raise OptionError(
                f"{where} has no {self.name} that can be called.",
                f"Decorate {self.wanted} with @{self.decorator} of {__name__}, or leave it away.",
            )


eliminates = Kind("eliminates", ELIMINATE, "eliminate(work, dense)")
"""Declare an ``eliminate``, or the ``change`` of a projector."""
completes = Kind("completes", COMPLETE, "complete(kernels, work, state, dense)")
"""Declare a ``complete``."""
projects = Kind("projects", PROJECT, "project(change, kernels, work, state, dense)")
"""Declare a ``project``."""
slopes = Kind(
    "slopes",
    SLOPE,
    "slope(eliminate, complete, kernels, work, state, dense, t, y, y_dot)",
)
"""Declare a ``slope``."""
solves = Kind(
    "solves",
    SOLVE,
    "solve(eliminate, complete, kernels, work, state, dense, q_known, v_known, t, c_q, c_v, "
    "tolerance, limit)",
)
"""Declare a ``solve``."""
general_step = Kind(
    "general_step",
    GENERAL_STEP,
    "step(kernels, work, state, h, options, parts, dense)",
)
"""Declare a step that works with any formulation."""
