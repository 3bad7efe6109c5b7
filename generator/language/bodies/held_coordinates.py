"""Fixed coordinates and velocities of consistent initialisation (assembly), by name.

``position`` and ``orientation`` of a body, ``velocity`` and ``angular_velocity``: the same words
with which initial values are given. They mean the same in all coordinates, as ``"all"`` does.
"""

from typing import Any

from mbdgen.errors import ModelError
from mbdgen.language.bodies.coordinates import Coordinates
from mbdgen.language.expressions.scalars import entries, shown

POSITION, ORIENTATION = "position", "orientation"
VELOCITY, ANGULAR_VELOCITY = "velocity", "angular_velocity"
WORDS = {"fixed": (POSITION, ORIENTATION), "fixed_velocity": (VELOCITY, ANGULAR_VELOCITY)}


def position_of(kind: Coordinates) -> frozenset[str]:
    """Return the coordinates that are the position of a body; none if there are no such."""
    return frozenset(kind.coordinates[k] for k in kind.position)


def orientation_of(kind: Coordinates) -> frozenset[str]:
    """Return the coordinates that are the orientation of a rigid body; none if others are, too."""
    if not kind.turns or kind.points or kind.flexible or not kind.position:
        return frozenset()
    return frozenset(kind.coordinates) - position_of(kind)


def kept(kind: Coordinates, given: Any, name: str, option: str) -> frozenset[str]:
    """Return the fixed coordinates, by coordinate names if possible, otherwise by keywords.

    Parameters
    ----------
    given : names, or "all"
        The user's value of the `option` of the body `name`.
    """
    wanted = [given] if isinstance(given, str) else entries(given)
    if wanted is None and isinstance(given, set | frozenset):
        wanted = sorted(given, key=str)
    words = WORDS[option]
    if wanted is None:
        raise ModelError(
            f"{option}={shown(given)} of body '{name}' is not a list of coordinates.",
            f"Use 'all' or some of: {', '.join((*words, *kind.coordinates))}.",
        )
    if "all" in wanted:
        return frozenset(kind.coordinates)
    found: set[str] = set()
    for x in wanted:
        found |= _meant(kind, x, name, option)
    return frozenset(found)


def _meant(kind: Coordinates, word: Any, name: str, option: str) -> frozenset[str]:
    words = WORDS[option]
    if word in kind.coordinates:
        return frozenset([word])
    if word not in words:
        raise ModelError(
            f"Body '{name}' has no coordinate {word!r} to fix.",
            f"Its coordinates are: {', '.join(kind.coordinates)}. '{words[0]}' and '{words[1]}' "
            "stand for several.",
        )
    which = words.index(word)
    own = (position_of, orientation_of)[which](kind)
    able = kind.is_body and not kind.flexible and (which == 0 or kind.turns)
    if not own and not (able and option == "fixed_velocity"):
        raise ModelError(
            f"Body '{name}' has no coordinates '{kind.name}' that are its {word}.",
            f"Name some of: {', '.join(kind.coordinates)}; or say 'all'.",
        )
    return own or frozenset([word])


def translated(
    own: Coordinates, other: Coordinates, given: frozenset[str], name: str, option: str
) -> frozenset[str]:
    """Return the fixed coordinates of a body after a change of coordinates.

    Raises
    ------
    ModelError
        If the other coordinates cannot say it.
    """
    if set(own.coordinates) <= given:
        return frozenset(other.coordinates)
    found: set[str] = set()
    left = set(given)
    for word, part in zip(WORDS[option], (position_of(own), orientation_of(own)), strict=True):
        if word in left or (part and part <= left):
            found |= _meant(other, word, name, option)
            left -= part | {word}
    lost = sorted(left - set(other.coordinates))
    if lost:
        raise ModelError(
            f"Body '{name}' fixes {', '.join(lost)}, which coordinates '{other.name}' have not.",
            f"They have: {', '.join(other.coordinates)}; {' and '.join(WORDS[option])} are known "
            "to all.",
        )
    return frozenset(found | left)
