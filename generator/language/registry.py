"""The body kinds, joints, forces and outputs that there are."""

from functools import cache
from typing import Any

from mbdgen.finding import by_name, classes, unfinished
from mbdgen.language.coordinates import Coordinates
from mbdgen.language.element import Element

_BODIES = "mbdgen.bodies"
_ELEMENTS = ("mbdgen.joints", "mbdgen.forces", "mbdgen.outputs")


@cache
def body_kinds() -> dict[str, type[Any]]:
    """Return the body kinds by name."""
    return classes(_BODIES, Coordinates)


@cache
def elements() -> dict[str, type[Any]]:
    """Return joints, forces and kinds of outputs by name: each is a method of `Model`."""
    return by_name(cls for folder in _ELEMENTS for cls in classes(folder, Element).values())


def unfinished_body_kinds() -> str:
    """Say which classes would be body kinds if they lacked nothing."""
    return " ".join(unfinished(_BODIES, Coordinates))


def unfinished_elements() -> str:
    """Say which classes would be joints, forces or outputs if they lacked nothing."""
    return " ".join(text for folder in _ELEMENTS for text in unfinished(folder, Element))
