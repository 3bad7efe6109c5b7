"""Shared geometry of two bodies at a joint: points, slopes and vectors."""

from collections.abc import Iterator
from dataclasses import dataclass

from mbdgen.language.bodies.coordinates import CoordinateBlock, initial_of
from mbdgen.language.bodies.sharing import Shared
from mbdgen.language.expressions.scalars import value_of
from mbdgen.language.markers.marker import Marker

SLOPES = ("rx", "ry", "rz")
"""Derivatives of the position along the beam, and along the two axes of its section."""

CLOSE = 1e-9
"""Tolerance relative to the size of a position or vector."""

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class _There:
    """Block of coordinates of a body with its initial values, and whether it is a position."""

    block: CoordinateBlock
    numbers: Numbers
    here: bool


def slopes_of(marker: Marker) -> tuple[str, ...]:
    """Return the slopes that sections of a body have, such as ``rx`` and ``ry``."""
    kind = marker.body.kind
    blocks = kind.blocks if kind is not None and kind.flexible else ()
    names = dict.fromkeys(_plain(block) for block in blocks if block.what == "slope")
    return tuple(name for name in names if name in SLOPES)


def slope_along(marker: Marker) -> str:
    """Return the slope of a section that the axis e3 of a marker is along; or nothing.

    That along the beam is one only if it has no others: sections shear against it. In the plane,
    where any slope turns with the section, the last one stands for all directions but the normal.
    """
    names, known = slopes_of(marker), marker.body.model.parameter_defaults
    axis = [abs(value_of(c, known, f"axis on '{marker.body.name}'")) for c in marker.axes[2]]
    assert marker.body.kind is not None
    if marker.body.kind.planar:
        return "" if axis[2] > 1 - CLOSE else names[-1]
    across = [name for name in names if name != "rx"] or names
    return next((name for name in across if axis[SLOPES.index(name)] > 1 - CLOSE), "")


def turn_in_plane(*markers: Marker) -> bool:
    """Whether the axes of all are normal to a plane that they do not leave."""
    for marker in markers:
        kind, known = marker.body.kind, marker.body.model.parameter_defaults
        z = value_of(marker.axes[2][2], known, f"axis on '{marker.body.name}'")
        if (kind is not None and not kind.planar) or abs(z) < 1 - CLOSE:
            return False
    return True


def common_point(a: Marker, b: Marker) -> Shared | None:
    """Return the point that both bodies have where they meet, if it is one of their blocks."""
    ends = [
        next((x.block for x in _blocks(m) if x.block.what == "point" and x.here), None)
        for m in (a, b)
    ]
    first, second = ends
    if first is None or second is None or first.size != second.size:
        return None
    return Shared((a.body.name, first.name), (b.body.name, second.name))


def common_vector(section: Marker, slope: str, other: Marker) -> Shared | None:
    """Return the vector of the other body that is the same as a slope of a node."""
    mine = next((x for x in _blocks(section) if x.here and _plain(x.block) == slope), None)
    if mine is None:
        return None
    for x in _blocks(other):
        if x.block.what in ("vector", "slope") and x.here and _same(x.numbers, mine.numbers):
            return Shared((other.body.name, x.block.name), (section.body.name, mine.block.name))
    return None


def _plain(block: CoordinateBlock) -> str:
    """Return the name of a block of an element without the number of its node."""
    return block.name.rstrip("0123456789")


def _blocks(marker: Marker) -> Iterator[_There]:
    """Yield the blocks of a body; those of flexible bodies belong to the node before them."""
    body, known = marker.body, marker.body.model.parameter_defaults
    if body.kind is None:
        return
    where = [value_of(c, known, f"marker on '{body.name}'") for c in marker.global_point]
    q, _ = initial_of(body.kind, body.motion)
    at, first = not body.kind.flexible, 0
    for block in body.kind.blocks:
        values = q[first : first + block.size]
        numbers = tuple(value_of(x, known, f"{block.name} of '{body.name}'") for x in values)
        first += block.size
        here = at
        if block.what == "point":
            here = _same(numbers, tuple(where[: block.size]))
            at = here if body.kind.flexible else at
        yield _There(block, numbers, here)


def _same(x: Numbers, y: Numbers) -> bool:
    size = CLOSE * max(1.0, *map(abs, x), *map(abs, y))
    return len(x) == len(y) and all(abs(a - b) <= size for a, b in zip(x, y, strict=True))
