"""Natural coordinates: kinds by numbers of basic points and vectors; all `PointsAndVectors`.

``natural`` is two points for planar bodies and a point with three vectors for spatial ones; others
are called ``natural-2p2v`` or, in the plane, ``natural-planar-1p1v``.
"""

from functools import cache

from mbdgen.bodies.points_and_vectors import PointsAndVectors


class Natural(PointsAndVectors):
    """Points A (the body's reference point) and B (at distance `length` along its x axis)."""

    name = "natural"
    points = 2
    planar = True
    in_space = "natural-1p3v"


BASIC = ((1, 1, True), (1, 3, False), (2, 2, False), (3, 1, False), (4, 0, False))
"""Minimal mixes: points, vectors, and whether planar."""


@cache
def mix(points: int, vectors: int, planar: bool) -> type[PointsAndVectors]:
    """Return the body kind of the given numbers of points and vectors."""
    if (points, vectors, planar) == (2, 0, True):
        return Natural
    name = mix_name(points, vectors, planar)
    where = "in the plane" if planar else "in space"
    counted = _counted(points, "point") + _counted(vectors, "vector", " and ")
    return type(
        f"Natural{points}p{vectors}v",
        (PointsAndVectors,),
        {
            "__doc__": f"{counted} {where}.",
            "__module__": __name__,
            "__qualname__": f"Natural {name}",
            "name": name,
            "points": points,
            "vectors": vectors,
            "planar": planar,
        },
    )


def mix_name(points: int, vectors: int, planar: bool) -> str:
    """Return the name of a mix."""
    parts = ["natural", *(["planar"] if planar else [])]
    return "-".join([*parts, f"{points}p" + (f"{vectors}v" if vectors else "")])


def _counted(count: int, word: str, before: str = "") -> str:
    numbers = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight")
    if not count:
        return ""
    number = numbers[count] if count < len(numbers) else str(count)
    return f"{before}{number.lower() if before else number} {word}{'s' if count > 1 else ''}"
