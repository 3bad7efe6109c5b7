"""Coordinate singularities of orientations with three parameters, refused by analyses."""

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.monitors.orientation_chart import OrientationChart, find
from mbdgen.runtime.monitors.orientation_charts import FAILED, NEAR
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

REMEDY = (
    "Turn the axes of the body by its `orientation`, or choose other coordinates: 'quaternion' "
    "never fails."
)


def failing(
    system: System, t: float, q: FloatArray, margin: float = NEAR
) -> OrientationChart | None:
    """Return a body whose orientation is as near to its coordinate singularity, if any."""
    attitudes = find(system)
    if not attitudes:
        return None
    rest = np.zeros(system.n_q)
    out = system.displacements(t, q, rest, rest)
    margins = [attitude.margin(out) for attitude in attitudes]
    worst = int(np.argmin(margins))
    return attitudes[worst] if margins[worst] < margin else None


def check_regular_orientations(system: System, t: float, q: FloatArray) -> None:
    """Reject a position at a coordinate singularity of an orientation.

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
