"""Checks for planar bodies: frames, gravity and loads must lie in their plane."""

import logging
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.geometry.symbolic_vectors import AXES
from mbdgen.language.attached import Attached
from mbdgen.language.expressions.scalars import is_symbolic, value_of
from mbdgen.language.markers.marker import Marker
from mbdgen.language.model import Model
from mbdgen.topology.elements import Fold

logger = logging.getLogger(__name__)
SHOWN = 3
"""Maximum number of names in a warning."""


def is_planar(marker: Marker) -> bool:
    """Return whether a marker is on a planar body, or on the ground."""
    return marker.body.kind is None or marker.body.kind.planar


def fold(marker: Marker, model: Model, in_plane: bool) -> Fold:
    """Return the structural entries of the local axes.

    The equations of a planar body do not depend on z only if each axis lies in its plane or along
    z.
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
    """Warn that gravity normal to the plane of planar bodies has no effect."""
    if model.gravity[2] == 0:
        return
    flat = [b.name for b in model.bodies.values() if b.kind is not None and b.kind.planar]
    if len(flat) == len(model.bodies):
        logger.warning(
            "Model '%s' is planar, and the component of gravity along z has no effect on it%s",
            model.name,
            _forgotten(model),
        )
    elif flat:
        more = f" and {len(flat) - SHOWN} others" if len(flat) > SHOWN else ""
        logger.warning(
            "The component of gravity along z has no effect on what stays in a plane: %s%s.",
            ", ".join(f"'{name}'" for name in flat[:SHOWN]),
            more,
        )


def _forgotten(model: Model) -> str:
    """Describe gravity if it is not set: it is zero then."""
    if any(model.gravity[:2]):
        return "."
    x, y, z = model.gravity
    return (
        f": gravity is ({x}, {y}, {z}), so nothing pulls at its bodies. Give the model "
        "gravity=(0, -9.81), or (0, 0) if there shall be none."
    )


def check_loads(model: Model) -> None:
    """Reject loads without effect on planar bodies, and warn of loads with a partial effect.

    Springs and contacts are not checked: their components out of the plane follow from their
    position, while those of a load were stated.
    """
    for attached in model.attached.values():
        if attached.element.out_of_plane and _in_plane(attached.markers[0], model):
            _check_load(attached, model)


def _check_load(attached: Attached, model: Model) -> None:
    lost, felt, body = [], False, attached.markers[0].body
    for field, across in attached.element.out_of_plane.items():
        for k, x in enumerate(getattr(attached.element, field)):
            # A parameter that is zero now may be changed later.
            felt = felt or (k not in across and (is_symbolic(x) or not _vanishes(x, model)))
            if not _vanishes(x, model):
                lost += [f"{AXES[k]} of its {field}"] * (k in across)
    if not lost:
        return
    said = f"The {' and the '.join(lost)} has no effect: '{body.name}' stays in its plane."
    if felt:
        logger.warning("Load '%s': %s", attached.name, said)
        return
    sort = "a kind of element in space" if body.kind and body.kind.flexible else "a body in space"
    raise ModelError(
        f"The {attached.element.name} '{attached.name}' does nothing. {said}",
        f"Turn it into the plane xy, or take {sort}.",
    )


def _in_plane(marker: Marker, model: Model) -> bool:
    """Return whether a marker is on a planar body, with its third axis across the plane."""
    z = value_of(marker.axes[2][2], model.parameter_defaults, "axis of a marker")
    return marker.body.kind is not None and marker.body.kind.planar and abs(z) > 1 - 1e-9


def _vanishes(x: Any, model: Model) -> bool:
    """Return whether a value is zero, at the defaults of the parameters that it depends on."""
    if not is_symbolic(x):
        return bool(x == 0)
    known = model.parameter_defaults
    return x.free_symbols <= set(known) and value_of(x, known, "component of a load") == 0
