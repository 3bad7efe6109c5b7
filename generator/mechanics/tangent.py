r"""All motions near a state, as linear functions of independent displacements, speeds and inputs.

With displacements ``d`` and speeds ``u`` (`mbdgen.mechanics.chart`), ``z`` some of the first and
``w`` some of the second that are independent,

.. math::
    d = N z + P y, \quad du = W w + R\,(z, y, \dot y), \quad
    d\dot u = W \dot w + \dots

where ``H T N = 0`` and ``V T W = 0`` (there may be fewer independent speeds than displacements:
rolling), and ``y`` are changes of what drivers prescribe. ``\dot w`` is what the dynamics rows,
reduced by ``Z`` with ``G Z = 0``, want:

.. math::
    Z^T (M\,da + C\,dv + K\,dq) = 0, \quad
    M = r_a, \; C = r_v, \; K = r_q
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mbdgen.mechanics.chart import chart_at
from mbdgen.mechanics.levels import levels
from mbdgen.mechanics.spaces import independent, space
from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.runtime.system import System
from mbdgen.runtime.work import State


@dataclass(frozen=True)
class Tangent:
    """Changes of the motion for a unit of each variable ``(z, w, y, y_dot, y_ddot, f)``.

    Attributes
    ----------
    dq, dv, da : array, shape (n_q, n)
        Of coordinates, velocities and accelerations.
    dlam : array, shape (n_lam, n)
        Of multipliers; the smallest ones where constraints are redundant.
    z_dot, w_dot : array, shape (n_z, n), (n_w, n)
        Rates of the independent displacements and speeds.
    positions, speeds : tuple of str
        Names of the independent displacements and speeds.
    unsteady : array, shape (n_w,)
        Accelerations of the independent speeds at the state itself: zero in a steady motion.
    """

    dq: FloatArray
    dv: FloatArray
    da: FloatArray
    dlam: FloatArray
    z_dot: FloatArray
    w_dot: FloatArray
    positions: tuple[str, ...]
    speeds: tuple[str, ...]
    unsteady: FloatArray


@dataclass(frozen=True)
class _Basis:
    """Which displacements or speeds are independent, and what follows from them."""

    chosen: IntArray
    null: FloatArray  # with the identity in the chosen rows
    inverse: FloatArray  # of the constraints, with zeros in the chosen rows

    @staticmethod
    def of(rows: FloatArray, preference: FloatArray) -> "_Basis":
        found = space(rows)
        chosen = independent(found.null, preference)
        null = found.null @ np.linalg.inv(found.null[chosen])
        return _Basis(chosen, null, found.inverse - null @ found.inverse[chosen])


def tangent(system: System, state: State, drivers: Sequence[int], loads: FloatArray) -> Tangent:
    """Linearise the equations of motion at a consistent state.

    Parameters
    ----------
    system : System
        With second derivatives, unless everything is at rest.
    state : State
        Fulfils all equations; nothing else is asked of it.
    drivers : sequence of int
        Multipliers of the constraints that take inputs ``y``: ``phi(t, q) - y = 0``.
    loads : array, shape (n, k)
        Changes of the residual for a unit of each input ``f``; only dynamics rows may have any.
    """
    chart, level = chart_at(system, state), levels(system, state)
    place = _Basis.of(level.H @ chart.T, chart.preference)
    speed = _Basis.of(level.V @ chart.T, chart.preference)
    block = _blocks(place, speed, len(drivers), loads.shape[1])
    imposed = np.zeros((len(level.V), block.count))
    rows = _rows_of(system, drivers)

    def at(columns: slice) -> FloatArray:
        """Return the constraint rows whose right-hand side takes these inputs."""
        wanted = imposed.copy()
        wanted[rows, columns] = np.eye(len(rows))
        return wanted

    d = place.null @ block.unit(block.z) + place.inverse @ at(block.y)
    dq = chart.T @ d
    du = speed.null @ block.unit(block.w)
    du += speed.inverse @ (at(block.y_dot) - (level.V_q + level.V @ chart.B_u) @ dq)
    dv = chart.T @ du + chart.B_u @ dq
    known = chart.B_u_dot @ dq + chart.T_dot @ du + chart.B_u @ dv
    wanted = at(block.y_ddot) - level.A_q @ dq - level.A_v @ dv - level.V @ known
    known += chart.T @ speed.inverse @ wanted
    w_dot, da, dlam = _dynamics(system, state, chart.T @ speed.null, (dq, dv, known), loads, block)
    d_dot = chart.inverse @ (dv - chart.T_dot @ d)
    return Tangent(
        dq=dq,
        dv=dv,
        da=da,
        dlam=dlam,
        z_dot=d_dot[place.chosen],
        w_dot=w_dot,
        positions=tuple(chart.names[k] for k in place.chosen),
        speeds=tuple(f"{chart.names[k]}.dot" for k in speed.chosen),
        unsteady=chart.u_dot[speed.chosen],
    )


@dataclass(frozen=True)
class _Blocks:
    """Where the variables stand among the columns."""

    z: slice
    w: slice
    y: slice
    y_dot: slice
    y_ddot: slice
    f: slice

    @property
    def count(self) -> int:
        return int(self.f.stop)

    def unit(self, columns: slice) -> FloatArray:
        """Return the matrix that picks some of the variables."""
        return np.eye(self.count)[columns]


def _blocks(place: _Basis, speed: _Basis, n_drivers: int, n_loads: int) -> _Blocks:
    sizes = (place.null.shape[1], speed.null.shape[1], *(n_drivers,) * 3, n_loads)
    ends = np.cumsum((0, *sizes)).tolist()
    return _Blocks(*(slice(a, b) for a, b in pairwise(ends)))


def _rows_of(system: System, drivers: Sequence[int]) -> list[int]:
    """Return the places of constraints among the constraint rows."""
    place = {int(row): k for k, row in enumerate(system.work.rows)}
    return [place[system.n_q + k] for k in drivers]


def _dynamics(
    system: System,
    state: State,
    directions: FloatArray,
    known: tuple[FloatArray, FloatArray, FloatArray],
    loads: FloatArray,
    block: _Blocks,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Solve for the rates of the speeds, all accelerations, and the multipliers."""
    rows = np.setdiff1d(np.arange(system.n_q), system.work.rows)
    at = (float(state.clock[0]), state.q, state.v, state.a, state.lam)
    n_q, unit = system.n_q, np.eye(3)
    K, C, M = (system.matrix(*at, tuple(w)).toarray()[rows] for w in unit)
    reaction = space(K[:, n_q:].T)  # -G, whose null space moves without reactions
    dq, dv, rest = known
    right = -(K[:, :n_q] @ dq + C[:, :n_q] @ dv + M[:, :n_q] @ rest)
    right[:, block.f] -= loads[rows]
    reduced = reaction.null.T @ M[:, :n_q] @ directions
    w_dot = np.linalg.solve(reduced, reaction.null.T @ right)
    da = rest + directions @ w_dot
    unbalanced = right - M[:, :n_q] @ directions @ w_dot
    dlam = space(K[:, n_q:]).inverse @ unbalanced
    return w_dot, da, dlam
