"""Joints: side j is the first end, so that side i moves relative to it."""

from collections.abc import Callable

from mbdgen.mubodyna.folder import Folder
from mbdgen.mubodyna.input_checks import kind_of
from mbdgen.mubodyna.items import Item
from mbdgen.mubodyna.write.body_text import axes_of
from mbdgen.mubodyna.write.call_text import CallGroup, call, named
from mbdgen.mubodyna.write.element_identifiers import body, point, tail_and_head, vector_of
from mbdgen.mubodyna.write.number_text import number, vector

_GRIPS = {"xyz": "full", "nz": "sideways", "tz": "forward", "z": "none"}
_REST = (0.0, 0.0, 0.0)
_PARALLEL = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def joints(folder: Folder) -> list[tuple[CallGroup, str]]:
    """Return a call for each joint, and its comment."""
    return [(_BY_TYPE[kind_of(j)](folder, j), j.note) for j in folder.joints]


def _call(j: Item, method: str, *parts: str | CallGroup) -> CallGroup:
    return call(f"m.{method}", f'"J{j.number}"', *parts)


def _spherical(folder: Folder, j: Item) -> CallGroup:
    ends = (point(folder, j.get("jPindex")), point(folder, j.get("iPindex")))
    return _call(j, "spherical", *ends)


def _revolute(folder: Folder, j: Item) -> CallGroup:
    return _call(j, "revolute", *_ends(folder, j, j.get("iPindex"), j.get("jPindex")))


def _cylindrical(folder: Folder, j: Item) -> CallGroup:
    return _call(j, "cylindrical", *_ends(folder, j, *tail_and_head(folder, j.get("V2index"))))


def _ends(folder: Folder, j: Item, i_point: int, j_point: int) -> tuple[CallGroup, CallGroup]:
    """Return both ends with their axes."""
    i_axis, j_axis = (f"V{j.get(name)}" for name in ("iVindex_a", "jVindex_a"))
    return point(folder, j_point, j_axis), point(folder, i_point, i_axis)


def _prismatic(folder: Folder, j: Item) -> CallGroup:
    r"""Axes of j, and of i rotated by ``Ac.T``: the relative orientation is kept."""
    tail, head = tail_and_head(folder, j.get("V2index"))
    turn = j.get("Ac", _PARALLEL)
    axis = folder.vectors1[j.get("jVindex_a") - 1].get("sp", _REST)
    across = min(_PARALLEL, key=lambda e: abs(sum(a * b for a, b in zip(e, axis, strict=True))))
    ends = []
    for number_of, frame in ((head, _PARALLEL), (tail, turn)):
        at = point(folder, number_of)
        words = [("axis", axis), ("reference", across)]
        turned = (named(word, vector(_back(frame, x))) for word, x in words)
        ends.append(CallGroup(at.opening, (*at.parts, *turned)))
    return _call(j, "prismatic", *ends)


def _back(rows: tuple[tuple[float, ...], ...], x: tuple[float, ...]) -> list[float]:
    """Return ``rows.T x`` with round-off about zero removed."""
    found = [sum(rows[k][i] * x[k] for k in range(3)) for i in range(3)]
    return [0.0 if abs(c) < 1e-15 else c for c in found]


def _relative_angle(folder: Folder, j: Item) -> CallGroup:
    return _call(j, "relative_angle", *_relative(folder, j))


def _relative_translation(folder: Folder, j: Item) -> CallGroup:
    return _call(j, "relative_translation", *_relative(folder, j))


def _relative(folder: Folder, j: Item) -> list[str | CallGroup]:
    parts: list[str | CallGroup] = [body(j.get("jBindex", 0)), body(j.get("iBindex"))]
    parts.append(named("axis", _global_axis(folder, j.get("jVindex_a"))))
    if "iFunct" in j.values:
        parts.append(f"function=C{j.get('iFunct')}(m.t)")
    return parts


def _global_axis(folder: Folder, number_of: int) -> str | CallGroup:
    """Return a vector in global axes of the initial position."""
    of, name = vector_of(folder, number_of)
    rows = _PARALLEL if of == 0 else axes_of(folder.bodies[of - 1])
    if rows == _PARALLEL:
        return name
    x = folder.vectors1[number_of - 1].get("sp", _REST)
    found = [sum(a * b for a, b in zip(row, x, strict=True)) for row in rows]
    return vector([0.0 if abs(c) < 1e-15 else c for c in found])


def _fixed(folder: Folder, j: Item) -> CallGroup:
    b = j.get("iBindex")
    place = folder.bodies[b - 1].get("r", _REST)
    words = [named("at", vector(place))] if any(place) else []
    return _call(j, "fixed", "m.ground", body(b), *words)


def _disc(folder: Folder, j: Item) -> CallGroup:
    ends = ("m.ground.at(axis=(0, 0, 1))", f"{body(j.get('iBindex'))}.at(axis=(0, 1, 0))")
    words = [named("radius", number(j.get("R")))]
    if j.get("disk") != "xyz":
        words.append(f'grip="{_GRIPS[j.get("disk")]}"')
    return _call(j, "rolling_disc", *ends, *words)


_BY_TYPE: dict[str, Callable[[Folder, Item], CallGroup]] = {
    "sph": _spherical,
    "rev": _revolute,
    "cyl": _cylindrical,
    "tran": _prismatic,
    "rel-rot": _relative_angle,
    "rel-tran": _relative_translation,
    "fix": _fixed,
    "disk": _disc,
}
