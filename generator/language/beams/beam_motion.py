"""Initial state of a beam element: positions, slopes and velocities of its nodes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mbdgen.cubic_hermite import hermite, hermite_slope
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Defaults, Mat33, Scalar, Vec3, is_number, value_of
from mbdgen.language.expressions.small_vectors import (
    cross,
    dot,
    minus,
    normalised,
    scaled,
    snapped3,
    times_vector,
    transposed,
)

_ZERO: Vec3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class BeamEnd:
    """Initial state of a node.

    Attributes
    ----------
    position, velocity : 3 scalars
        Global.
    slopes, rates : three vectors
        Derivatives of the position with respect to the arc length and the section coordinates y, z;
        their time derivatives.
    """

    position: Vec3
    slopes: tuple[Vec3, Vec3, Vec3]
    velocity: Vec3 = _ZERO
    rates: tuple[Vec3, Vec3, Vec3] = (_ZERO, _ZERO, _ZERO)


@dataclass(frozen=True)
class BeamMotion(Motion):
    """Initial state of a beam element; `length` is the natural length.

    Attributes
    ----------
    ends : tuple of BeamEnd
        Its nodes.
    numbers : tuple of (name, scalar)
        Quantities of section and material, see `beam_numbers`.
    damped : bool
        Whether the material has a viscous law.
    rest : tuple of BeamEnd
        Its nodes in the unstrained configuration, up to a rigid motion; empty if that is straight.
    follows : {"tangent", "slopes"}
        First axis of its sections: the tangent, or the transverse slopes.
    called : str
        Name in messages: the element itself was not named by the user.
    """

    ends: tuple[BeamEnd, ...] = ()
    numbers: tuple[tuple[str, Scalar], ...] = ()
    damped: bool = False
    rest: tuple[BeamEnd, ...] = ()
    follows: str = "tangent"
    called: str = ""

    def valued(self, defaults: Defaults, what: str) -> "BeamMotion":
        """Return the same state with floats instead of expressions, for fast evaluation."""

        def vector(v: Vec3) -> Vec3:
            x, y, z = (value_of(c, defaults, what) for c in v)
            return x, y, z

        def end(e: BeamEnd) -> BeamEnd:
            along, up, out = (vector(s) for s in e.slopes)
            return replace(e, position=vector(e.position), slopes=(along, up, out))

        length = value_of(self.length, defaults, what)
        return replace(self, ends=tuple(end(e) for e in self.ends), length=length)

    def global_point(self, point: Sequence[Scalar]) -> Vec3:
        """Return the position of a point given by its arc length and its section coordinates."""
        x, y, z = point
        xi = x / self.length
        r, (ry, rz) = self._along(hermite(xi, self.length)), self._across(xi)
        return (
            r[0] + y * ry[0] + z * rz[0],
            r[1] + y * ry[1] + z * rz[1],
            r[2] + y * ry[2] + z * rz[2],
        )

    def global_direction(self, direction: Sequence[Scalar], point: Sequence[Scalar]) -> Vec3:
        """Return the global components of a vector given in the axes of a section."""
        axes = self._axes_at(point[0])
        if axes is None:
            return super().global_direction(direction, point)
        return times_vector(transposed(axes), (direction[0], direction[1], direction[2]))

    def local_direction(self, direction: Sequence[Scalar], point: Sequence[Scalar]) -> Vec3:
        """Return the components of a global unit vector in the axes of a section."""
        axes = self._axes_at(point[0])
        if axes is None:
            return super().local_direction(direction, point)
        return snapped3(times_vector(axes, (direction[0], direction[1], direction[2])), 1.0)

    def _axes_at(self, x: Scalar) -> Mat33 | None:
        """Return the section axes defined by the kind, or None for those of the body."""
        a, b = self.ends
        if a.slopes == b.slopes or (is_number(x) and x == 0):
            return None
        xi = x / self.length
        y, z = self._across(xi)
        if self.follows == "slopes":
            e2 = _direction(y)
            e3 = _direction(minus(z, scaled(dot(z, e2), e2)))
            return cross(e2, e3), e2, e3
        e1 = _direction(self._along(hermite_slope(xi, self.length)))
        first, last = a.slopes[2], b.slopes[2]
        if first == last:
            return e1, _direction(cross(first, e1)), first
        across = a.slopes[1]  # the rotation of such an element is given by its slopes alone
        e2 = _direction(minus(across, scaled(dot(across, e1), e1)))
        return e1, e2, cross(e1, e2)

    def _along(self, weights: Sequence[Scalar]) -> Vec3:
        """Interpolate the positions and slopes of the nodes (shape functions)."""
        a, b = self.ends
        vectors = (a.position, a.slopes[0], b.position, b.slopes[0])
        x, y, z = (sum(w * v[k] for w, v in zip(weights, vectors, strict=True)) for k in range(3))
        return x, y, z

    def _across(self, xi: Scalar) -> tuple[Vec3, Vec3]:
        """Return the interpolated transverse slopes."""
        pairs = zip(self.ends[0].slopes[1:], self.ends[1].slopes[1:], strict=True)
        y, z = (tuple((1 - xi) * p + xi * q for p, q in zip(*pair, strict=True)) for pair in pairs)
        return (y[0], y[1], y[2]), (z[0], z[1], z[2])


def _direction(a: Vec3) -> Vec3:
    x, y, z = normalised(a)
    return x, y, z
