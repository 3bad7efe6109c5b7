r"""Local error estimates of single steps, without further evaluations.

An estimate gives the error that a step adds to positions and velocities, from data available at the
end of the step: `SampledStep`. Without an estimate the step is doubled (Richardson extrapolation).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from mbdgen.runtime.system.system_data import FloatArray

if TYPE_CHECKING:
    from mbdgen.runtime.monitors.events import Knot


class SampledStep(NamedTuple):
    """Data of a completed step.

    Attributes
    ----------
    h : float
        Step size, negative for integration backward in time.
    left, right : Knot
        States at its beginning and end.
    rows : array, optional
        Stage values (`mbdgen.runtime.stepping.stepper_selection.Steps.left`), if they are kept.
    h_before, a_before : float, array
        Size of the previous step and the accelerations at its beginning; 0 if there is none.
    options : tuple of float
        Options of the method.
    rtol : float
        Relative tolerance.
    """

    h: float
    left: "Knot"
    right: "Knot"
    rows: FloatArray | None
    h_before: float
    a_before: FloatArray
    options: tuple[float, ...]
    rtol: float


Errors = list[tuple[FloatArray, FloatArray]]


class Estimate(Protocol):
    """Estimator of the local error of a step."""

    def power_with(self, order: int) -> int:
        """Return the power of ``h`` in the estimate, for a method of the given order."""

    def errors(self, seen: SampledStep) -> Errors:
        """Return errors of positions and velocities: one pair, two of different order, or none."""


@dataclass(frozen=True)
class LeftByStep:
    """Embedded estimate: the step writes the errors of ``(q, v)`` into the first of its rows.

    Attributes
    ----------
    power : int
        Power of ``h`` that they are proportional to.
    true_power : int, optional
        Power of ``h`` of the true local error. If it is much higher, tolerances ``r`` become
        ``0.1 r^(power / true_power)``, as in RADAU5; otherwise steps would be far too small.
    """

    power: int
    true_power: int = 0

    def power_with(self, order: int) -> int:
        """See `Estimate`: the power is known."""
        return self.power

    def errors(self, seen: SampledStep) -> Errors:
        """See `Estimate`."""
        if seen.rows is None:
            return []
        n_q, part = len(seen.left.q), 1.0
        if self.true_power > 0:
            part = seen.rtol / (0.1 * seen.rtol ** (self.power / self.true_power))
        return [(part * seen.rows[0, :n_q], part * seen.rows[0, n_q : 2 * n_q])]


@dataclass(frozen=True)
class FromAccelerations:
    r"""Local error of Newmark-type formulas, from the accelerations at three instants.

    .. math::
        e_q = c_q h^2 (a_1 - a_0), \quad e_v = c_1 h (a_1 - a_0) + c_2 h^3 \ddot a, \quad
        \ddot a = \frac{2}{h + k} \left( \frac{a_1 - a_0}{h} - \frac{a_0 - a_{-1}}{k} \right)

    where ``k`` is the size of the previous step. The error of positions is that of Zienkiewicz and
    Xie (1991). Positions alone would let the step size grow without bound wherever the
    accelerations are stationary, and always for the linear acceleration method, ``c_q = 0``.

    Attributes
    ----------
    weights : callable
        ``options -> (c_q, c_1, c_2)``: difference between the formula and the Taylor series.
    """

    weights: Callable[[tuple[float, ...]], tuple[float, float, float]]

    def power_with(self, order: int) -> int:
        """See `Estimate`: with ``c_1``, which vanishes at order 2 only, it is of order ``h^2``."""
        return order + 1

    def errors(self, seen: SampledStep) -> Errors:
        """See `Estimate`; the first step has no predecessor and no estimate."""
        h, k = seen.h, seen.h_before
        if h * k <= 0.0:
            return []
        c_q, c_1, c_2 = self.weights(seen.options)
        change = seen.right.a - seen.left.a
        bend = 2.0 / (h + k) * (change / h - (seen.left.a - seen.a_before) / k)
        return [(c_q * h * h * change, c_1 * h * change + c_2 * h**3 * bend)]


def of_newmark(beta: float, gamma: float) -> tuple[float, float, float]:
    """Return the weights of `FromAccelerations` for Newmark's method."""
    return beta - 1.0 / 6.0, gamma - 0.5, 1.0 / 12.0


def of_alpha(alpha_m: float, alpha_f: float) -> tuple[float, float, float]:
    r"""Return those of the generalised-alpha method (`mbdgen.runtime.steps.newmark_family`).

    There ``s = a + sigma h a' + tau h^2 a''`` with ``sigma = alpha_m - alpha_f``, the limit of its
    recursion after a few steps.
    """
    sigma = alpha_m - alpha_f
    gamma = 0.5 - sigma
    tau = 0.5 * (1.0 - alpha_f) - (1.0 - alpha_m) * (0.5 + sigma)
    c_q = 0.25 * (gamma + 0.5) ** 2 + 0.5 * sigma - 1.0 / 6.0
    return c_q, 0.0, tau + gamma * (0.5 + sigma) - 1.0 / 6.0


def size_of(scaled: list[FloatArray]) -> float:
    """Return the norm of scaled errors, as in DOP853.

    Of two estimates, the first is of high order; it is reduced by the second, of low order, because
    both are pessimistic (Hairer, Norsett, Wanner, section II.10).
    """
    size, *others = map(rms, scaled)
    if not others or size == 0.0:
        return size
    return size * size / float(np.hypot(size, 0.1 * others[0]))


def rms(errors: FloatArray) -> float:
    """Return the root mean square; infinity if it is not a number."""
    size = float(np.sqrt(np.mean(errors * errors)))
    return size if np.isfinite(size) else float("inf")
