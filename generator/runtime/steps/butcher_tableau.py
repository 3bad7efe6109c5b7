"""Butcher tableaux of explicit Runge-Kutta methods, in Nyström form for second-order equations."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbdgen.runtime.stepping.error_estimators import Errors, SampledStep
from mbdgen.runtime.system.system_data import FloatArray

Numbers = Sequence[float]

CLASSICAL = ((1 / 2,), (0, 1 / 2), (0, 0, 1)), (1 / 6, 1 / 3, 1 / 3, 1 / 6)
"""Matrix and weights of the classical Runge-Kutta method of order 4."""


@dataclass(frozen=True)
class Embedded:
    r"""Embedded error estimate of an explicit method: a weighted sum of the slopes of its stages.

    The step stores the accelerations of its stages; the first is that at its beginning, wherever it
    is stored.

    Attributes
    ----------
    of_v : tuple of rows
        Weights of the slopes ``k`` of all stages, and of the slope at the end of the step, in the
        error of the velocities, :math:`h \sum_j e_j k_j`. One row, or two of different order.
    of_q : tuple of rows
        Weights in the error of the positions, :math:`h^2 \sum_j \bar e_j k_j, \; \bar e = e A`.
    power : int
        The estimate is proportional to this power of ``h``.
    """

    of_v: tuple[tuple[float, ...], ...]
    of_q: tuple[tuple[float, ...], ...]
    power: int

    def power_with(self, order: int) -> int:
        """See `mbdgen.runtime.stepping.error_estimators.Estimate`: given by the tableau."""
        return self.power

    def errors(self, seen: SampledStep) -> Errors:
        """See `mbdgen.runtime.stepping.error_estimators.Estimate`."""
        if seen.rows is None:
            return []
        h, stages = seen.h, len(self.of_q[0])
        slopes = np.vstack([seen.left.a, seen.rows[1:stages], seen.right.a])
        return [
            (h * h * np.array(of_q) @ slopes[:-1], h * np.array(of_v) @ slopes)
            for of_q, of_v in zip(self.of_q, self.of_v, strict=True)
        ]


def embedded(
    matrix: Sequence[Numbers], weights: Numbers, errors: Sequence[Numbers], power: int
) -> Embedded:
    """Return the embedded estimate with weights ``errors`` of the slopes, including the end."""
    full = _with_end(matrix, weights)
    rows = [tuple(map(float, row)) for row in errors]
    return Embedded(tuple(rows), tuple(tuple(map(float, row @ full)) for row in rows), power)


def _with_end(matrix: Sequence[Numbers], weights: Numbers) -> FloatArray:
    """Return ``A`` with the weights as an additional row."""
    full = np.zeros((len(weights) + 1, len(weights)))
    for i, row in enumerate([*matrix, weights], start=1):
        full[i, : len(row)] = row
    return full


def nystroem(matrix: Sequence[Numbers], weights: Numbers) -> tuple[float, ...]:
    r"""Return the coefficients of the Nyström form, which explicit steps read.

    For ``q' = v, v' = a(t, q, v)`` with slopes ``k`` of the velocity, the stages of a method are

    .. math::
        q_i = q + c_i h v + h^2 \sum_j \bar a_{ij} k_j, \quad v_i = v + h \sum_j a_{ij} k_j, \quad
        \bar A = A^2, \; c_i = \sum_j a_{ij}

    and the end of the step is one more row. Stage velocities need not be stored.

    Parameters
    ----------
    matrix : sequence of rows
        Strictly lower triangle: row ``i`` has ``i`` entries, starting with the second stage.
    weights : sequence
        One for each stage.

    Returns
    -------
    tuple
        The number of stages ``s``, then for each row ``i = 1 .. s``: ``c_i``, the ``i`` entries of
        ``A^2``, the ``i`` entries of ``A``.
    """
    s = len(weights)
    full = _with_end(matrix, weights)
    square = full @ full[:s]
    numbers = [float(s)]
    for i in range(1, s + 1):
        numbers += [full[i].sum(), *square[i, :i], *full[i, :i]]
    return tuple(map(float, numbers))
