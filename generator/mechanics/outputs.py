"""Outputs of a linear model by their names: any series of a result but energies."""

from collections.abc import Sequence

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.mechanics.tangent import Tangent
from mbdgen.runtime.columns import Directory
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.system import System
from mbdgen.runtime.work import State


def changes_of(
    system: System, state: State, found: Tangent, names: Sequence[str]
) -> tuple[tuple[str, ...], FloatArray]:
    """Return names of single series, and their changes for a unit of each variable."""
    names = (names,) if isinstance(names, str) else names
    wanted = Directory(system.names).wanted(names)
    changes = {"q": found.dq, "v": found.dv, "a": found.da, "lam": found.dlam}
    rows = np.zeros((len(wanted), found.dq.shape[1]))
    for k, column in enumerate(wanted):
        if column.source not in changes:
            raise OptionError(
                f"'{column.name}' cannot be an output of a linear model.",
                "Name coordinates, their rates, or multipliers.",
            )
        rows[k] = changes[column.source][column.index]
    return tuple(column.name for column in wanted), rows
