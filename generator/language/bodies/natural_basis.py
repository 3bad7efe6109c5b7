"""Natural coordinates: choice and validation of basic points and vectors.

A body needs two of them in the plane and four in space, the first of them a point, of which no one
follows from the others: the arms from the first point to the other points, and the vectors, must be
independent.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mbdgen.errors import ModelError
from mbdgen.language.bodies.coordinates import Coordinates
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import (
    Scalar,
    Vec3,
    entries,
    is_number,
    shown,
    space,
    value_of,
)
from mbdgen.language.expressions.small_vectors import minus, normalised
from mbdgen.language.registry import natural_kind

SMALLEST = 1e-6
"""Sine of the angle between independent arms, at least."""
RIGID_BY = ("products", "distances")
_NAME = re.compile(r"natural-(planar-)?(\d{1,2})p(?:(\d{1,2})v)?")
_AXES: tuple[Vec3, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def named_mix(name: str, what: str) -> type[Coordinates] | None:
    """Return the kind of a name such as ``natural-2p2v``; None if it is no name of that sort."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    planar, points, vectors = bool(found[1]), int(found[2]), int(found[3] or 0)
    needed = 2 if planar else 4
    if points < 1 or points > 10 or points + vectors < needed:
        where = "in the plane" if planar else "in space"
        raise ModelError(
            f"{what} asks for coordinates '{name}': a body {where} needs {needed} points and "
            "vectors, the first of them a point.",
            "Use for example natural-planar-2p, natural-1p3v, natural-2p2v or natural-4p.",
        )
    return natural_kind(points, vectors, planar)


def suited(kind: type[Coordinates], points: Any, vectors: Any) -> type[Coordinates]:
    """Return the mix of `kind` that contains the given points and vectors.

    Missing ones are vectors, which can always be added.
    """
    given = len(entries(points) or ()), len(entries(vectors) or ())
    if not any(given) or kind.name not in ("natural", "natural-1p3v"):
        return kind
    needed = 2 if kind.planar else 4
    count = max(given[0], 1)
    return natural_kind(count, max(needed - count, given[1]), kind.planar)


def with_basics(
    kind: Coordinates,
    motion: Motion,
    known: Mapping[Any, float],
    points: Any = (),
    vectors: Any = (),
    rigid_by: Any = "products",
) -> Motion:
    """Return the description with all basic points and vectors that the kind has.

    Raises
    ------
    ModelError
        If there are too many or too few, or if they depend on each other.
    """
    what = f"of body '{motion.name}'"
    if rigid_by not in RIGID_BY:
        raise ModelError(
            f"rigid_by {what} is {shown(rigid_by)}.", f"Use one of: {', '.join(RIGID_BY)}."
        )
    given_points = _listed(points, f"points {what}")
    given_vectors = [_unit(v) for v in _listed(vectors, f"vectors {what}")]
    if not kind.points:
        if given_points or given_vectors:
            raise ModelError(
                f"Body '{motion.name}' has {kind.name} coordinates, but points or vectors.",
                "Leave them away, or use coordinates='natural'.",
            )
        return motion
    chosen = given_points or _default_points(kind, motion)
    if len(chosen) != kind.points:
        raise _wrong_number(motion, kind, "points", len(chosen), kind.points)
    if len(given_vectors) > kind.vectors:
        raise _wrong_number(motion, kind, "vectors", len(given_vectors), kind.vectors)
    turned = _completed(kind, chosen, given_vectors, known, what)
    if len(turned) != kind.vectors:
        raise _wrong_number(motion, kind, "vectors", len(given_vectors), kind.vectors)
    _check_independent(kind, chosen, turned, known, motion.name)
    return replace(motion, points=tuple(chosen), vectors=tuple(turned), rigid_by=rigid_by)


def _listed(given: Any, what: str) -> list[Vec3]:
    found = entries(given)
    if found is None:
        raise ModelError(f"{what} are {shown(given)}.", "Give a list of vectors.")
    return [space(x, f"one of the {what}") for x in found]


def _unit(v: Vec3) -> Any:
    """Return a direction; what has none depends on anything, and is found later."""
    return v if all(is_number(c) and c == 0 for c in v) else normalised(v)


def _default_points(kind: Coordinates, motion: Motion) -> list[Vec3]:
    """Return the reference point and, as far as axes go, points at `length` along these."""
    along = [_scaled(axis, motion.length) for axis in _AXES[: 1 if kind.planar else 3]]
    return [(0.0, 0.0, 0.0), *along][: kind.points]


def _scaled(axis: Vec3, length: Scalar) -> Vec3:
    x, y, z = (length if c == 1.0 else 0.0 for c in axis)
    return x, y, z


def _completed(
    kind: Coordinates,
    points: Sequence[Vec3],
    vectors: Sequence[Any],
    known: Mapping[Any, float],
    what: str,
) -> list[Vec3]:
    """Add the body axes farthest from the existing directions."""
    found = list(vectors)
    while len(found) < kind.vectors and len(points) + len(found) < (2 if kind.planar else 4):
        arms = _arms(points, found, known, what)
        left = [_rest(np.array(axis, float), arms) for axis in _AXES[: 2 if kind.planar else 3]]
        found.append(_AXES[int(np.argmax(np.round(left, 9)))])
    return found


def _arms(
    points: Sequence[Vec3], vectors: Sequence[Vec3], known: Mapping[Any, float], what: str
) -> list[Any]:
    """Return numerical directions of arms and vectors."""
    arms = [minus(p, points[0]) for p in points[1:]] + list(vectors)
    numbers = [np.array([value_of(c, known, f"point {what}") for c in arm]) for arm in arms]
    return [x / max(float(np.linalg.norm(x)), 1e-300) for x in numbers]


def _rest(axis: Any, arms: Sequence[Any]) -> float:
    """Return what of a unit vector is across all arms."""
    if not arms:
        return 1.0
    left, sizes, _ = np.linalg.svd(np.column_stack(arms), full_matrices=False)
    basis = left[:, sizes > SMALLEST]
    return float(np.linalg.norm(axis - basis @ (basis.T @ axis)))


def _check_independent(
    kind: Coordinates,
    points: Sequence[Vec3],
    vectors: Sequence[Vec3],
    known: Mapping[Any, float],
    name: str,
) -> None:
    needed = 1 if kind.planar else 3
    arms = _arms(points, vectors, known, f"of body '{name}'")[:needed]
    if kind.planar and any(abs(arm[2]) > 1e-12 for arm in arms):
        raise ModelError(
            f"Body '{name}' is planar, but a point or vector of it is out of the plane.",
            "Give points and vectors with two components.",
        )
    smallest = float(np.linalg.svd(np.column_stack(arms))[1].min())
    if smallest > SMALLEST:
        return
    listed = [*(f"{block.what} {block.name}" for block in kind.blocks)][: needed + 1]
    where = "coincide" if kind.planar else "lie in one plane, on one line or together"
    raise ModelError(
        f"{', '.join(listed)} of body '{name}' do not say where it is: they {where}.",
        "Move one of them, or put a vector in its place: coordinates='natural' adds what is "
        "missing to the points that it is given.",
    )


def _wrong_number(
    motion: Motion, kind: Coordinates, what: str, given: int, wanted: int
) -> ModelError:
    return ModelError(
        f"Body '{motion.name}' has coordinates '{kind.name}' with {wanted} {what}, "
        f"but {given} are given.",
        "Give as many, or use coordinates='natural', which has what is given.",
    )
