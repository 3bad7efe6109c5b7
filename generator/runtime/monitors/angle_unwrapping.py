r"""Turns of angles: which of all angles that differ by whole turns a state means.

Kernels take an angle :math:`\theta` modulo a turn and choose the number of turns that brings it
nearest to a prediction, :math:`\theta_n + \omega_n (t - t_n)` from the last step n: two numbers of
every angle in the table of parameters, which belong to the state of a run. After every step they
are written anew. The rate at the end of the step says whether the prediction can be trusted: where
that differs by more than a quarter of a turn from the mean of both rates times the step, or the
angle from this mean, the step is refused: how far it has gone around is unknown.
"""

import math
from typing import TYPE_CHECKING

import numpy as np
from numba import types

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

if TYPE_CHECKING:
    from mbdgen.runtime.system.system import System

QUARTER = 0.5 * math.pi
TURN = 2.0 * math.pi
PIECES = (1, 4, 16, 64)
"""Parts of a way, as many as are needed to follow angles on it."""
FREE, MOST_UNCOUNTED = 0.5, 8
"""Radians, and steps, after which turns are counted at the latest."""
NEAR, SPEED, JUMPS = 0, 1, 2
"""Columns of ``Work.turns``."""


@separate(
    types.int64(KERNELS, WORK, types.float64, REAL_ARRAY, REAL_ARRAY, types.float64),
    from_python=True,
)
def count_turns(
    kernels: Kernels, work: RunWorkspace, t: float, q: FloatArray, v: FloatArray, h: float
) -> int:
    """Write down the angles of a state that a step of length ``h`` has reached.

    An angle that may jump is the one nearest to that before where the prediction says nothing. At
    the beginning, ``h = 0``, every prediction is right. With a status other than 0 nothing changes.
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
            if not abs(angles[2 * j + 1]) <= 1e300:  # where it is not defined it has no rate
                angles[2 * j + 1] = 0.0
            continue
        if work.turns[j, JUMPS] == 0:
            return TURNS_UNKNOWN
        before = near + speed * (t - h)
        angles[2 * j] += TURN * np.rint((before - angles[2 * j]) / TURN)
        angles[2 * j + 1] = 0.0  # nor does this rate say anything of the next step
    for j in range(len(work.turns)):
        p[work.turns[j, NEAR]] = angles[2 * j] - angles[2 * j + 1] * t
        p[work.turns[j, SPEED]] = angles[2 * j + 1]
    return OK


@internal
def steps_uncounted(work: RunWorkspace, h: float) -> int:
    """Return how many steps of a length may be made before turns are counted again.

    As many as turn no angle by `FREE` at its present rate, but few: what a method resolves does
    not go around in so many.
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
    """Let every angle be within half a turn of ``angles0``, as where a motion begins."""
    table = system.work.turns
    system.work.p[table[:, NEAR]] = system.angles0
    system.work.p[table[:, SPEED]] = 0.0


def angles_in(turns: IntArray, p: FloatArray, t: float) -> FloatArray:
    """Return the angles that a table of parameters predicts at an instant."""
    found: FloatArray = p[turns[:, NEAR]] + p[turns[:, SPEED]] * t
    return found


class Followed:
    """Angles with all their turns along positions of a search at one instant.

    A position is reached on the straight line from the one before; one that has been reached
    before has the turns that it had then.

    Parameters
    ----------
    system, t : System, float
        Whose, and when.
    q : array
        The first position: angles are within half a turn of ``angles0``.
    """

    def __init__(self, system: "System", t: float, q: FloatArray) -> None:
        self._system, self._t, self._q = system, t, q.copy()
        forget_turns(system)
        next_turns(system, 0.0, t, q, np.zeros(len(q)))
        self._known = {q.tobytes(): turns_of(system)}

    def to(self, q: FloatArray) -> None:
        """Go to a position."""
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
        """Go a part of the way; return whether it was short enough to know the turns."""
        system, way = self._system, q - self._q
        angles = system.angles(self._t, self._q + done * way, way)
        expected = angles[::2] + part * np.nan_to_num(angles[1::2], posinf=0.0, neginf=0.0)
        take_turns(system, np.column_stack([expected, np.zeros(len(expected))]))
        found = system.angles(self._t, self._q + (done + part) * way, way)[::2]
        take_turns(system, np.column_stack([found, np.zeros(len(found))]))
        return bool(np.abs(found - expected).max() <= QUARTER)


def next_turns(system: "System", h: float, t: float, q: FloatArray, v: FloatArray) -> bool:
    """Do what `count_turns` does; return whether the turns are known."""
    work = system.work
    if not len(work.turns):
        return True
    q, v = (np.array(vector, np.float64) for vector in (q, v))
    return bool(count_turns(system.kernels, work, t, q, v, h) == OK)


def count_turns_to(system: "System", before: float, t: float, q: FloatArray, v: FloatArray) -> None:
    """Count turns of a motion that is known at some instants only; the first follows itself.

    Raises
    ------
    OptionError
        If they are too far apart.
    """
    if not next_turns(system, t - before, t, q, v):
        raise OptionError(
            f"The turns of an angle of '{system.data.model}' cannot be counted from t = "
            f"{before:g} s to {t:g} s.",
            "Record instants that are nearer to each other, less than half a turn if its speed "
            "changes.",
        )


def turns_of(system: "System") -> FloatArray:
    """Return a copy of what angles are predicted by."""
    kept: FloatArray = system.work.p[system.work.turns[:, : SPEED + 1]]
    return kept


def take_turns(system: "System", turns: FloatArray) -> None:
    """Predict angles by what `turns_of` has returned."""
    system.work.p[system.work.turns[:, : SPEED + 1]] = turns
