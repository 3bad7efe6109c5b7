r"""Tangent of the motion: linear functions of independent displacements, speeds and inputs.

With displacements ``d`` and speeds ``u`` (`mbdgen.mechanics.displacement_chart`), ``z`` an
independent subset of the first and ``w`` of the second,

.. math::
    d = N z + P y, \quad du = W w + R\,(z, y, \dot y), \quad
    d\dot u = W \dot w + \dots

where ``H T N = 0`` and ``V T W = 0`` (with nonholonomic constraints, as of rolling, there are fewer
independent speeds than displacements), and ``y`` are variations of inputs in the constraints
(`mbdgen.mechanics.linear_inputs`). ``\dot w`` follows from the dynamics rows, reduced by the null
space ``Z`` with ``G Z = 0``:

.. math::
    Z^T (M\,da + C\,dv + K\,dq) = 0, \quad
    M = r_a, \; C = r_v, \; K = r_q
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.mechanics.displacement_chart import chart_at
from mbdgen.mechanics.levels import levels
from mbdgen.mechanics.linear_inputs import Changes, Inputs
from mbdgen.mechanics.spaces import independent, space
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray

FOLLOWED = 1e-7
"""Tolerance for constraint violation, relative to the variation of an input."""


@dataclass(frozen=True)
class Variables:
    """Column ranges of ``(z, w, y, y_dot, y_ddot, f)``."""

    z: slice
    w: slice
    y: slice
    y_dot: slice
    y_ddot: slice
    f: slice

    @staticmethod
    def of(positions: int, speeds: int, inputs: Inputs) -> "Variables":
        """Return the ranges for numbers of independent displacements and speeds, and inputs."""
        sizes = (positions, speeds, *(inputs.moves.count,) * 3, inputs.loads.count)
        ends = np.cumsum((0, *sizes)).tolist()
        return Variables(*(slice(a, b) for a, b in pairwise(ends)))

    def unit(self, columns: slice) -> FloatArray:
        """Return the selection matrix of some of the variables."""
        return np.eye(int(self.f.stop))[columns]


@dataclass(frozen=True)
class Tangent:
    """Variations of the motion for a unit of each variable ``(z, w, y, y_dot, y_ddot, f)``.

    Attributes
    ----------
    dq, dv, da : array, shape (n_q, n)
        Variations of coordinates, velocities and accelerations.
    dlam : array, shape (n_lam, n)
        Variations of Lagrange multipliers; minimum norm with redundant constraints.
    z_dot, w_dot : array, shape (n_z, n), (n_w, n)
        Rates of the independent displacements and speeds.
    positions, speeds : tuple of str
        Names of the independent displacements and speeds.
    unsteady : array, shape (n_w,)
        Accelerations of the independent speeds at the state itself: zero in a steady motion.
    variables : Variables
        Column ranges.
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
    variables: Variables


@dataclass(frozen=True)
class _Basis:
    """Independent displacements or speeds, and the dependent ones."""

    chosen: IntArray
    null: FloatArray  # identity in the chosen rows
    inverse: FloatArray  # of the constraints, zeros in the chosen rows

    @staticmethod
    def of(rows: FloatArray, preference: FloatArray) -> "_Basis":
        found = space(rows)
        chosen = independent(found.null, preference)
        null = found.null @ np.linalg.inv(found.null[chosen])
        return _Basis(chosen, null, found.inverse - null @ found.inverse[chosen])


def tangent(system: System, state: State, inputs: Inputs) -> Tangent:
    """Linearise the equations of motion at a consistent state.

    Parameters
    ----------
    system : System
        With second derivatives, unless at rest.
    state : State
        Any consistent state.
    inputs : Inputs
        ``y`` and ``f``.
    """
    chart, level = chart_at(system, state), levels(system, state)
    place = _Basis.of(level.H @ chart.T, chart.preference)
    speed = _Basis.of(level.V @ chart.T, chart.preference)
    block = Variables.of(place.null.shape[1], speed.null.shape[1], inputs)
    imposed = _Imposed.of(system, inputs.moves, block)
    d = place.null @ block.unit(block.z) - place.inverse @ imposed.position
    dq = chart.T @ d
    _check_followed(system, level.H @ dq + imposed.position, imposed.position, inputs, block)
    du = speed.null @ block.unit(block.w)
    du -= speed.inverse @ (imposed.speed + (level.V_q + level.V @ chart.B_u) @ dq)
    dv = chart.T @ du + chart.B_u @ dq
    known = chart.B_u_dot @ dq + chart.T_dot @ du + chart.B_u @ dv
    wanted = -imposed.acceleration - level.A_q @ dq - level.A_v @ dv - level.V @ known
    known += chart.T @ speed.inverse @ wanted
    changed = inputs.moves.residual @ block.unit(block.y)
    changed += inputs.loads.residual @ block.unit(block.f)
    directions = chart.T @ speed.null
    w_dot, da, dlam = _dynamics(system, state, directions, (dq, dv, known), changed)
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
        variables=block,
    )


@dataclass(frozen=True)
class _Imposed:
    """Variations of the constraints by inputs on each level, at a fixed motion."""

    position: FloatArray
    speed: FloatArray
    acceleration: FloatArray

    @staticmethod
    def of(system: System, moves: Changes, block: Variables) -> "_Imposed":
        y, y_dot, y_ddot = (block.unit(part) for part in (block.y, block.y_dot, block.y_ddot))
        rows, level = system.work.rows, system.work.holonomic[:, None]
        # Nonholonomic equations have no phi, and are differentiated once less.
        phi, rates = moves.residual * level, moves.rates
        speed = rates @ y + phi @ y_dot
        acceleration = moves.second @ y + (1.0 + level) * rates @ y_dot + phi @ y_ddot
        return _Imposed(phi[system.position_rows] @ y, speed[rows], acceleration[rows])


def _check_followed(
    system: System, left: FloatArray, imposed: FloatArray, inputs: Inputs, block: Variables
) -> None:
    """Reject inputs that redundant constraints prevent, such as one length of two equal rods."""
    for k, name in enumerate(inputs.states[: inputs.moves.count]):
        rest = np.abs(left[:, block.y][:, k])
        if rest.max(initial=0.0) > FOLLOWED * np.abs(imposed[:, block.y][:, k]).max(initial=0.0):
            owner = system.names.row_owners[system.position_rows[int(np.argmax(rest))]]
            raise OptionError(
                f"'{name}' cannot change in '{system.data.model}': the constraints of "
                f"'{owner}' and others would contradict each other.",
                "Change dependent lengths together, by one parameter.",
            )


def _dynamics(
    system: System,
    state: State,
    directions: FloatArray,
    known: tuple[FloatArray, FloatArray, FloatArray],
    changed: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Solve for the rates of the speeds, all accelerations, and the Lagrange multipliers."""
    rows = np.setdiff1d(np.arange(system.n_q), system.work.rows)
    at = (float(state.clock[0]), state.q, state.v, state.a, state.lam)
    n_q, unit = system.n_q, np.eye(3)
    K, C, M = (system.matrix(*at, tuple(w)).toarray()[rows] for w in unit)
    dq, dv, rest = known
    right = -(K[:, :n_q] @ dq + C[:, :n_q] @ dv + M[:, :n_q] @ rest + changed[rows])
    # With velocities the columns of multipliers are complete: forces may read reactions.
    both = np.hstack([M[:, :n_q] @ directions, C[:, n_q:]])
    w_dot, dlam = np.split(space(both).inverse @ right, [directions.shape[1]])
    da = rest + directions @ w_dot
    return w_dot, da, dlam
