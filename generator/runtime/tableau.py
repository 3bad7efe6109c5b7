"""Explicit Runge-Kutta methods as numbers, in the form that equations of second order want."""

from collections.abc import Sequence

import numpy as np


def nystroem(matrix: Sequence[Sequence[float]], weights: Sequence[float]) -> tuple[float, ...]:
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
    full = np.zeros((s + 1, s))
    for i, row in enumerate([*matrix, weights], start=1):
        full[i, :i] = row
    square = full @ full[:s]
    numbers = [float(s)]
    for i in range(1, s + 1):
        numbers += [full[i].sum(), *square[i, :i], *full[i, :i]]
    return tuple(map(float, numbers))
