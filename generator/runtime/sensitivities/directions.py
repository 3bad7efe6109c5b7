"""Directions of differentiation: named parameters, initial coordinates, initial velocities."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbdgen.errors import OptionError, meant
from mbdgen.runtime.results.result_series import coordinate_unit, rate_unit
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray


@dataclass(frozen=True, eq=False)
class Direction:
    """A unit change of one parameter or initial value.

    Attributes
    ----------
    name : str
        ``L`` of a parameter, ``rod.x`` of an initial coordinate, ``rod.x.dot`` of its velocity.
    unit : str
        Its unit; empty if it is unknown.
    p, q0, v0 : array
        How much the table of parameters and the initial values change.
    """

    name: str
    unit: str
    p: FloatArray
    q0: FloatArray
    v0: FloatArray


def directions(system: System, names: str | Sequence[str]) -> tuple[Direction, ...]:
    """Return the directions of names, at the present values of the parameters.

    Raises
    ------
    OptionError
        If a name is unknown or comes twice.
    """
    if isinstance(names, str):
        names = [names]
    try:
        wanted = list(names)
    except TypeError:
        wanted = []
    if not wanted or not all(isinstance(name, str) for name in wanted):
        raise OptionError(
            f"sensitivities = {names!r} is not a list of names.",
            "Name parameters, initial coordinates ('rod.x') or initial velocities ('rod.x.dot').",
        )
    for name in wanted:
        if wanted.count(name) > 1:
            raise OptionError(f"sensitivities names '{name}' twice.", "Name it once.")
    return tuple(_direction(system, name) for name in wanted)


def _direction(system: System, name: str) -> Direction:
    p, q0, v0 = np.zeros(len(system.work.p)), np.zeros(system.n_q), np.zeros(system.n_q)
    spec, coordinates = system.data.parameters, system.names.coordinates
    if name in spec.names:
        values = [system.parameters[known] for known in spec.names]
        changes = [float(known == name) for known in spec.names]
        derived = np.asarray(spec.variation(values, changes), np.float64)
        if not np.isfinite(derived).all():
            raise OptionError(
                f"The model has no derivative by '{name}' at {name} = {system.parameters[name]:g}.",
                "Choose another value.",
            )
        tables = (p, spec.p_targets), (q0, spec.q_targets), (v0, spec.v_targets)
        for table, targets in tables:
            table[targets[:, 0]] = derived[targets[:, 1]]
        unit = spec.units[spec.names.index(name)]
        return Direction(name, unit, p, q0, v0)
    stem = name.removesuffix(".dot")
    if stem not in coordinates:
        raise _unknown(system, name)
    unit, k = coordinate_unit(stem), coordinates.index(stem)
    if stem == name:
        q0[k] = 1.0
        return Direction(name, unit, p, q0, v0)
    v0[k] = 1.0
    return Direction(name, rate_unit(unit, 1), p, q0, v0)


def _unknown(system: System, name: str) -> OptionError:
    parameters, coordinates = system.data.parameters.names, system.names.coordinates
    known = [*parameters, *coordinates, *(f"{c}.dot" for c in coordinates)]
    listed = f"Its parameters are: {', '.join(parameters) or 'none'} (frozen ones are numbers)."
    return OptionError(
        f"Model '{system.data.model}' has no parameter and no coordinate '{name}'.",
        meant(name, known, listed),
    )
