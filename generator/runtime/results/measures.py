"""Measures of the quality of a motion: errors, energy, constraint violations, order.

All are functions of results (`mbdgen.runtime.results.result.Result`) or of arrays with the time
first. `relative_error`, `total_error` and `energy_spread` are those of the benchmarks of the IFToMM
library of multibody problems (M. Gonzalez, F. Gonzalez, A. Luaces, J. Cuadrado: A collaborative
benchmarking framework for multibody system dynamics, Eng. Comput. 26 (2010) 1-9).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mbdgen.errors import OptionError
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

THRESHOLD = 1e-3
"""Lower bound of the magnitude in relative errors."""
KINETIC, POTENTIAL, WORK = 0, 1, 2
SAME_INSTANT = 1e-9
"""Fraction of the time span within which two instants are the same."""


class Violations(NamedTuple):
    """Euclidean norms of ``phi``, ``phi_dot``, ``phi_ddot`` at every instant, with norm rows."""

    position: FloatArray
    velocity: FloatArray
    acceleration: FloatArray


def relative_error(
    values: ArrayLike, reference: ArrayLike, threshold: float = THRESHOLD
) -> FloatArray:
    """Relative error of every value: ``|x - x_ref| / max(|x_ref|, threshold)``.

    Parameters
    ----------
    values, reference : array of the same shape
        Any variables at any instants.
    threshold : float
        Lower bound of the denominator, in the unit of the values; keeps errors finite where the
        reference passes through zero.
    """
    x, exact = np.asarray(values, float), np.asarray(reference, float)
    if x.shape != exact.shape:
        raise OptionError(
            f"Values have shape {x.shape}, their reference {exact.shape}.",
            "Compare the same variables at the same instants.",
        )
    if not threshold > 0.0:
        raise OptionError(f"The threshold {threshold!r} is not positive.", "Choose one above 0.")
    error: FloatArray = np.abs(x - exact) / np.maximum(np.abs(exact), threshold)
    return error


def total_error(values: ArrayLike, reference: ArrayLike, threshold: float = THRESHOLD) -> float:
    """Root mean square of `relative_error` over all instants and variables.

    ``e = sqrt(1/m sum_i 1/n sum_j e_j(t_i)^2)``
    """
    return float(np.sqrt(np.mean(relative_error(values, reference, threshold) ** 2)))


def at_instants(result: Result, names: Sequence[str], instants: ArrayLike) -> FloatArray:
    """Return named series at recorded instants, as ``(time, n)``.

    Parameters
    ----------
    result : Result
        A motion.
    names : sequence of str
        Series or groups of series (`mbdgen.runtime.results.result_series`).
    instants : array
        Each must be a recorded one: nothing is interpolated.
    """
    wanted = np.asarray(instants, float)
    nearest = np.searchsorted(result.t, wanted).clip(1, max(len(result.t) - 1, 1))
    nearest -= wanted - result.t[nearest - 1] < result.t[nearest] - wanted
    far = np.abs(result.t[nearest] - wanted) > SAME_INSTANT * (result.t[-1] - result.t[0])
    if far.any():
        raise OptionError(
            f"The result has no instant t = {wanted[far][0]:g}.",
            "Simulate with t_eval, or with steps that meet the instants of the reference.",
        )
    return np.column_stack([result[name][nearest] for name in names])


def energy(result: Result) -> FloatArray:
    """Mechanical energy ``E = T + V`` at every instant."""
    total: FloatArray = result.energies[:, KINETIC] + result.energies[:, POTENTIAL]
    return total


def energy_deviation(result: Result) -> float:
    """``max |E(t) - E(0)|``, zero for the exact motion of a conservative system."""
    total = energy(result)
    return float(np.abs(total - total[0]).max())


def energy_balance(result: Result) -> FloatArray:
    """``E - E(0) - W`` at every instant, with the work of drivers and nonconservative loads."""
    total = energy(result)
    balance: FloatArray = total - total[0] - result.energies[:, WORK]
    return balance


def motor_balance(result: Result, torque: float, angle: ArrayLike) -> FloatArray:
    """``E - E(0) - torque (angle - angle(0))``: with work by a constant torque only.

    Unlike `energy_balance` it uses the rotation angle of the torque, not its power.
    """
    total, passed = energy(result), np.asarray(angle, float)
    if passed.shape != total.shape:
        raise OptionError(
            f"The angle has shape {passed.shape}, the result {len(total)} instants.",
            "Give the angle at every instant, without jumps of 2 pi.",
        )
    balance: FloatArray = total - total[0] - torque * (passed - passed[0])
    return balance


def energy_spread(result: Result) -> float:
    """``100 (max E - min E) / |E(0)|`` in percent; depends on the reference of the potential."""
    total = energy(result)
    if total[0] == 0.0:
        raise OptionError(
            "The energy is zero at the beginning: no part of it can be given in percent.",
            "Use energy_deviation.",
        )
    return float(100.0 * (total.max() - total.min()) / abs(total[0]))


def violations(system: System, result: Result) -> Violations:
    """Evaluate the constraints of a motion at its recorded instants.

    Parameters
    ----------
    system : System
        System with the parameters of the motion.
    result : Result
        A motion of the system.
    """
    rows = system.work.rows
    zero = np.zeros(system.n_lam)
    norms = np.zeros((len(result.t), 3))
    for k, t in enumerate(result.t):
        q, v, a = result.q[k], result.v[k], result.a[k]
        levels = system.residual(t, q, v, a, zero), *system.rates(t, q, v, a)
        norms[k] = [np.linalg.norm(level[rows]) for level in levels]
    return Violations(*(np.ascontiguousarray(column) for column in norms.T))


def frequencies(system: System, result: Result) -> FloatArray:
    """Highest natural frequency of the mechanism at every recorded instant, in rad/s.

    In minimal coordinates of each instant (`mbdgen.runtime.accuracy.natural_frequencies`), for a
    motion of any method; `step_limits` gives the corresponding stable step size. The system needs
    second derivatives: ``load(model, second=True)``.
    """
    from mbdgen.runtime.accuracy.natural_frequencies import (
        frequencies as along,  # compiled when used
    )

    return along(system, result)


def step_limits(frequency: ArrayLike, beta: float, gamma: float) -> FloatArray:
    """Stable step sizes of Newmark's method, ``1 / (omega sqrt(gamma/2 - beta))``, or infinite.

    Parameters
    ----------
    frequency : array
        Highest natural frequencies ``omega``, from `frequencies`.
    beta, gamma : float
        Parameters of Newmark's method; unconditionally stable from ``beta = gamma / 2`` on.
    """
    omega, excess = np.asarray(frequency, float), 0.5 * gamma - beta
    limit: FloatArray = np.full(omega.shape, np.inf)
    if excess > 0.0:
        np.divide(1.0, omega * np.sqrt(excess), out=limit, where=omega > 0.0)
    return limit


def orders(steps: ArrayLike, errors: ArrayLike) -> FloatArray:
    """Observed order of convergence of neighbours: ``log(e_k / e_k+1) / log(h_k / h_k+1)``.

    NaN if one of the errors is not a positive number.
    """
    h, e = _study(steps, errors)
    with np.errstate(divide="ignore", invalid="ignore"):
        seen = (e > 0.0) & np.isfinite(e)
        logs = np.where(seen, np.log(e), np.nan)
        observed: FloatArray = np.diff(logs) / np.diff(np.log(h))
    return observed


def order(steps: ArrayLike, errors: ArrayLike, floor: float = 0.0) -> float:
    """Observed order of convergence: the slope of ``log e`` over ``log h`` by least squares.

    Parameters
    ----------
    steps, errors : array
        One error for each step size.
    floor : float
        Errors up to this one, of round-off or of the reference, are omitted; NaN if fewer than two
        remain.
    """
    h, e = _study(steps, errors)
    used = (e > floor) & np.isfinite(e)
    if used.sum() < 2:
        return float("nan")
    return float(np.polyfit(np.log(h[used]), np.log(e[used]), 1)[0])


def _study(steps: ArrayLike, errors: ArrayLike) -> tuple[FloatArray, FloatArray]:
    h, e = np.asarray(steps, float), np.asarray(errors, float)
    if h.shape != e.shape or h.ndim != 1 or not (h > 0.0).all() or len(set(h)) < len(h):
        raise OptionError(
            "An order needs as many errors as steps, which are positive and differ.",
            "Give one error for each step size.",
        )
    return h, e
