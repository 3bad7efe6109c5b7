"""Variation kernels (directional derivatives) called from Python, at one state."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from mbdgen.errors import OptionError
from mbdgen.interface import VARIATION_KERNELS
from mbdgen.runtime.system.second_derivatives import check_kernels
from mbdgen.runtime.system.system import System, call
from mbdgen.runtime.system.system_data import FloatArray


class Change(NamedTuple):
    """A direction in which a state and the table of parameters change."""

    q: FloatArray
    v: FloatArray
    a: FloatArray
    lam: FloatArray
    p: FloatArray


class Point(NamedTuple):
    """A state."""

    t: float
    q: FloatArray
    v: FloatArray
    a: FloatArray
    lam: FloatArray


def rest(system: System, t: float, q: FloatArray) -> Point:
    """Return the state at a position without velocities, accelerations and multipliers."""
    zero = np.zeros(system.n_q)
    return Point(t, q, zero, zero, np.zeros(system.n_lam))


def no_change(system: System, p: FloatArray) -> Change:
    """Return a direction in which only parameters change."""
    zero = np.zeros(system.n_q)
    return Change(zero, zero, zero, np.zeros(system.n_lam), p)


def check_variations(system: System, what: str) -> None:
    """Reject a system whose module was not made for sensitivities."""
    check_kernels(system, VARIATION_KERNELS, what)


def residual_change(system: System, at: Point, change: Change) -> FloatArray:
    """Return the change of ``[M a - f - G^T lam; phi]``."""
    return _evaluate(system, "residual", at, change, system.n)


def rates_change(system: System, at: Point, change: Change) -> tuple[FloatArray, FloatArray]:
    """Return the changes of ``phi_dot`` and ``phi_ddot``."""
    both = _evaluate(system, "rates", at, change, 2 * system.n)
    return both[: system.n], both[system.n :]


def mass_change(system: System, at: Point, change: Change) -> sp.csc_array:
    """Return the change of ``[M, -G^T; H, 0]``."""
    work = system.work
    values = _evaluate(system, "mass", at, change, len(work.values))
    return sp.csc_array((values, work.indices, work.indptr), shape=(system.n, system.n))


def outputs_change(system: System, at: Point, change: Change) -> FloatArray:
    """Return the changes of the outputs of the model."""
    return _evaluate(system, "outputs", at, change, len(system.names.outputs))


def energies_change(system: System, at: Point, change: Change) -> FloatArray:
    """Return the changes of kinetic energy, potential energy and power."""
    return _evaluate(system, "energies", at, change, 3)


def _evaluate(system: System, kernel: str, at: Point, change: Change, size: int) -> FloatArray:
    out, work = np.zeros(size), system.work
    doubled = [np.concatenate(pair) for pair in zip(at[1:], change[:4], strict=True)]
    function = getattr(system.kernels, f"{kernel}_variation")
    if call(function, float(at.t), *doubled, change.p, work.p, work.m, out) != 0:
        raise OptionError(
            f"The changes of '{system.data.model}' could not be evaluated at t = {at.t:g}.",
            "Check user functions and parameters at that state.",
        )
    return out
