"""Identifiers of elements in the model file, from their numbers in the input files."""

from mbdgen.mubodyna.folder import Folder
from mbdgen.mubodyna.write.call_text import CallGroup, call, named


def body(number: int) -> str:
    """Return the variable of a body; 0 is the ground."""
    return f"body{number}" if number else "m.ground"


def point(folder: Folder, number: int, axis: str | CallGroup | None = None) -> CallGroup:
    """Return the marker of a point, optionally with an axis."""
    of = body(folder.points[number - 1].get("Bindex", 0))
    words = () if axis is None else (named("axis", axis),)
    return call(f"{of}.at", f"*P{number}", *words)


def vector_of(folder: Folder, number: int) -> tuple[int, str]:
    """Return body and name of a type-1 vector."""
    return folder.vectors1[number - 1].get("Bindex", 0), f"V{number}"


def tail_and_head(folder: Folder, number: int) -> tuple[int, int]:
    """Return the points of a type-2 vector."""
    vector = folder.vectors2[number - 1]
    return vector.get("iPindex"), vector.get("jPindex")
