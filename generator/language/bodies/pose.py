"""Inertia and initial conditions of a body: mass, inertia tensor, pose and twist."""

from collections.abc import Sequence
from dataclasses import dataclass

from mbdgen.language.bodies.orientation import Orientation
from mbdgen.language.expressions.scalars import Mat33, Scalar, Vec3, is_number
from mbdgen.language.expressions.small_vectors import cross, snapped3


@dataclass(frozen=True)
class Motion:
    """Inertia and initial state of a body, complete and validated.

    Attributes
    ----------
    name : str
        Name of the body.
    mass : scalar
        Mass.
    inertia : 3 x 3 scalars
        Inertia tensor about the centre of mass, body axes.
    principal : bool
        Whether the body axes are principal axes.
    centre_of_mass : 3 scalars
        From the reference point, body axes.
    position, velocity : 3 scalars
        Of the reference point, global axes.
    orientation : Orientation
        Body axes against global axes.
    angle : scalar or None
        Angle about z where the user gave one (it may exceed a turn).
    angular_velocity : 3 scalars
        Global axes.
    length : scalar
        Distance of the points of a natural body that are not given.
    points, vectors : tuple of 3 scalars each
        Basic points and vectors of a natural body, from the reference point in body axes.
    rigid_by : {"products", "distances"}
        Constraints that keep several points rigid: inner products of their arms from the first, or
        mutual distances.
    left_out : tuple of int
        Conditions of its own that another body keeps, see `Coordinates.conditions`.
    """

    name: str
    mass: Scalar
    inertia: Mat33
    principal: bool
    centre_of_mass: Vec3
    position: Vec3
    orientation: Orientation
    angle: Scalar | None
    velocity: Vec3
    angular_velocity: Vec3
    length: Scalar
    points: tuple[Vec3, ...] = ()
    vectors: tuple[Vec3, ...] = ()
    rigid_by: str = "products"
    left_out: tuple[int, ...] = ()

    def arm(self, point: Sequence[Scalar]) -> Vec3:
        """Return the vector from the reference point to a body point, in global axes."""
        return self.orientation.apply(point)

    def global_point(self, point: Sequence[Scalar]) -> Vec3:
        """Return the global position of a point given from the reference point."""
        a, r = self.arm(point), self.position
        return r[0] + a[0], r[1] + a[1], r[2] + a[2]

    def local_point(self, point: Sequence[Scalar]) -> Vec3:
        """Return the body components of a point given in global axes."""
        r = self.position
        x, y, z = self.orientation.inverse_apply([p - c for p, c in zip(point, r, strict=True)])
        scale = max((abs(c) for c in (*point, *r) if is_number(c)), default=0.0)
        return snapped3((x, y, z), scale)

    def global_direction(self, direction: Sequence[Scalar], point: Sequence[Scalar]) -> Vec3:
        """Return a vector that is given by its components in the axes at a point of the body."""
        return self.orientation.apply(direction)

    def local_direction(self, direction: Sequence[Scalar], point: Sequence[Scalar]) -> Vec3:
        """Return the components of a unit vector in the axes at a point of the body."""
        return snapped3(self.orientation.inverse_apply(direction), 1.0)

    def point_velocity(self, point: Sequence[Scalar]) -> Vec3:
        """Return the global velocity of a body point: ``v + omega x arm``."""
        u, v = self.arm_velocity(point), self.velocity
        return v[0] + u[0], v[1] + u[1], v[2] + u[2]

    def arm_velocity(self, arm: Sequence[Scalar]) -> Vec3:
        """Return the rate of a vector fixed in the body: ``omega x arm``."""
        return cross(self.angular_velocity, self.arm(arm))

    def plane_angle(self) -> Scalar:
        """Return the angle of the body x axis in the plane z = 0."""
        if self.angle is not None:
            return self.angle
        q0, _, _, q3 = self.orientation.q
        if is_number(q0) and is_number(q3):
            from math import atan2

            return 2 * atan2(q3, q0)
        import sympy

        return 2 * sympy.atan2(q3, q0)
