r"""MATLAB files of results: series by name, and the tables of MUBODYNA.

``T`` (nt x 1) and ``uT`` (nt x 13 nB) have the layout of MUBODYNA: for each body its position and
Euler parameters (7 columns), then for each body its velocity and global angular velocity (6):

.. math:: \text{item } c \text{ of body } b: \quad 7 (b - 1) + c, \qquad 7 n_B + 6 (b - 1) + c

They are followed by the arrays of its post-processor, ``r, p, rd, w, wp, rdd, wd, wpd`` (nt x nB x
3 or 4), and the structure ``series`` with all series.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.runtime.results import result_series as naming
from mbdgen.runtime.results.body_series import QUANTITIES
from mbdgen.runtime.system.system_data import FloatArray

if TYPE_CHECKING:
    from mbdgen.runtime.results.body_motion import BodyMotion
    from mbdgen.runtime.results.result import Result

LONGEST = 63  # letters of a name in MATLAB
RESERVED = frozenset(
    "break case catch classdef continue else elseif end for function global if otherwise parfor "
    "persistent return spmd switch try while".split()
)


def write_matlab(result: "Result", path: Path) -> None:
    """Write a result as a ``.mat`` file of version 5."""
    from scipy.io import savemat

    everything = result.directory.everything
    values = naming.matrix(result, everything)
    names = [column.name for column in everything]
    fields = field_names(names)
    contents: dict[str, Any] = {
        "T": result.t[:, None],
        "series": dict(zip(fields, values.T[:, :, None], strict=True)),
        "fields": cells(fields),
        "names": cells(names),
        "units": cells([column.unit for column in everything]),
        "model": result.info.model,
        "method": result.info.method,
        "message": result.message,
    }
    if result.places is not None:
        bodies = result.bodies
        contents |= {"uT": state_table(bodies), "bodies": cells(bodies.names)}
        contents |= {x.name: bodies.quantity(x.name) for x in QUANTITIES}
    with path.open("wb") as file:  # scipy would add a suffix to a name
        savemat(file, contents, long_field_names=True, do_compression=True)


def state_table(bodies: "BodyMotion") -> FloatArray:
    """Return positions and Euler parameters of all bodies, then their velocities: ``uT``."""
    positions = np.concatenate([bodies.r, bodies.p], axis=2)
    velocities = np.concatenate([bodies.v, bodies.w], axis=2)
    n_t, n_b = bodies.r.shape[:2]
    parts = [positions.reshape(n_t, 7 * n_b), velocities.reshape(n_t, 6 * n_b)]
    return np.concatenate(parts, axis=1)


def cells(texts: Sequence[str]) -> Any:
    """Return a row cell array of texts."""
    row = np.empty((1, len(texts)), object)
    row[0, :] = texts
    return row


def field_names(names: Sequence[str]) -> list[str]:
    """Return unique names that are valid in MATLAB: ``tip.x`` becomes ``tip_x``.

    >>> field_names(["tip.x", "tip_x", "pin[0]", "2nd", "end"])
    ['tip_x', 'tip_x_2', 'pin_0', 'x2nd', 'x_end']
    """
    found: dict[str, None] = {}
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "x"
        plain = f"x{plain}" if plain[0].isdigit() else plain
        plain = f"x_{plain}" if plain in RESERVED else plain
        field, number = plain[:LONGEST], 1
        while field in found:
            number += 1
            end = f"_{number}"
            field = plain[: LONGEST - len(end)] + end
        found[field] = None
    return list(found)
