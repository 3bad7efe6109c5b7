r"""Inputs of a linear model by their names: drivers, generalised forces, parameters.

Rheonomic inputs act on the constraints with value, rate and second rate. For an input ``y(t)`` in
the constraints, a driver's prescribed value or a parameter,

.. math::
    \delta\phi = \phi_y\,y, \qquad \delta\dot\phi = \dot\phi_y\,y + \phi_y\,\dot y, \qquad
    \delta\ddot\phi = \ddot\phi_y\,y + 2 \dot\phi_y\,\dot y + \phi_y\,\ddot y

and for nonholonomic equations, which have no ``phi``, ``psi_y y`` and ``psi_dot_y y + psi_y y'``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mbdgen.errors import OptionError, meant
from mbdgen.limits import require
from mbdgen.mechanics.analysis_limits import ANALYSIS_LIMITS, DRIVER_INPUTS
from mbdgen.mechanics.given_motion import eliminated_drivers
from mbdgen.runtime.results.sentence_parts import listed
from mbdgen.runtime.sensitivities.directions import directions
from mbdgen.runtime.sensitivities.variation_kernels import (
    Point,
    check_variations,
    no_change,
    rates_change,
    residual_change,
)
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.runtime.system.system_features import features_of


@dataclass(frozen=True)
class Changes:
    """Variations of all rows and of the table of parameters, for a unit of each input.

    Attributes
    ----------
    residual : array, shape (n, k)
        Variations of ``[M a - f - G^T lam; phi]``.
    rates, second : array, shape (n, k)
        Variations of ``phi_dot`` and ``phi_ddot`` (``psi`` and ``psi_dot``).
    p : array, shape (n_p, k)
        Variations of the parameters of all elements.
    """

    residual: FloatArray
    rates: FloatArray
    second: FloatArray
    p: FloatArray

    @staticmethod
    def none(system: System) -> "Changes":
        """Return zero variations, for an input without effect."""
        nothing = np.zeros((system.n, 1))
        return Changes(nothing, nothing, nothing, np.zeros((len(system.work.p), 1)))

    def beside(self, others: Sequence["Changes"]) -> "Changes":
        """Return these variations followed by those of others."""
        every = (self, *others)
        return Changes(
            np.hstack([one.residual for one in every]),
            np.hstack([one.rates for one in every]),
            np.hstack([one.second for one in every]),
            np.hstack([one.p for one in every]),
        )

    @property
    def count(self) -> int:
        """Number of inputs."""
        return self.p.shape[1]


@dataclass(frozen=True)
class Inputs:
    """Inputs of a linear model.

    Attributes
    ----------
    moves : Changes
        Of inputs in the constraints, whose values and rates are states.
    loads : Changes
        Of all other inputs.
    names : tuple of str
        Names of the inputs, in the requested order: ``.ddot`` for those in the constraints.
    places : tuple of int
        Index of each of them in the order with all moves first.
    states : tuple of str
        Names of the values of moves, then of their rates.
    """

    moves: Changes
    loads: Changes
    names: tuple[str, ...]
    places: tuple[int, ...]
    states: tuple[str, ...]


def inputs_of(system: System, state: State, names: Sequence[str]) -> Inputs:
    """Find inputs by their names.

    Raises
    ------
    OptionError
        If a name is unknown, or named twice.
    """
    names = (names,) if isinstance(names, str) else tuple(names)
    check_once(names, "input")
    found = {name: _changes(system, state, name) for name in names}
    rows = system.work.rows
    moves = {
        name: one
        for name, one in found.items()
        if one.residual[rows].any() or one.rates[rows].any() or one.second[rows].any()
    }
    loads = {name: one for name, one in found.items() if name not in moves}
    sorted_names = [*moves, *loads]
    return Inputs(
        moves=_together(system, list(moves.values())),
        loads=_together(system, list(loads.values())),
        names=tuple(f"{name}.ddot" if name in moves else name for name in names),
        places=tuple(sorted_names.index(name) for name in names),
        states=(*moves, *(f"{name}.dot" for name in moves)),
    )


def check_once(names: Sequence[str], what: str) -> None:
    """Reject a duplicate name: its column, or its row, would be ambiguous."""
    for k, name in enumerate(names):
        if name in names[:k]:
            raise OptionError(f"The {what} '{name}' is named twice.", "Name it once.")


def _together(system: System, changes: Sequence[Changes]) -> Changes:
    none = Changes.none(system)
    empty = Changes(none.residual[:, :0], none.rates[:, :0], none.second[:, :0], none.p[:, :0])
    return empty.beside(changes)


def _changes(system: System, state: State, name: str) -> Changes:
    """Return the variations for a unit of one input."""
    driven, none = _drivers(system), Changes.none(system)
    rows = {system.names.rows[k]: int(k) for k in _dynamics(system)}
    if name in driven:
        row = _unit(system, driven[name])
        if system.work.holonomic[driven[name]]:
            return replace(none, residual=row)
        return replace(none, rates=row)
    if name in rows:
        return replace(none, residual=_unit(system, rows[name]))
    if name in system.parameters:
        return _by_parameter(system, state, name)
    if name in eliminated_drivers(system):
        require(ANALYSIS_LIMITS, features_of(system), run=DRIVER_INPUTS)
    known = [*driven, *system.parameters, *rows]
    raise OptionError(
        f"Model '{system.data.model}' has no input '{name}'.",
        meant(name, known, f"Name a driver, a parameter or a row: {listed(known, 12)}."),
    )


def _unit(system: System, row: int) -> FloatArray:
    """Return the variation for a unit right-hand side of a row."""
    column = np.zeros((system.n, 1))
    column[row] = -1.0
    return column


def _drivers(system: System) -> dict[str, int]:
    """Return the joints that prescribe one motion, with the row of their constraint."""
    rows = [system.n_q + int(k) for k in system.data.driven]
    owners = [system.names.row_owners[row] for row in rows]
    return {o: row for o, row in zip(owners, rows, strict=True) if owners.count(o) == 1}


def _dynamics(system: System) -> list[int]:
    return [int(k) for k in np.setdiff1d(np.arange(system.n_q), system.work.rows)]


def _by_parameter(system: System, state: State, name: str) -> Changes:
    """Return the exact derivatives with respect to a parameter at a fixed state."""
    check_variations(system, f"Parameter '{name}' as an input of a linear model")
    at = Point(float(state.clock[0]), state.q, state.v, state.a, state.lam)
    (direction,) = directions(system, [name])
    change = no_change(system, direction.p)
    columns = residual_change(system, at, change), *rates_change(system, at, change), direction.p
    return Changes(*(column[:, None] for column in columns))
