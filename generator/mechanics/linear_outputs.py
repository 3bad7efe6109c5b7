"""Outputs of a linear model by their names: any series of a result except energies."""

from collections.abc import Sequence

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.mechanics.linear_inputs import Inputs, check_once
from mbdgen.mechanics.tangent import Tangent
from mbdgen.runtime.results.result_series import Directory, SeriesColumn
from mbdgen.runtime.sensitivities.variation_kernels import (
    Change,
    Point,
    check_variations,
    outputs_change,
)
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray


def changes_of(
    system: System, state: State, found: Tangent, inputs: Inputs, names: Sequence[str]
) -> tuple[tuple[str, ...], FloatArray]:
    """Return names of single series, and their variations for a unit of each variable."""
    names = (names,) if isinstance(names, str) else names
    directory = Directory(system.names)
    wanted = [column for name in names for column in directory.select(name)[0]]
    check_once([column.name for column in wanted], "output")
    changes = {"q": found.dq, "v": found.dv, "a": found.da, "lam": found.dlam}
    if any(column.source == "outputs" for column in wanted):
        changes["outputs"] = _outputs(system, state, found, inputs)
    rows = np.zeros((len(wanted), found.dq.shape[1]))
    for k, column in enumerate(wanted):
        _check_known(column, changes)
        rows[k] = changes[column.source][column.index]
    return tuple(column.name for column in wanted), rows


def _outputs(system: System, state: State, found: Tangent, inputs: Inputs) -> FloatArray:
    """Return the exact directional derivatives of all outputs of the model, along each variable."""
    check_variations(system, "An output of the model in a linear model")
    at = Point(float(state.clock[0]), state.q, state.v, state.a, state.lam)
    variables = found.variables
    parameters = inputs.moves.p @ variables.unit(variables.y)
    parameters += inputs.loads.p @ variables.unit(variables.f)
    columns = [
        outputs_change(system, at, Change(*(np.ascontiguousarray(part) for part in change)))
        for change in zip(
            found.dq.T, found.dv.T, found.da.T, found.dlam.T, parameters.T, strict=True
        )
    ]
    return np.array(columns).reshape(len(columns), system.names.n_out).T


def _check_known(column: SeriesColumn, known: dict[str, FloatArray]) -> None:
    if column.source not in known:
        raise OptionError(
            f"'{column.name}' cannot be an output of a linear model.",
            "Name outputs of the model, coordinates, their rates, or multipliers.",
        )
