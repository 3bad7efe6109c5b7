r"""Estimates of the error of one step that cost no further step.

An estimate says what a step adds to the error of positions and velocities, from what is known when
the step has been made: `SampledStep`. Where it says nothing, the step is doubled.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from mbdgen.runtime.system.system_data import FloatArray

if TYPE_CHECKING:
    from mbdgen.runtime.monitors.events import Knot


class SampledStep(NamedTuple):
    """A step that has been made.

    Attributes
    ----------
    h : float
        Its length, negative if the motion goes back.
    left, right : Knot
        What it began and ended with.
    rows : array, optional
        What it has left (`mbdgen.runtime.stepping.stepper_selection.Steps.left`), if that is kept.
    h_before, a_before : float, array
        Length of the step before and the accelerations that it began with; 0 if there is none.
    options : tuple of float
        Of the method.
    rtol : float
        Relative error that is accepted.
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
    """How the error of a step follows from the step."""

    def power_with(self, order: int) -> int:
        """Return the power of ``h`` that the estimate is proportional to, with that order."""

    def errors(self, seen: SampledStep) -> Errors:
        """Return errors of positions and velocities: one pair, two of different order, or none."""


@dataclass(frozen=True)
class LeftByStep:
    """The step itself has written the errors of ``(q, v)`` into the first of its rows.

    Attributes
    ----------
    power : int
        They are proportional to this power of ``h``.
    true_power : int, optional
        The power of what the step really errs. Where that is much higher, tolerances ``r`` become
        ``0.1 r^(power / true_power)``, as in the program RADAU5, or steps would be far too small.
    """

    power: int
    true_power: int = 0

    def power_with(self, order: int) -> int:
        """See `Estimate`: what the step writes is known."""
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
    r"""Local error of formulas of Newmark's kind, from the accelerations of three instants.

    .. math::
        e_q = c_q h^2 (a_1 - a_0), \quad e_v = c_1 h (a_1 - a_0) + c_2 h^3 \ddot a, \quad
        \ddot a = \frac{2}{h + k} \left( \frac{a_1 - a_0}{h} - \frac{a_0 - a_{-1}}{k} \right)

    where ``k`` is the length of the step before. The error of positions is that of Zienkiewicz and
    Xie (1991). Positions alone would let steps grow without limit wherever the accelerations stand
    still, and always for the method of linear acceleration, ``c_q = 0``.

    Attributes
    ----------
    weights : callable
        ``options -> (c_q, c_1, c_2)``: what the formula has more than the Taylor series.
    """

    weights: Callable[[tuple[float, ...]], tuple[float, float, float]]

    def power_with(self, order: int) -> int:
        """See `Estimate`: with ``c_1``, which is zero at order 2 only, it is of order ``h^2``."""
        return order + 1

    def errors(self, seen: SampledStep) -> Errors:
        """See `Estimate`; the first step has nothing before it, and no estimate."""
        h, k = seen.h, seen.h_before
        if h * k <= 0.0:
            return []
        c_q, c_1, c_2 = self.weights(seen.options)
        change = seen.right.a - seen.left.a
        bend = 2.0 / (h + k) * (change / h - (seen.left.a - seen.a_before) / k)
        return [(c_q * h * h * change, c_1 * h * change + c_2 * h**3 * bend)]


def of_newmark(beta: float, gamma: float) -> tuple[float, float, float]:
    """Return the weights of `FromAccelerations` for Newmark's formula."""
    return beta - 1.0 / 6.0, gamma - 0.5, 1.0 / 12.0


def of_alpha(alpha_m: float, alpha_f: float) -> tuple[float, float, float]:
    r"""Return those of generalised-alpha (`mbdgen.runtime.steps.newmark_family`).

    There ``s = a + sigma h a' + tau h^2 a''`` with ``sigma = alpha_m - alpha_f``, as its recursion
    has after a few steps.
    """
    sigma = alpha_m - alpha_f
    gamma = 0.5 - sigma
    tau = 0.5 * (1.0 - alpha_f) - (1.0 - alpha_m) * (0.5 + sigma)
    c_q = 0.25 * (gamma + 0.5) ** 2 + 0.5 * sigma - 1.0 / 6.0
    return c_q, 0.0, tau + gamma * (0.5 + sigma) - 1.0 / 6.0


def size_of(scaled: list[FloatArray]) -> float:
    """Return the size of errors that have been divided by what is accepted.

    Of two, the first is of high order; it is made smaller as the second, of low order, says that
    both are pessimistic (Hairer, Norsett, Wanner, section II.10).
    """
    size, *others = map(rms, scaled)
    if not others or size == 0.0:
        return size
    return size * size / float(np.hypot(size, 0.1 * others[0]))


def rms(errors: FloatArray) -> float:
    """Return the root of the mean square, infinite if it is no number."""
    size = float(np.sqrt(np.mean(errors * errors)))
    return size if np.isfinite(size) else float("inf")
