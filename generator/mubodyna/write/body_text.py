"""Bodies, with points and vectors as tuples of components in body axes."""

import math
from collections.abc import Sequence

from mbdgen.mubodyna.folder import Folder
from mbdgen.mubodyna.items import Item
from mbdgen.mubodyna.places import fault
from mbdgen.mubodyna.write.call_text import CallGroup, assigned, call, named
from mbdgen.mubodyna.write.element_identifiers import body
from mbdgen.mubodyna.write.number_text import matrix, number, vector

_REST = (0.0, 0.0, 0.0)
_PARALLEL = (1.0, 0.0, 0.0, 0.0)
_DIGITS = 6
"""Decimals of an angle in degrees that replaces four Euler parameters."""


def bodies(folder: Folder) -> list[tuple[CallGroup, str]]:
    """Return an assignment for each body, and its comment."""
    return [(assigned(body(b.number), _body(b)), b.note) for b in folder.bodies]


def _body(b: Item) -> CallGroup:
    name = body(b.number)
    mass = b.get("mass", 1.0)
    if not mass > 0:
        raise fault(b.where("mass"), f"the mass of body {b.number} is {mass:g}.", "Give kilograms.")
    inertia = b.get("Jp", ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    words: list[str | CallGroup] = []
    if any(b.get("r", _REST)):
        words.append(named("position", vector(b.get("r"))))
    if b.get("p", _PARALLEL) != _PARALLEL:
        words.append(named("orientation", orientation(b)))
    if any(b.get("r_dot", _REST)):
        words.append(named("velocity", vector(b.get("r_dot"))))
    if any(b.get("w", _REST)):
        words.append(named("angular_velocity", vector(b.get("w"))))
    elif any(b.get("wp", _REST)):
        words.append(named("angular_velocity", vector(b.get("wp"))))
        words.append('angular_velocity_axes="body"')
    for field, word in (("radius", "radius"), ("modulus", "young"), ("poisson", "poisson")):
        if b.get(field, 0.0):
            words.append(named(word, number(b.get(field))))
    if "color" in b.values:
        words.append(f"color={_quoted(b.get('color'))}")
    if _is_unphysical(inertia):
        words.append("allow_unphysical_inertia=True")
    return call("m.body", _quoted(name), number(mass), _inertia(inertia), *words)


def _inertia(rows: Sequence[Sequence[float]]) -> CallGroup:
    off = [rows[i][j] for i in range(3) for j in range(3) if i != j]
    return matrix(rows) if any(off) else vector([rows[k][k] for k in range(3)])


def _is_unphysical(rows: Sequence[Sequence[float]]) -> bool:
    """Whether a principal moment of inertia exceeds the sum of the others, which is impossible."""
    import numpy as np

    low, middle, high = np.linalg.eigvalsh(np.array(rows))
    return bool(high > (low + middle) * (1 + 1e-9))


def orientation(b: Item) -> CallGroup:
    """Return Euler parameters as axis and angle if these are short numbers."""
    e0, *e = b.get("p")
    length = math.hypot(*e)
    if abs(math.hypot(e0, length) - 1.0) > 1e-3:
        raise fault(
            b.where("p"),
            f"the Euler parameters of body {b.number} have the norm {math.hypot(e0, length):g}.",
            "The sum of their squares must be 1.",
        )
    if not length:
        return call("quaternion", *vector(b.get("p")).parts)
    degrees = math.degrees(2 * math.atan2(length, e0))
    if abs(degrees - round(degrees, _DIGITS)) > 1e-11 * 360:
        return call("quaternion", *vector(b.get("p")).parts)
    axis = [_cleaned(x / length) for x in e]
    angle = call("radians", number(round(degrees, _DIGITS)))
    return call("axis_angle", vector(axis), angle)


def axes_of(b: Item) -> tuple[tuple[float, float, float], ...]:
    """Return the rows of the rotation matrix from body to global axes."""
    q = b.get("p", _PARALLEL)
    length = math.hypot(*q)
    e0, e1, e2, e3 = (x / length for x in q)
    return (
        (1 - 2 * (e2**2 + e3**2), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)),
        (2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1**2 + e3**2), 2 * (e2 * e3 - e0 * e1)),
        (2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1**2 + e2**2)),
    )


def places(folder: Folder) -> list[tuple[str, str]]:
    """Return points and type-1 vectors, each with its body."""
    found = []
    for letter, field, listed in (("P", "sPp", folder.points), ("V", "sp", folder.vectors1)):
        for x in listed:
            of = body(x.get("Bindex", 0)).removeprefix("m.")
            note = f"{of}: {x.note}" if x.note else of
            found.append((f"{letter}{x.number} = {vector(x.get(field, _REST)).line}", note))
    return found


def _cleaned(x: float) -> float:
    """Return a component of an axis without the round-off of its normalisation."""
    return round(x) if abs(x - round(x)) < 1e-15 else x


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
