r"""Angle unwrapping: counting revolutions of angles that are known modulo a full turn.

Kernels compute an angle :math:`\theta` modulo a full turn and choose the number of revolutions that
brings it nearest to a prediction, :math:`\theta_n + \omega_n (t - t_n)` from the last step n: two
values for each angle in the parameter table, which belong to the state of a run and are updated
after every step. The rate at the end of the step validates the prediction: if that differs by more
than a quarter of a turn from the mean of both rates times the step size, or the angle from this
mean, the step is rejected, because the number of revolutions is unknown.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.system.run_workspace import (
    KERNEL_FAILED,
    OK,
    REAL_ARRAY,
    TURNS_UNKNOWN,
    WORK,
    RunWorkspace,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

if TYPE_CHECKING:
    from mbdgen.runtime.system.system import System

QUARTER = 0.5 * math.pi
TURN = 2.0 * math.pi
PIECES = (1, 4, 16, 64)
"""Subdivisions of a path between two positions, as many as are needed to follow angles along it."""
FREE, MOST_UNCOUNTED = 0.5, 8
"""Radians, and number of steps, after which revolutions are counted at the latest."""
NEAR, SPEED, JUMPS = 0, 1, 2
"""Columns of ``Work.turns``."""


@separate(
    types.int64(KERNELS, WORK, types.float64, REAL_ARRAY, REAL_ARRAY, types.float64),
)
def count_turns(
    kernels: Kernels, work: RunWorkspace, t: float, q: FloatArray, v: FloatArray, h: float
) -> int:
    """Store the unwrapped angles of a state reached by a step of size ``h``.

    Without a valid prediction, an angle that may jump takes the value nearest to the previous one.
    At the beginning, ``h = 0``, every prediction is valid. With a status other than 0 nothing
    changes.
    """
    p, angles, none = work.p, work.angles, work.zero
    status = kernels.angles(
        t,
        q.ctypes,
        v.ctypes,
        none.ctypes,
        none.ctypes,
        work.weights.ctypes,
        p.ctypes,
        work.m.ctypes,
        angles.ctypes,
    )
    if status != 0:
        return KERNEL_FAILED
    for j in range(len(work.turns)):
        near, speed = p[work.turns[j, NEAR]], p[work.turns[j, SPEED]]
        change = 0.5 * h * (angles[2 * j + 1] - speed)
        off = angles[2 * j] - (near + speed * t + change)
        if abs(off) <= QUARTER and abs(change) <= QUARTER:
            continue
        if h == 0.0:
            if not abs(angles[2 * j + 1]) <= 1e300:  # an undefined angle has no rate
                angles[2 * j + 1] = 0.0
            continue
        if work.turns[j, JUMPS] == 0:
            return TURNS_UNKNOWN
        before = near + speed * (t - h)
        angles[2 * j] += TURN * np.rint((before - angles[2 * j]) / TURN)
        angles[2 * j + 1] = 0.0  # nor is this rate valid for the next step
    for j in range(len(work.turns)):
        p[work.turns[j, NEAR]] = angles[2 * j] - angles[2 * j + 1] * t
        p[work.turns[j, SPEED]] = angles[2 * j + 1]
    return OK


@internal
def steps_uncounted(work: RunWorkspace, h: float) -> int:
    """Return the number of steps of size ``h`` until revolutions must be counted again.

    In these steps no angle changes by more than `FREE` at its present rate; they are few: a motion
    resolved by a method does not complete a revolution in so many.
    """
    most = MOST_UNCOUNTED
    for j in range(len(work.turns)):
        turned = abs(work.p[work.turns[j, SPEED]] * h)
        if work.turns[j, JUMPS] != 0:
            return 1
        while most > 1 and not most * turned <= FREE:
            most -= 1
    return most


def forget_turns(system: "System") -> None:
    """Reset every angle to within half a turn of ``angles0``, as at the initial state."""
    table = system.work.turns
    system.work.p[table[:, NEAR]] = system.angles0
    system.work.p[table[:, SPEED]] = 0.0


def angles_in(turns: IntArray, p: FloatArray, t: float) -> FloatArray:
    """Return the angles predicted by a parameter table at an instant."""
    found: FloatArray = p[turns[:, NEAR]] + p[turns[:, SPEED]] * t
    return found


class Followed:
    """Unwrapped angles along the positions of an iteration at one instant.

    A position is reached on a straight line from the previous one; one that was reached before
    keeps its number of revolutions.

    Parameters
    ----------
    system, t : System, float
        System and time.
    q : array
        Initial position: angles are within half a turn of ``angles0``.
    """

    def __init__(self, system: "System", t: float, q: FloatArray) -> None:
        self._system, self._t, self._q = system, t, q.copy()
        forget_turns(system)
        next_turns(system, 0.0, t, q, np.zeros(len(q)))
        self._known = {q.tobytes(): turns_of(system)}

    def to(self, q: FloatArray) -> None:
        """Move to a position."""
        if not len(self._system.work.turns) or np.array_equal(q, self._q):
            return
        known = self._known.get(q.tobytes())
        if known is None:
            begin = turns_of(self._system)
            for pieces in PIECES:
                take_turns(self._system, begin)
                if all(self._piece(q, k / pieces, 1.0 / pieces) for k in range(pieces)):
                    break
        else:
            take_turns(self._system, known)
        self._q = q.copy()
        self._known[q.tobytes()] = turns_of(self._system)

    def _piece(self, q: FloatArray, done: float, part: float) -> bool:
        """Move along a part of the path; return whether it was short enough to count them."""
        system, change = self._system, q - self._q
        angles = system.angles(self._t, self._q + done * change, change)
        expected = angles[::2] + part * np.nan_to_num(angles[1::2], posinf=0.0, neginf=0.0)
        take_turns(system, np.column_stack([expected, np.zeros(len(expected))]))
        found = system.angles(self._t, self._q + (done + part) * change, change)[::2]
        take_turns(system, np.column_stack([found, np.zeros(len(found))]))
        return bool(np.abs(found - expected).max() <= QUARTER)


def next_turns(system: "System", h: float, t: float, q: FloatArray, v: FloatArray) -> bool:
    """The same as `count_turns`; return whether the number of revolutions is known."""
    work = system.work
    if not len(work.turns):
        return True
    q, v = (np.array(vector, np.float64) for vector in (q, v))
    return bool(count_turns(system.kernels, work, t, q, v, h) == OK)


def count_turns_to(system: "System", before: float, t: float, q: FloatArray, v: FloatArray) -> None:
    """Count revolutions of a motion sampled at some instants; the first follows itself.

    Raises
    ------
    OptionError
        If the instants are too far apart.
    """
    if not next_turns(system, t - before, t, q, v):
        raise OptionError(
            f"The turns of an angle of '{system.data.model}' cannot be counted from t = "
            f"{before:g} s to {t:g} s.",
            "Record instants that are nearer to each other, less than half a turn if its speed "
            "changes.",
        )


def turns_of(system: "System") -> FloatArray:
    """Return a copy of the data that predict the angles."""
    kept: FloatArray = system.work.p[system.work.turns[:, : SPEED + 1]]
    return kept


def take_turns(system: "System", turns: FloatArray) -> None:
    """Restore the data returned by `turns_of`."""
    system.work.p[system.work.turns[:, : SPEED + 1]] = turns
