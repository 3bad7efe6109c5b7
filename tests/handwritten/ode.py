"""High-accuracy integration that the hand-written solvers share (no mbdgen in here)."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

FloatArray = NDArray[np.float64]
Rhs = Callable[[float, FloatArray], FloatArray]
Acceleration = Callable[[float, FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True)
class Motion:
    """Coordinates and rates at the requested instants.

    Attributes
    ----------
    t : array, shape (rows,)
    q, v : arrays, shape (rows, n)
        The coordinates and their time derivatives (or quasi-velocities where a solver says so).
    """

    t: FloatArray
    q: FloatArray
    v: FloatArray


def integrate(
    rhs: Rhs,
    t: FloatArray,
    y0: FloatArray,
    project: Callable[[FloatArray], FloatArray] | None = None,
    method: str = "DOP853",
    rtol: float = 1e-13,
    atol: float = 1e-14,
) -> FloatArray:
    """Solve ``y' = rhs(t, y)`` and return ``y`` at every ``t``, shape (rows, n).

    Every instant is hit by a step end, because the interpolant of the integrator is of lower
    order than its steps. ``project`` brings the state back to its invariants at each instant.
    """
    rows = [np.asarray(y0, dtype=float)]
    step = None
    for start, end in pairwise(t):
        first = None if step is None else min(step, end - start)
        piece = solve_ivp(
            rhs, (start, end), rows[-1], method, rtol=rtol, atol=atol, first_step=first
        )
        if not piece.success:
            raise RuntimeError(f"integration stopped at t={piece.t[-1]}: {piece.message}")
        lengths = np.diff(piece.t)
        # The last step is cut by the end of the piece, so it says little about the next one.
        step = float(lengths[-2] if lengths.size > 1 else lengths[-1])
        rows.append(piece.y[:, -1] if project is None else project(piece.y[:, -1]))
    return np.array(rows)


def second_order(
    acceleration: Acceleration,
    t: FloatArray,
    q0: FloatArray,
    v0: FloatArray,
    project: Callable[[FloatArray], FloatArray] | None = None,
    method: str = "DOP853",
    rtol: float = 1e-13,
    atol: float = 1e-14,
) -> Motion:
    """Solve ``q'' = acceleration(t, q, q')`` through the first-order form ``y = (q, q')``."""
    n = len(q0)

    def rhs(time: float, y: FloatArray) -> FloatArray:
        return np.concatenate([y[n:], acceleration(time, y[:n], y[n:])])

    y = integrate(rhs, t, np.concatenate([q0, v0]), project, method, rtol, atol)
    return Motion(t, y[:, :n], y[:, n:])
