"""Explicit Runge-Kutta methods as numbers, in the form that equations of second order want."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbdgen.runtime.stepping.error_estimators import Errors, SampledStep
from mbdgen.runtime.system.system_data import FloatArray

Numbers = Sequence[float]

CLASSICAL = ((1 / 2,), (0, 1 / 2), (0, 0, 1)), (1 / 6, 1 / 3, 1 / 3, 1 / 6)
"""Matrix and weights of the classical method of order 4."""


@dataclass(frozen=True)
class Embedded:
    r"""An error estimate embedded in an explicit method: a sum of the slopes of its stages.

    The step leaves accelerations of its stages; the first is that of its beginning, wherever it is.

    Attributes
    ----------
    of_v : tuple of rows
        Weights of the slopes ``k`` of all stages, and of the slope at the end of the step, in the
        error of the velocities, :math:`h \sum_j e_j k_j`. One row, or two of different order.
    of_q : tuple of rows
        Those in the error of the positions, :math:`h^2 \sum_j \bar e_j k_j, \; \bar e = e A`.
    power : int
        The estimate is proportional to this power of ``h``.
    """

    of_v: tuple[tuple[float, ...], ...]
    of_q: tuple[tuple[float, ...], ...]
    power: int

    def power_with(self, order: int) -> int:
        """See `mbdgen.runtime.stepping.error_estimators.Estimate`: the tableau says it."""
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
    """Return the estimate whose rows ``errors`` weigh the slopes, that of the end included."""
    full = _with_end(matrix, weights)
    rows = [tuple(map(float, row)) for row in errors]
    return Embedded(tuple(rows), tuple(tuple(map(float, row @ full)) for row in rows), power)


def _with_end(matrix: Sequence[Numbers], weights: Numbers) -> FloatArray:
    """Return ``A`` with the weights as one more row."""
    full = np.zeros((len(weights) + 1, len(weights)))
    for i, row in enumerate([*matrix, weights], start=1):
        full[i, : len(row)] = row
    return full


def nystroem(matrix: Sequence[Numbers], weights: Numbers) -> tuple[float, ...]:
    r"""Return the numbers that explicit steps read.

    For ``q' = v, v' = a(t, q, v)`` with slopes ``k`` of the velocity, the stages of a method are

    .. math::
        q_i = q + c_i h v + h^2 \sum_j \bar a_{ij} k_j, \quad v_i = v + h \sum_j a_{ij} k_j, \quad
        \bar A = A^2, \; c_i = \sum_j a_{ij}

    and the end is one more row. No velocity of a stage need be kept.

    Parameters
    ----------
    matrix : sequence of rows
        Below the diagonal: row ``i`` has ``i`` numbers, beginning with the second stage.
    weights : sequence
        One for each stage.

    Returns
    -------
    tuple
        The number of stages ``s``, then for each row ``i = 1 .. s``: ``c_i``, the ``i`` numbers of
        ``A^2``, the ``i`` numbers of ``A``.
    """
    s = len(weights)
    full = _with_end(matrix, weights)
    square = full @ full[:s]
    numbers = [float(s)]
    for i in range(1, s + 1):
        numbers += [full[i].sum(), *square[i, :i], *full[i, :i]]
    return tuple(map(float, numbers))
