r"""Sensitivities of static equilibria and of kinematic positions.

Statics: ``r(q, 0, 0, lam; p) = 0``, ``phi(q; p) = 0``, so that

.. math::
    \begin{bmatrix} K + W & -G^T \\ H & 0 \end{bmatrix}
    \begin{bmatrix} \delta q \\ \delta\lambda \end{bmatrix} =
    -\begin{bmatrix} \delta r \\ \delta\phi \end{bmatrix}

with the changes :math:`\delta r, \delta\phi` at fixed ``q``. Kinematics: without degrees of freedom
``H dq = -dphi``, ``H dv = -dphi_dot``, ``H da = -dphi_ddot``, one after the other; multipliers
follow from the equations of motion.
"""

from collections.abc import Sequence

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.limits import require
from mbdgen.runtime.initialisation.constraint_diagnosis import diagnose
from mbdgen.runtime.methods.run_limits import OF_STATES, RUN_LIMITS
from mbdgen.runtime.sensitivities.directions import Direction, directions
from mbdgen.runtime.sensitivities.initial_sensitivities import exact_solver
from mbdgen.runtime.sensitivities.sensitivity_series import Sensitivities, Sensitivity
from mbdgen.runtime.sensitivities.variation_kernels import (
    Change,
    Point,
    check_variations,
    energies_change,
    no_change,
    outputs_change,
    rates_change,
    residual_change,
)
from mbdgen.runtime.system.run_workspace import INDEX_1, State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, reals
from mbdgen.runtime.system.system_features import features_of

STATIC = (1.0, 0.0, 0.0)
"""Weights with which the matrix is ``[K + W, -G^T; H, 0]``."""
SETTLED = 1e-6
"""Change of ``q`` relative to ``1 + max |q|`` by which an equilibrium may still be wrong."""
SOLVED = 1e-7
"""What a solution may leave of its right-hand side, relative to it."""


def equilibrium_sensitivities(system: System, state: State, names: Sequence[str]) -> Sensitivities:
    """Return the derivatives of an equilibrium by parameters; arrays have one row.

    Parameters
    ----------
    state : State
        Position, multipliers and time of the equilibrium; its velocities and accelerations count
        as zero.
    names : sequence of str
        Parameters.

    Raises
    ------
    OptionError
        If it is none, if it is indifferent, or a name is unknown.
    """
    wanted = _parameters(system, names)
    zero = np.zeros(system.n_q)
    at = Point(float(state.clock[0]), reals(state.q), zero, zero, reals(state.lam))
    solve = _Solver(system, at, STATIC, "equilibrium is indifferent: it can move without a force")
    off = solve(-system.residual(*at))[: system.n_q]
    if not np.abs(off).max(initial=0.0) <= SETTLED * (1.0 + np.abs(at.q).max(initial=0.0)):
        k = int(np.argmax(np.abs(off)))
        raise OptionError(
            f"The state of '{system.data.model}' is no equilibrium: "
            f"'{system.names.coordinates[k]}' is {off[k]:.3g} away from one.",
            "Solve for the equilibrium first, with its multipliers.",
        )
    changes = []
    for d in wanted:
        change = no_change(system, d.p)
        x = solve(-residual_change(system, at, change))
        changes.append(change._replace(q=x[: system.n_q], lam=x[system.n_q :]))
    return _series(system, at, wanted, changes)


def kinematic_sensitivities(system: System, state: State, names: Sequence[str]) -> Sensitivities:
    """Return the derivatives of a driven motion at an instant; arrays have one row.

    Parameters
    ----------
    state : State
        A consistent state of a mechanism whose drivers leave no degree of freedom.
    names : sequence of str
        Parameters.

    Raises
    ------
    OptionError
        If the constraints do not determine the position, or a name is unknown.
    """
    wanted = _parameters(system, names)
    at = Point(float(state.clock[0]), *(reals(x) for x in state[1:]))
    dof = diagnose(system, at.t, at.q).dof
    if dof > 0:
        raise OptionError(
            f"The constraints of '{system.data.model}' do not determine its position: "
            f"{dof} DOF are free.",
            "Drive them, or use simulate(..., sensitivities=[...]).",
        )
    solve = _Solver(system, at, INDEX_1, "position is singular")
    rows, n_q = system.work.rows, system.n_q
    changes = []
    for d in wanted:
        change, rhs = no_change(system, d.p), np.zeros(system.n)
        rhs[rows] = -residual_change(system, at, change)[rows]
        change = change._replace(q=solve(rhs)[:n_q])
        rhs[rows] = -rates_change(system, at, change)[0][rows]
        change = change._replace(v=solve(rhs)[:n_q])
        rhs = -residual_change(system, at, change)
        rhs[rows] = -rates_change(system, at, change)[1][rows]
        x = solve(rhs)
        changes.append(change._replace(a=x[:n_q], lam=x[n_q:]))
    return _series(system, at, wanted, changes)


def _parameters(system: System, names: Sequence[str]) -> tuple[Direction, ...]:
    """Return directions, of which none may be an initial value."""
    check_variations(system, "A sensitivity")
    require(RUN_LIMITS, features_of(system), run=OF_STATES)
    wanted = directions(system, names)
    for d in wanted:
        if d.name not in system.parameters:
            raise OptionError(
                f"'{d.name}' is an initial value, which this state does not depend on.",
                "Name parameters.",
            )
    return wanted


class _Solver:
    """Linear solver of a matrix, with the status of its factorisation."""

    def __init__(self, system: System, at: Point, weights: Sequence[float], trouble: str) -> None:
        self._matrix = system.matrix(*at, weights)
        self._error = OptionError(
            f"No derivative: the {trouble} ('{system.data.model}', t = {at.t:g}).",
            "Choose another state, or remove what leaves it free.",
        )
        try:
            self._solve = exact_solver(system, self._matrix)
        except RuntimeError:
            raise self._error from None

    def __call__(self, rhs: FloatArray) -> FloatArray:
        x = self._solve(rhs)
        left = np.abs(self._matrix @ x - rhs).max(initial=0.0)
        if not left <= SOLVED * np.abs(rhs).max(initial=0.0):
            raise self._error
        return x


def _series(
    system: System, at: Point, wanted: Sequence[Direction], changes: Sequence[Change]
) -> Sensitivities:
    """Return the changes as derivatives, with those of outputs and energies; no work is done."""

    def one(d: Direction, change: Change) -> Sensitivity:
        outputs = outputs_change(system, at, change)
        energies = energies_change(system, at, change) * (1.0, 1.0, 0.0)
        arrays = (*change[:4], outputs, energies)
        return Sensitivity(d.name, d.unit, np.array([at.t]), *(array[None] for array in arrays))

    found = tuple(one(d, change) for d, change in zip(wanted, changes, strict=True))
    return Sensitivities(system.names, found)
