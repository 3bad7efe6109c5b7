"""The error of a motion of which some instants were recorded only, from short pieces of it.

At a few recorded instants a few steps are made again, all of them recorded, by the same method and
of the same length; what they add to the errors stands for the steps between.
"""

import numpy as np

from mbdgen.runtime import work
from mbdgen.runtime.attitudes import Attitudes
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.drive import Run
from mbdgen.runtime.error_estimate import defects
from mbdgen.runtime.request import Schedule
from mbdgen.runtime.result import Result
from mbdgen.runtime.scheme import Scheme
from mbdgen.runtime.self_check import Facts
from mbdgen.runtime.system import System
from mbdgen.runtime.work import new_state

PIECES, LENGTH = 12, 9
"""Pieces, and steps of each."""
BEGUN = 3
"""Steps at the beginning of a piece that do not count: multistep methods begin with others."""
COST = 20
"""One step in so many is made again, but a piece at least."""
RTOL = 1e-8
"""Relative tolerance of libraries, if the user names none."""


def facts_of(run: Run, scheme: Scheme, dof: int, whole: bool, h: float | None) -> Facts:
    """Return what the estimate of the error of a run wants to know about it.

    Parameters
    ----------
    run : Run
        That has ended.
    scheme : Scheme
        How it was integrated.
    dof : int
        Degrees of freedom.
    whole : bool
        Whether every step was recorded; steps in contacts never are.
    h : float or None
        Length of the steps, if they have one.
    """
    rtol = None if scheme.tolerances is None else scheme.tolerances[0]
    if h is None and rtol is None:
        rtol = RTOL  # of libraries
    if len(run.system.data.contacts):
        return Facts(scheme.order, False, None, rtol)
    if whole or h is None or run.attitudes or len(run.system.data.crowds):
        return Facts(scheme.order, whole, None, rtol)
    return Facts(
        scheme.order, False, lambda result: pieces_of(run.system, scheme, result, dof, h), None
    )


def pieces_of(
    system: System, scheme: Scheme, result: Result, dof: int, h: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return instants, and what steps there have added to the errors of positions and velocities.

    Parameters
    ----------
    system, scheme : System, Scheme
        What was integrated, and how.
    result : Result
        Some instants of it.
    dof : int
        Degrees of freedom.
    h : float
        Length of the steps.
    """
    count = int(np.clip(result.counters.steps // (COST * LENGTH), 1, PIECES))
    rows = np.unique(np.linspace(0, len(result.t) - 2, count).astype(int))
    forward = np.sign(result.t[-1] - result.t[0])
    counters = system.work.counters.copy()
    found: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    for row in rows:
        state = new_state(system.n_q, system.n_lam)
        state.clock[0] = result.t[row]
        for name in ("q", "v", "a", "lam"):
            getattr(state, name)[:] = getattr(result, name)[row]
        instants = result.t[row] + forward * h * np.arange(LENGTH + 1)
        plan = Schedule(instants, np.ones(LENGTH, np.int64), np.ones(LENGTH + 1, bool))
        attitudes = Attitudes(system, rebase=False)
        run = Run(system, scheme, state, dof, [], None, lambda t: None, attitudes)
        if run.integrate(plan) != work.OK:
            continue
        q, v, a, *_ = run.rows.record
        some = np.arange(BEGUN, LENGTH)
        found.append((instants[some + 1], *defects(instants, q, v, a, some)))
    system.work.counters[:] = counters
    if not found:
        none = np.zeros((0, system.n_q))
        return np.zeros(0), none, none
    t, d_q, d_v = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return t, d_q, d_v
