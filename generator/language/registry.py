"""Registry of body kinds, joints, forces and outputs."""

from functools import cache
from importlib import import_module
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.finding import by_name, classes, unfinished
from mbdgen.language.bodies.coordinates import Coordinates
from mbdgen.language.element import Element

_BODIES, _ORIENTATIONS = "mbdgen.bodies", "mbdgen.orientations"
_NATURAL = f"{_BODIES}.natural"
_ELEMENTS = ("mbdgen.joints", "mbdgen.forces", "mbdgen.outputs")


@cache
def body_kinds() -> dict[str, type[Any]]:
    """Return the body kinds by name.

    These are the kinds of the folder, the natural kinds by numbers of points and vectors, and one
    for every orientation set.
    """
    sets = classes(_ORIENTATIONS, _orientation_set())
    made = (made_of(stated, "The folder") for stated in sets.values())
    natural = import_module(_NATURAL)
    mixes = (natural.mix(*counts) for counts in natural.BASIC)
    return by_name([*classes(_BODIES, Coordinates).values(), *mixes, *made])


@cache
def beam_kinds() -> dict[str, type[Any]]:
    """Return the elements of beams by name."""
    return by_name(classes("mbdgen.beams", Coordinates).values())


def floating_kind(modes: int, planar: bool, stiffened: bool = False) -> type[Coordinates]:
    """Return the body kind of a flexible body with a given number of modes."""
    home = import_module(f"mbdgen.floating.{'plane' if planar else 'space'}")
    make = home.floating_plane if planar else home.floating_space
    kind: type[Coordinates] = make(modes, stiffened)
    return kind


def natural_kind(points: int, vectors: int, planar: bool) -> type[Coordinates]:
    """Return the body kind of a given number of basic points and vectors."""
    kind: type[Coordinates] = import_module(_NATURAL).mix(points, vectors, planar)
    return kind


def made_of(stated: type[Any], what: str) -> type[Coordinates]:
    """Return a body kind: the class itself, or made of an orientation set."""
    if issubclass(stated, Coordinates):
        return stated
    if not issubclass(stated, _orientation_set()):
        raise ModelError(
            f"{what} has coordinates of the class {stated.__name__}, which states none.",
            "Derive it from BodyKind or OrientationSet.",
        )
    kind: type[Coordinates] = import_module(f"{_BODIES}.oriented").body_kind(stated)
    return kind


def _orientation_set() -> type[Any]:
    base: type[Any] = import_module(f"{_ORIENTATIONS}.base").OrientationSet
    return base


@cache
def elements() -> dict[str, type[Any]]:
    """Return joints, forces and kinds of outputs by name: each is a method of `Model`."""
    return by_name(cls for folder in _ELEMENTS for cls in classes(folder, Element).values())


def unfinished_body_kinds() -> str:
    """Describe the incomplete body-kind classes and what they lack."""
    return " ".join(unfinished(_BODIES, Coordinates))


def unfinished_elements() -> str:
    """Describe the incomplete joint, force and output classes and what they lack."""
    return " ".join(text for folder in _ELEMENTS for text in unfinished(folder, Element))
