"""Positions where three numbers of an orientation fail: analyses cannot look through them there."""

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.attitude import Attitude, find
from mbdgen.runtime.attitudes import FAILED, NEAR
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.system import System

REMEDY = (
    "Turn the axes of the body by its `orientation`, or choose other coordinates: 'quaternion' "
    "never fails."
)


def failing(system: System, t: float, q: FloatArray, margin: float = NEAR) -> Attitude | None:
    """Return a body whose numbers are as near to failing as that, if there is one."""
    attitudes = find(system)
    if not attitudes:
        return None
    rest = np.zeros(system.n_q)
    out = system.displacements(t, q, rest, rest)
    margins = [attitude.margin(out) for attitude in attitudes]
    worst = int(np.argmin(margins))
    return attitudes[worst] if margins[worst] < margin else None


def require_numbers(system: System, t: float, q: FloatArray) -> None:
    """Refuse a position at which some displacements are no changes of coordinates.

    Raises
    ------
    OptionError
        Naming the body and its coordinates.
    """
    found = failing(system, t, q, FAILED)
    if found is not None:
        raise OptionError(
            f"Body '{found.name}' is in an orientation where its coordinates "
            f"'{found.body.kind}' fail.",
            REMEDY,
        )
