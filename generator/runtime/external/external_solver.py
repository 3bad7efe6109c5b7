"""Interface of external integrators to `external_run`: equations and solver.

A library's integrator is a file of `mbdgen.runtime.integrators` whose ``general`` names a module
with a ``solver(equations, scheme, end)`` that returns a `Solver`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from mbdgen.runtime.program.optional_libraries import import_optional
from mbdgen.runtime.system.system_data import FloatArray

UNTESTED_WORK = 1e20
"""Absolute tolerance of the work, which excludes it from the error test."""
RTOL, ATOL = 1e-8, 1e-10
"""Tolerances if the user names none."""


class Refused(Exception):
    """Error: equations could not be evaluated, or the library failed.

    Parameters
    ----------
    status : int
        Of `mbdgen.runtime.system.run_workspace`, or that of a library.
    reason : str
        Message of the library.
    """

    def __init__(self, status: int, reason: str = "") -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True)
class ExternalEquations:
    """Equations of motion as functions of NumPy arrays, with initial conditions.

    Attributes
    ----------
    t : float
        Initial time.
    y, y_dot : array
        ``(q, v, z)`` and its slope there; behind them, if it ``works``, the work of drivers and
        loads.
    lam : array
        Initial Lagrange multipliers.
    slope : callable
        ``slope(t, y) -> y_dot``, an array of its own.
    residual : callable
        ``residual(t, q, v, v_dot, lam) -> r``: dynamics rows ``M v_dot - f - G^T lam``, and in the
        constraint rows what the formulation imposes.
    constraints : callable
        ``constraints(t, q) -> (phi, H)`` of all constraint equations, norms included.
    works : bool
        Whether the last number of ``y`` is that work; then its power is the last number of slopes
        and of residuals. Nothing depends on it, and it takes no part in the error test.
    stepped : callable
        ``stepped(t, y)``: to be called after every step of the library, with its end.
    """

    t: float
    y: FloatArray
    y_dot: FloatArray
    lam: FloatArray
    slope: Callable[[float, FloatArray], FloatArray]
    residual: Callable[[float, FloatArray, FloatArray, FloatArray, FloatArray], FloatArray]
    constraints: Callable[[float, FloatArray], tuple[FloatArray, FloatArray]]
    works: bool
    stepped: Callable[[float, FloatArray], None]

    def accepted(self, atol: float) -> FloatArray:
        """Return the absolute tolerances of the components of ``y``."""
        found = np.full(len(self.y), atol)
        found[len(found) - int(self.works) :] = UNTESTED_WORK
        return found


class Solver(Protocol):
    """An integration in progress.

    Attributes
    ----------
    steps : int
        Steps of the library so far.
    """

    steps: int

    def to(self, t: float) -> FloatArray:
        """Return ``(q, v, z)`` at a later instant; raise `Refused` if that is not reached."""


def import_sundials(module: str, method: str) -> Any:
    """Import a module of SUNDIALS for a method."""
    instead = "; or take --method solve_ivp or radau"
    return import_optional(module, "sundials", f"Method '{method}'", instead)


def all_finite(y: FloatArray) -> bool:
    """Return whether a library's answer is one."""
    return bool(np.isfinite(y).all())
