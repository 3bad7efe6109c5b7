"""Workspace of a mechanism: reachable positions over a grid of given coordinates."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from mbdgen.errors import AssemblyError, OptionError
from mbdgen.mechanics.fixed_coordinates import held, places
from mbdgen.runtime.initialisation.assembly import positions
from mbdgen.runtime.system.model_argument import takes_model
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, FloatsLike


@dataclass(frozen=True, eq=False)
class Workspace:
    """Outputs of the model at every combination of given coordinates.

    Attributes
    ----------
    given : array, shape (n, n_given)
        Combinations of given coordinates.
    reached : array of bool, shape (n,)
        Whether the mechanism can be assembled.
    outputs : array, shape (n, n_out)
        Outputs; NaN where it cannot be assembled.
    names : tuple of str
        Names of the outputs.
    """

    given: FloatArray
    reached: NDArray[np.bool_]
    outputs: FloatArray
    names: tuple[str, ...]

    def __getitem__(self, name: str) -> FloatArray:
        """Return an output at the combinations with an assembly."""
        if name not in self.names:
            raise OptionError(
                f"There is no output '{name}'.", f"There are: {', '.join(self.names) or 'none'}."
            )
        values: FloatArray = self.outputs[self.reached, self.names.index(name)]
        return values


@takes_model
def workspace(system: System, t: float = 0.0, *, given: Mapping[str, FloatsLike]) -> Workspace:
    """Assemble a mechanism at every combination of values of some coordinates.

    Each assembly starts from the last successful one, to remain on the same branch if possible; the
    first starts from ``system.q0``.
    """
    where = places(system, given)
    copy = held(system, where)
    combinations = np.array(list(product(*given.values())), np.float64).reshape(-1, len(where))
    reached = np.zeros(len(combinations), bool)
    outputs = np.full((len(combinations), len(system.names.outputs)), np.nan)
    zero, lam, start = np.zeros(system.n_q), np.zeros(system.n_lam), system.q0.copy()
    for k, values in enumerate(combinations):
        copy.q0[:] = start
        copy.q0[where] = values
        try:
            start = positions(copy, t)
        except AssemblyError:
            continue
        reached[k] = True
        outputs[k] = list(system.named_outputs(t, start, zero, zero, lam).values())
    return Workspace(combinations, reached, outputs, system.names.outputs)
