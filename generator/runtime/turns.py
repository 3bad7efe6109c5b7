"""Angles modulo one turn, made continuous over the time."""

import math

import numpy as np

from mbdgen.runtime.data import FloatArray

TURN = 2.0 * math.pi


def continuous(angles: FloatArray, begin: float = math.nan) -> FloatArray:
    """Return the angles plus whole turns, such that no two that follow differ by more than half.

    The turns are counted as integers, so that it does not matter where a motion is cut in two.

    Parameters
    ----------
    angles : array, shape (..., n_t)
        Along the time.
    begin : float
        Near what the first one shall be; by default it stays as it is.
    """
    before = 0.0 if math.isnan(begin) else np.rint((begin - angles[..., :1]) / TURN)
    jumps = np.diff(angles, axis=-1, prepend=angles[..., :1])
    result: FloatArray = angles + TURN * (before - np.cumsum(np.rint(jumps / TURN), axis=-1))
    return result
