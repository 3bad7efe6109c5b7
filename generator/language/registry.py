"""The body kinds, joints, forces and outputs that there are."""

from functools import cache
from typing import Any

from mbdgen.finding import classes
from mbdgen.language.coordinates import Coordinates
from mbdgen.language.element import Element


@cache
def body_kinds() -> dict[str, type[Any]]:
    """Return the body kinds by name."""
    return classes("mbdgen.bodies", Coordinates)


@cache
def elements() -> dict[str, type[Any]]:
    """Return joints, forces and kinds of outputs by name: each is a method of `Model`."""
    folders = ("mbdgen.joints", "mbdgen.forces", "mbdgen.outputs")
    return {name: cls for folder in folders for name, cls in classes(folder, Element).items()}
