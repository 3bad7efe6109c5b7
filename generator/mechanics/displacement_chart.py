r"""Chart of small displacements (variations) and the choice of independent ones.

``dq = T(q) d``, ``v = T(q) u``: translations and angles unchanged, small rotations of quaternion
bodies about body axes (`mbdgen.runtime.system.unit_vectors`), variations of the coordinates for all
other orientations. ``T`` is affine in ``q``, so that all its derivatives are exact:

.. math::
    dv = T\,du + B(u)\,dq, \qquad
    da = T\,d\dot u + B(\dot u)\,dq + \dot T\,du + B(u)\,dv, \qquad
    \dot d = T^+ (dv - \dot T d)

with ``B(u) = d(T u)/dq``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbdgen.mechanics.orientation_failures import check_regular_orientations
from mbdgen.runtime.results.result_series import coordinate_unit
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.runtime.system.unit_vectors import unit_map

TURNING, SPINNING, UNSTEADY = 1e-2, 1e-4, 1e-6
"""Preferences of displacements whose directions rotate during the motion, of rotations of a body
that also spins, and of accelerated ones."""
STEADY = 1e-8
"""Accelerations and rates up to this fraction of the speeds count as zero."""


@dataclass(frozen=True)
class Chart:
    """Chart of displacements at a state.

    Attributes
    ----------
    T : array, shape (n_q, n_u)
        Variations of coordinates from displacements.
    inverse : array, shape (n_u, n_q)
        ``T^+``.
    T_dot : array, shape (n_q, n_u)
        Time derivative of ``T``.
    B_u, B_u_dot : array, shape (n_q, n_q)
        ``d(T u)/dq`` for the speeds and their rates.
    u, u_dot : array, shape (n_u,)
        Speeds and their rates.
    names : tuple of str
        Names of the displacements.
    preference : array, shape (n_u,)
        Preference as independent displacements: in a steady motion, of those that are steady.
    """

    T: FloatArray
    inverse: FloatArray
    T_dot: FloatArray
    B_u: FloatArray
    B_u_dot: FloatArray
    u: FloatArray
    u_dot: FloatArray
    names: tuple[str, ...]
    preference: FloatArray


def chart_at(system: System, state: State) -> Chart:
    """Return the chart of displacements at a state, with all orientations regular."""
    check_regular_orientations(system, float(state.clock[0]), state.q)
    units, q, v = system.data.unit_blocks, state.q, state.v
    kept = _columns(units, len(q))
    constant = _rates(np.zeros(len(q)), units)

    def linear(x: FloatArray) -> FloatArray:
        """Return the part of ``T(x)`` that is linear in ``x``."""
        part: FloatArray = (_rates(x, units) - constant)[:, kept]
        return part

    def by_q(u: FloatArray) -> FloatArray:
        matrix = np.zeros((len(q), len(q)))
        for first, size in units:
            for k in range(first, first + size):
                unit = np.zeros(len(q))
                unit[k] = 1.0
                matrix[:, k] = linear(unit) @ u
        return matrix

    T = _rates(q, units)[:, kept]
    inverse = (T / (T * T).sum(axis=0)).T  # columns are orthogonal
    T_dot, u = linear(v), inverse @ v
    u_dot = inverse @ (state.a - T_dot @ u)
    names = _names(system, kept)
    return Chart(
        T=T,
        inverse=inverse,
        T_dot=T_dot,
        B_u=by_q(u),
        B_u_dot=by_q(u_dot),
        u=u,
        u_dot=u_dot,
        names=names,
        preference=_preference(system, kept, names, u, u_dot),
    )


def _rates(q: FloatArray, units: IntArray) -> FloatArray:
    """Return ``T`` with a column for every coordinate: zero columns for norms."""
    full = np.eye(len(q))
    for first, size in units:
        place = slice(first, first + size)
        full[place, place] = unit_map(q[place])
    return full


def _columns(units: IntArray, n_q: int) -> IntArray:
    """Return the columns of ``T`` without norm rows: all but the last of every unit vector."""
    norms = [first + size - 1 for first, size in units]
    return np.setdiff1d(np.arange(n_q), norms)


def _names(system: System, kept: IntArray) -> tuple[str, ...]:
    names = list(system.names.coordinates)
    for first, size in system.data.unit_blocks:
        owner = names[first].rpartition(".")[0]
        turns = ("angle",) if size == 2 else ("turn_x", "turn_y", "turn_z")
        for k, turn in enumerate(turns):
            names[first + k] = f"{owner}.{turn}"
    return tuple(names[k] for k in kept)


def _preference(
    system: System, kept: IntArray, names: Sequence[str], u: FloatArray, u_dot: FloatArray
) -> FloatArray:
    """Prefer steady displacements: a rolling wheel tilts with its non-spinning frame.

    In its own spinning axes the same tilt would oscillate, and the linear system of a steady motion
    would not have constant coefficients. The same holds for positions on a circular path. Axes of a
    body whose angular velocity components are constant are better than those of one that also
    spins: the carrier of a disc that rolls around a circle rotates with the motion itself.
    """
    limit = STEADY * (1.0 + np.abs(u).max(initial=0.0))
    unsteady = np.abs(u_dot) > limit
    turning, spinning = np.zeros(len(kept), bool), np.zeros(len(kept), bool)
    place = {int(column): k for k, column in enumerate(kept)}
    owners = [name.rpartition(".")[0] for name in names]
    going_round = {owners[k] for k in np.flatnonzero(unsteady)}
    for first, size in system.data.unit_blocks:
        own = [place[first + k] for k in range(size - 1)]
        spinning[own] = unsteady[own].any()
        for k in own:
            others = [j for j in own if j != k]
            turning[k] = bool(np.linalg.norm(u[others]) > limit)
        if np.linalg.norm(u[own]) > limit:
            going_round.add(owners[own[0]])
    for k, name in enumerate(names):
        if coordinate_unit(name) == "m":
            turning[k] |= owners[k] in going_round
            # Both directions in the plane of a circle vary, one of them not at this instant.
            unsteady[k] |= any(unsteady[j] for j in range(len(kept)) if owners[j] == owners[k])
    levels = [unsteady, spinning, turning]
    return np.select(levels, [UNSTEADY, SPINNING, TURNING], 1.0)
