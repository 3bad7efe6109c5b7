r"""Belt lines around pulleys: closed lines of arcs on circles and straight spans.

A span touches circles of the radii :math:`R_1, R_2` around points :math:`d` apart, with the unit
vector :math:`u` between these and :math:`Ju` to its left; it runs to the right of both centres,

.. math:: n = \frac{R_1 - R_2}{d} u - \sqrt{1 - \Bigl(\frac{R_1 - R_2}{d}\Bigr)^2}\; J u,
    \qquad p_i = r_i + R_i n,

so that a line that turns to the left, counter-clockwise, has its pulleys inside. A pulley that it
turns about to the right, from outside, has a negative radius.
"""

import math
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.language.expressions.scalars import entries, is_number, shown, space

Point = tuple[float, float]


@dataclass(frozen=True)
class LoopPiece:
    """An arc, or a straight span where `radius` is infinite.

    Attributes
    ----------
    start : pair of float
        Start point.
    angle : float
        Direction angle at the start.
    length : float
        Its length.
    radius : float
        Radius of curvature, positive for left turns.
    """

    start: Point
    angle: float
    length: float
    radius: float

    def at(self, s: float) -> tuple[Point, float]:
        """Return position and direction at an arc length."""
        (x, y), phi = self.start, self.angle
        if math.isinf(self.radius):
            return (x + s * math.cos(phi), y + s * math.sin(phi)), phi
        end, r = phi + s / self.radius, self.radius
        x += r * (math.sin(end) - math.sin(phi))
        y -= r * (math.cos(end) - math.cos(phi))
        return (x, y), end


@dataclass(frozen=True)
class Loop:
    """A closed line in the plane z = 0; create one with `loop`.

    Attributes
    ----------
    pieces : tuple of LoopPiece
        Pieces in order.
    """

    pieces: tuple[LoopPiece, ...]

    @property
    def length(self) -> float:
        """Total length."""
        return sum(piece.length for piece in self.pieces)

    def at(self, share: float) -> tuple[Point, float]:
        """Return position and direction at a fraction of the total length."""
        s = (share % 1.0) * self.length
        for piece in self.pieces[:-1]:
            if s <= piece.length:
                return piece.at(s)
            s -= piece.length
        return self.pieces[-1].at(s)


def loop(*pulleys: Any) -> Loop:
    """Return the line of a belt around pulleys, counter-clockwise: ``loop(((0, 0), 0.1), ...)``.

    Parameters
    ----------
    *pulleys : pairs of a point and a radius
        In the order in which the belt meets them. One alone gives a circle; where the belt runs
        along the outside, as on a tensioner, the radius is negative. The line begins where the belt
        leaves the first.
    """
    circles = [_circle(x, k) for k, x in enumerate(pulleys, 1)]
    if not circles:
        raise ModelError("A loop has no pulleys.", "Give loop(((x, y), radius), ...).")
    _check_apart(circles)
    (centre, r), *others = circles
    if not others:
        if r < 0:
            raise ModelError(
                f"The only pulley of a loop has the radius {r:g} m: the belt would touch it with "
                "its back all around.",
                f"Give {-r:g}; negative radii are those of tensioners, beside other pulleys.",
            )
        start = (centre[0] + r, centre[1])
        return Loop((LoopPiece(start, math.pi / 2, 2 * math.pi * r, r),))
    spans = [_span(a, b) for a, b in pairwise([*circles, circles[0]])]
    followers = zip(spans, [*others, circles[0]], [*spans[1:], spans[0]], strict=True)
    return Loop(tuple(x for a, circle, b in followers for x in (a, _arc(circle, a.angle, b))))


def _circle(given: Any, number: int) -> tuple[Point, float]:
    what = f"pulley {number} of a loop"
    pair = entries(given)
    if pair is None or len(pair) != 2:
        raise ModelError(f"{what} is {shown(given)}.", "Give its centre and its radius.")
    x, y, z = space(pair[0], f"centre of {what}")
    r = pair[1]
    finite = all(is_number(c) and math.isfinite(c) for c in (x, y, z, r))
    if not is_number(r) or not finite or z != 0 or r == 0:
        raise ModelError(
            f"{what} has the centre {shown(pair[0])} and the radius {shown(r)}.",
            "Give finite numbers in the plane z = 0, and a radius other than 0.",
        )
    return (float(x), float(y)), float(r)


def _check_apart(circles: list[tuple[Point, float]]) -> None:
    """Reject overlapping pulleys."""
    for (j, (p, ra)), (k, (q, rb)) in combinations(enumerate(circles, 1), 2):
        distance, least = math.dist(p, q), abs(ra) + abs(rb)
        if distance <= least:
            raise ModelError(
                f"Pulleys {j} and {k} of a loop overlap: with the radii {abs(ra):g} and "
                f"{abs(rb):g} m they are {distance:g} m apart.",
                f"Place them more than {least:g} m apart, or give smaller radii.",
            )


def _span(a: tuple[Point, float], b: tuple[Point, float]) -> LoopPiece:
    """Return the straight span (common tangent) from one circle to the next."""
    (p, ra), (q, rb) = a, b
    dx, dy = q[0] - p[0], q[1] - p[1]
    distance = math.hypot(dx, dy)
    turned = math.asin((rb - ra) / distance)
    angle = math.atan2(dy, dx) - turned
    nx, ny = math.sin(angle), -math.cos(angle)
    start = (p[0] + ra * nx, p[1] + ra * ny)
    return LoopPiece(start, angle, math.sqrt(distance**2 - (ra - rb) ** 2), math.inf)


def _arc(circle: tuple[Point, float], arrives: float, after: LoopPiece) -> LoopPiece:
    """Return the arc around a pulley up to the next span."""
    centre, r = circle
    turn = (after.angle - arrives) % math.tau if r > 0 else (arrives - after.angle) % math.tau
    if math.tau - turn < 1e-9:
        turn = 0.0  # zero wrap angle
    start = (centre[0] + r * math.sin(arrives), centre[1] - r * math.cos(arrives))
    return LoopPiece(start, arrives, turn * abs(r), r)
