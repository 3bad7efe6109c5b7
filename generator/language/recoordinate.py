"""The same model in other coordinates: every spatial rigid body gets another kind."""

from copy import deepcopy
from typing import Any

from mbdgen.errors import ModelError, OptionError
from mbdgen.language.coordinates import Coordinates
from mbdgen.language.describe import known_kind
from mbdgen.language.model import JOINT_COORDINATES, Model
from mbdgen.language.registry import body_kinds


def recoordinated(model: Model, wanted: str | type[Any]) -> Model:
    """Return a copy of a model whose rigid bodies in space have those coordinates.

    Planar bodies, point masses and whatever else is no rigid body in space keep theirs.

    Raises
    ------
    OptionError
        If no body can have them.
    ModelError
        If a body fixes a coordinate that it loses.
    """
    kind = chosen_kind(wanted, f"Model '{model.name}'")
    names = [b.name for b in model.bodies.values() if b.kind is not None and b.kind.spatial]
    if not names:
        raise OptionError(
            f"No body of '{model.name}' is a rigid body in space, which could have coordinates "
            f"'{kind.name}'.",
            "Leave coordinates away, or give the bodies spatial coordinates in the model.",
        )
    copied = deepcopy(model)
    for name in names:
        body = copied.bodies[name]
        lost = sorted((body.fixed | body.fixed_velocity) - set(kind.coordinates))
        if lost:
            raise ModelError(
                f"Body '{name}' fixes {', '.join(lost)}, which coordinates '{kind.name}' have not.",
                f"They have: {', '.join(kind.coordinates)}.",
            )
        body.kind = kind()
    return copied


def chosen_kind(wanted: str | type[Any], what: str) -> type[Coordinates]:
    """Return the body kind of a name or class, which must be one of a rigid body in space."""
    kind = known_kind(wanted, what, JOINT_COORDINATES)
    if not kind.spatial:
        spatial = [name for name, known in body_kinds().items() if known.spatial]
        able = ", ".join((*spatial, *JOINT_COORDINATES))
        raise OptionError(
            f"Coordinates '{kind.name}' are not those of a rigid body in space.",
            f"Use one of: {able}.",
        )
    return kind
