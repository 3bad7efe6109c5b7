"""What planar bodies need: frames that lie in their plane, and gravity along it."""

import logging

from mbdgen.errors import ModelError
from mbdgen.language.marker import Marker
from mbdgen.language.model import Model
from mbdgen.language.scalars import value_of
from mbdgen.topology.elements import Fold

logger = logging.getLogger(__name__)


def is_planar(marker: Marker) -> bool:
    """Whether a marker is on a planar body, or on the ground."""
    return marker.body.kind is None or marker.body.kind.planar


def fold(marker: Marker, model: Model, in_plane: bool) -> Fold:
    """Return which entries of the local axes are structure.

    A planar body keeps z out of its equations only if each axis lies in its plane or along z.
    """
    body = marker.body
    if not (is_planar(marker) and (in_plane or body.kind is not None)):
        return ((None, None, None),) * 3
    known = model.parameter_defaults
    rows: list[tuple[float | None, ...]] = []
    for axis in marker.axes:
        x, y, z = (value_of(c, known, f"axis of a marker on '{body.name}'") for c in axis)
        if abs(z) < 1e-12:
            rows.append((None, None, 0.0))
        elif abs(x) < 1e-12 and abs(y) < 1e-12:
            rows.append((0.0, 0.0, 1.0 if z > 0 else -1.0))
        else:
            raise ModelError(
                f"An axis ({x:g}, {y:g}, {z:g}) on planar body '{body.name}' is neither in its "
                f"plane nor normal to it.",
                "Use such an axis, or coordinates='quaternion' for the planar bodies.",
            )
    return tuple(rows)


def warn_of_gravity(model: Model) -> None:
    """Say that gravity across the plane of a planar model does nothing."""
    flat = all(b.kind is not None and b.kind.planar for b in model.bodies.values())
    if flat and model.gravity[2] != 0:
        logger.warning(
            "Model '%s' is planar, and the component of gravity along z has no effect on it.",
            model.name,
        )
