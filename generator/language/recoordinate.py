"""Change of coordinates of a model: every suitable body gets another body kind."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

from mbdgen.errors import OptionError
from mbdgen.language.bodies.body_builder import known_kind
from mbdgen.language.bodies.coordinates import Coordinates
from mbdgen.language.bodies.held_coordinates import translated
from mbdgen.language.bodies.natural_basis import with_basics
from mbdgen.language.bodies.sharing import leave_out_repeated
from mbdgen.language.model import JOINT_COORDINATES, Model
from mbdgen.language.registry import body_kinds


def recoordinated(model: Model, wanted: str | type[Any]) -> Model:
    """Return a copy of a model whose rigid bodies use the given coordinates.

    Spatial coordinates apply to spatial bodies, planar ones to planar bodies; natural coordinates
    apply to both. Point masses and similar bodies keep theirs.

    Raises
    ------
    OptionError
        If no body can have them.
    ModelError
        If a body has fixed coordinates without an equivalent in the new ones.
    """
    kind = chosen_kind(wanted, f"Model '{model.name}'")
    known = model.parameter_defaults
    chosen = {
        b.name: other
        for b in model.bodies.values()
        if b.kind is not None and (other := _counterpart(b.kind, kind)) is not None
    }
    if not chosen:
        raise OptionError(
            f"No body of '{model.name}' is a rigid body in space, which could have coordinates "
            f"'{kind.name}'.",
            "Leave coordinates away, or give the bodies spatial coordinates in the model.",
        )
    copied = deepcopy(model)
    for name, other in chosen.items():
        body = copied.bodies[name]
        assert body.kind is not None
        pair = body.kind, other()
        body.fixed = translated(*pair, body.fixed, name, "fixed")
        body.fixed_velocity = translated(*pair, body.fixed_velocity, name, "fixed_velocity")
        own = body.motion
        given = (own.points, own.vectors, own.rigid_by) if other.points == len(own.points) else ()
        plain = replace(own, points=(), vectors=())
        body.kind = pair[1]
        body.motion = with_basics(body.kind, plain, known, *given)
    leave_out_repeated(copied)
    return copied


def possible(model: Model) -> list[str]:
    """Names of the coordinates that `recoordinated` can give to any body of a model."""
    own = [body.kind for body in model.bodies.values() if body.kind is not None]
    able = {name: kind for name, kind in body_kinds().items() if kind.spatial or kind.points}
    return [name for name, x in able.items() if any(_counterpart(kind, x) for kind in own)]


def _counterpart(own: Coordinates, wanted: type[Coordinates]) -> type[Coordinates] | None:
    """Return the new kind of a body; None if it keeps its own."""
    if own.flexible:
        return None
    if own.spatial:
        in_space = known_kind(wanted.in_space, "A body") if wanted.in_space else wanted
        return in_space if in_space.spatial else None
    rigid_in_plane = own.planar and own.turns and not own.flexible
    return wanted if rigid_in_plane and wanted.planar and wanted.points else None


def chosen_kind(wanted: str | type[Any], what: str) -> type[Coordinates]:
    """Return the body kind of a name or class: of a rigid body in space, or natural."""
    kind = known_kind(wanted, what, JOINT_COORDINATES)
    if not kind.spatial and not kind.points:
        able = [name for name, x in body_kinds().items() if x.spatial or x.points]
        able += JOINT_COORDINATES
        raise OptionError(
            f"Coordinates '{kind.name}' are not those of a rigid body in space.",
            f"Use one of: {', '.join(able)}.",
        )
    return kind
