"""The same model in other coordinates: every spatial rigid body gets another kind."""

import logging
from copy import deepcopy

from mbdgen.errors import ModelError, OptionError
from mbdgen.language.coordinates import Coordinates
from mbdgen.language.describe import known_kind
from mbdgen.language.model import Model
from mbdgen.language.registry import body_kinds

LOG = logging.getLogger("mbdgen.language.recoordinate")

AUTO = "auto"
BEST = "quaternion"
"""What `AUTO` stands for: no orientation is singular, nothing is switched, and no set is faster."""


def recoordinated(model: Model, wanted: str) -> Model:
    """Return a copy of a model whose spatial rigid bodies have the coordinates of that name.

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
    if wanted == AUTO:
        LOG.info("%s: coordinates %s for %s", model.name, kind.name, ", ".join(names))
    return copied


def chosen_kind(wanted: str, what: str) -> type[Coordinates]:
    """Return the body kind of a name, which must be one of a rigid body in space."""
    kind = known_kind(BEST if wanted == AUTO else wanted, what)
    if not kind.spatial:
        able = ", ".join(name for name, known in body_kinds().items() if known.spatial)
        raise OptionError(
            f"Coordinates '{wanted}' are not those of a rigid body in space.",
            f"Use {AUTO} or one of: {able}.",
        )
    return kind
