"""Conventions of integrators: a file with one compiled ``step`` and one ``METHOD``.

``step(kernels, work, state, h, options, tangent, mass) -> status`` advances ``state`` by ``h``: on
return 0 the clock, ``q``, ``v``, ``a``, ``lam`` are those of the new instant and fulfil the
constraints of position, velocity and acceleration. On any other status (`mbdgen.runtime.work`) the
caller restores the state, so a step need not undo anything. ``tangent`` and ``mass`` are factors
with pivots chosen for the iteration matrix of `Method.tangent_weights` and for
``[M, -G^T; H, eps]``; at the beginning of a step ``mass`` belongs to the position of ``state``.

``work.kept`` has `Method.kept` rows of ``n_q`` numbers that one step hands to the next: zero at the
beginning of a motion, otherwise what the last step that returned 0 has left. A step writes them
last, when nothing can fail any more.

A step that ends with residual and rates of the new state in ``work`` says so by a 1 in
``work.memory[LEFT]``; otherwise the loop evaluates them.

A new file in this folder that defines ``METHOD`` is found by `mbdgen.runtime.integrators.known`;
nothing else needs to change.
"""

from collections.abc import Callable
from dataclasses import dataclass

from numba import njit, types

from mbdgen.runtime.abi import KERNELS
from mbdgen.runtime.linear import FACTORS
from mbdgen.runtime.work import REAL_ARRAY, STATE, WORK

STEP_SIGNATURE = types.int64(KERNELS, WORK, STATE, types.float64, REAL_ARRAY, FACTORS, FACTORS)
STEP = types.FunctionType(STEP_SIGNATURE)

compiled_step = njit(STEP_SIGNATURE, cache=True, error_model="numpy", no_cpython_wrapper=True)
"""Decorator of every ``step``: compiled once, called by the compiled loop only."""


@dataclass(frozen=True)
class Option:
    """A number that a method accepts.

    Attributes
    ----------
    name : str
        Keyword of ``simulate``.
    default : float
        Value if not given.
    low, high : float
        Accepted range, ends included.
    text : str
        What it means.
    """

    name: str
    default: float
    low: float
    high: float
    text: str


@dataclass(frozen=True)
class Method:
    """An integrator as ``simulate`` sees it.

    Attributes
    ----------
    name : str
        What a user writes: ``method="newmark"``.
    formulation : str
        What is done with the constraints.
    order : int
        Order of convergence with the default options.
    step : callable
        Compiled function of signature ``STEP_SIGNATURE``.
    options : tuple of Option
        In the order of the array that ``step`` receives.
    tangent_weights : callable
        ``(h, options) -> (c_q, c_v, c_a)`` of the iteration matrix that ``tangent`` factorises.
    check : callable
        Raises an ``OptionError`` for values that do not fit together.
    fused_step : str
        Module with a ``step`` for fused kernels (`mbdgen.runtime.lean`), imported, and with it
        compiled, only for systems that have them.
    constants : tuple of float
        Numbers of the formula, which stand behind the options in the array that steps receive.
    kept : int
        Rows of ``work.kept``, vectors of ``n_q`` numbers that steps hand on.
    """

    name: str
    formulation: str
    order: int
    step: Callable[..., int]
    options: tuple[Option, ...]
    tangent_weights: Callable[[float, tuple[float, ...]], tuple[float, float, float]]
    check: Callable[[tuple[float, ...]], None] = lambda values: None
    fused_step: str = ""
    constants: tuple[float, ...] = ()
    kept: int = 0
