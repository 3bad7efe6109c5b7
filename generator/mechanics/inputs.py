"""Inputs of a linear model by their names: drivers, forces on rows, parameters."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.system import System
from mbdgen.runtime.words import listed
from mbdgen.runtime.work import State

SAME = 1e-9
"""Changes of the residual for equal changes of a parameter differ by no more than this part."""


@dataclass(frozen=True)
class Inputs:
    """What is changed from outside.

    Attributes
    ----------
    drivers : tuple of int
        Multipliers of drivers whose prescribed value changes.
    loads : array, shape (n, k)
        Changes of the residual for a unit of the other inputs.
    names : tuple of str
        Of the inputs: second derivatives of drivers first.
    states : tuple of str
        Values of drivers, then their rates, which are states.
    """

    drivers: tuple[int, ...]
    loads: FloatArray
    names: tuple[str, ...]
    states: tuple[str, ...]


def inputs_of(system: System, state: State, names: Sequence[str]) -> Inputs:
    """Find inputs by their names."""
    names = (names,) if isinstance(names, str) else tuple(names)
    driven = _drivers(system)
    rows = {system.names.rows[k]: k for k in _dynamics(system)}
    drivers = [name for name in names if name in driven]
    others = [name for name in names if name not in driven]
    loads = np.zeros((system.n, len(others)))
    for k, name in enumerate(others):
        if name in rows:
            loads[rows[name], k] = -1.0
        elif name in system.parameters:
            loads[:, k] = _by_parameter(system, state, name)
        else:
            known = [*driven, *system.parameters, *rows]
            raise OptionError(
                f"Model '{system.data.model}' has no input '{name}'.",
                f"Name a driver, a parameter or a row: {listed(known, 12)}.",
            )
    return Inputs(
        drivers=tuple(driven[name] for name in drivers),
        loads=loads,
        names=(*(f"{name}.ddot" for name in drivers), *others),
        states=(*drivers, *(f"{name}.dot" for name in drivers)),
    )


def _drivers(system: System) -> dict[str, int]:
    """Return the joints that prescribe one motion, and its multiplier."""
    owners = [system.names.row_owners[system.n_q + k] for k in system.data.driven]
    return {
        owner: int(k)
        for owner, k in zip(owners, system.data.driven, strict=True)
        if owners.count(owner) == 1
    }


def _dynamics(system: System) -> list[int]:
    return [int(k) for k in np.setdiff1d(np.arange(system.n_q), system.work.rows)]


def _by_parameter(system: System, state: State, name: str) -> FloatArray:
    """Return the change of the residual for a unit of a parameter, which must be a load's.

    Loads are affine in their amplitudes and stiffnesses, so the difference over a unit is the
    derivative, whatever the unit; that it is affine is verified.
    """
    value, t = system.parameters[name], float(state.clock[0])
    moved = system.copy()
    unit = 1.0 + abs(value)
    residuals, levels = [], []
    for step in (-1.0, 0.0, 1.0):
        moved.set(**{name: value + step * unit})
        at = (t, state.q, state.v, state.a)
        residuals.append(moved.residual(*at, state.lam))
        levels.append(np.concatenate([residuals[-1], *moved.rates(*at)]))
    before, after = residuals[1] - residuals[0], residuals[2] - residuals[1]
    constraints = np.concatenate([system.work.rows + k * system.n for k in range(3)])
    change = levels[2] - levels[0]
    scale = np.abs(residuals).max() + 1.0
    if np.abs(change[constraints]).max(initial=0.0) > SAME * scale:
        raise OptionError(
            f"Parameter '{name}' enters constraints, so it is no load.",
            "Make a driver of what changes there, and name the driver.",
        )
    if np.abs(after - before).max(initial=0.0) > SAME * scale:
        raise OptionError(
            f"The equations are not linear in parameter '{name}'.",
            "Name a parameter that multiplies a load or a row of the dynamics.",
        )
    mean: FloatArray = (after + before) / (2.0 * unit)
    return mean
