"""Curved midlines of beams: cubic splines through points, parametrised by their arc length."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mbdgen.errors import ModelError
from mbdgen.language.expressions.scalars import Mat33, Vec3, entries, is_number, shown, value_of
from mbdgen.language.markers.triad import COORDINATE_AXES, triad

PIECES = 64
"""Samples between two points for the integration of the arc length."""
ASIDE = 1e-3
"""Sine of the smallest admissible angle between the tangent and the transverse direction."""


@dataclass(frozen=True)
class BeamCurve:
    """A curve parametrised by its arc length.

    Attributes
    ----------
    samples : pair of arrays
        Arc lengths of sampled points, and the spline parameters there.
    position : callable
        The spline; ``position(u, 1)`` is its derivative.
    across : Vec3
        Direction to which axis y of the sections is closest, in space.
    planar : bool
        Whether the curve lies in the plane z = 0.
    """

    samples: tuple[Any, Any]
    position: Any
    across: Vec3
    planar: bool
    closed: bool = False

    @property
    def length(self) -> float:
        """Its length."""
        return float(self.samples[0][-1])

    def at(self, share: float) -> tuple[Vec3, Mat33]:
        """Return a point of the curve, its tangent, and the axes across."""
        u = np.interp(share * self.length, *self.samples)
        r, (x, y, z) = self.position(u).tolist(), self.position(u, 1).tolist()
        reference = (-y, x, 0.0) if self.planar else self.across
        e2, e3, e1 = triad((x, y, z), reference, what="direction of a beam")
        return (r[0], r[1], r[2]), (e1, e2, e3)


def curve_through(points: Any, across: Any, planar: bool, what: str) -> BeamCurve:
    """Return the cubic spline through at least three points, with chord-length parametrisation.

    Its end conditions are not-a-knot: three points lie on a parabola.
    """
    given = np.array([_numbers(p, what) for p in points])
    if planar and (across is not None or given[:, 2].any()):
        raise ModelError(
            f"{what} has elements in the plane z = 0, but is described out of it.",
            "Give points in the plane and no `across`, or a kind of element in space.",
        )
    steps = np.linalg.norm(np.diff(given, axis=0), axis=1)
    if not steps.all():
        raise ModelError(
            f"{what} goes through the same point twice in a row.", "Give points that are apart."
        )
    from scipy.interpolate import CubicSpline

    knots = np.concatenate([[0.0], np.cumsum(steps)])
    position = CubicSpline(knots, given)
    fine = np.interp(np.arange(PIECES * len(steps) + 1) / PIECES, np.arange(len(knots)), knots)
    tangents = position(fine, 1)
    reference = _reference(tangents) if across is None else _numbers(across, f"across of {what}")
    if not planar:
        _check_across(tangents, reference, what)
    return BeamCurve((_arc_lengths(position, fine), fine), position, reference, planar)


def _check_across(tangents: Any, across: Vec3, what: str) -> None:
    """Reject a transverse direction parallel to a tangent: section axes would be undefined."""
    unit = tangents / np.linalg.norm(tangents, axis=1)[:, None]
    aside = np.linalg.norm(np.cross(unit, across), axis=1) / np.linalg.norm(across)
    if aside.min() < ASIDE:
        raise ModelError(
            f"{what} comes to run along its direction `across` = {across}.",
            "Give a direction that the curve never has, such as that of its binormal.",
        )


def _arc_lengths(position: Any, fine: Any) -> Any:
    """Return the arc lengths of densely sampled points, by Simpson's rule."""
    start, end = fine[:-1], fine[1:]

    def speed(u: Any) -> Any:
        return np.linalg.norm(position(u, 1), axis=1)

    mean = (speed(start) + 4 * speed((start + end) / 2) + speed(end)) / 6
    return np.concatenate([[0.0], np.cumsum(mean * (end - start))])


def _reference(tangents: Any) -> Vec3:
    """Return the coordinate axis whose angle to all tangents is largest."""
    closest = np.abs(tangents / np.linalg.norm(tangents, axis=1)[:, None]).max(axis=0)
    return COORDINATE_AXES[int(np.argmin(closest))]


def _numbers(point: Any, what: str) -> Vec3:
    given = entries(point)
    if given is None or len(given) not in (2, 3) or not all(is_number(x) for x in given):
        raise ModelError(
            f"A curve of {what} goes through {shown(point)}.",
            "Give points of two or three numbers; parameters only move beams that are straight.",
        )
    x, y, z = [*(value_of(x, {}) for x in given), 0.0][:3]
    return x, y, z
