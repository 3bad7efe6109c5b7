"""Markers: points and axes fixed in a body. Joints and forces attach to markers only."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from mbdgen.errors import ModelError
from mbdgen.language.argument_words import explains_arguments
from mbdgen.language.bodies.euler_angles import euler_angles
from mbdgen.language.expressions.placeholders import Components, PlaceholderQuantity
from mbdgen.language.expressions.scalars import Mat33, Vec3

if TYPE_CHECKING:
    from mbdgen.language.bodies.body import Body


@explains_arguments
@dataclass(frozen=True)
class Marker:
    """A point and three axes fixed in a body.

    Attributes
    ----------
    body : Body
        Body in which it is fixed (may be the ground).
    point : 3 scalars
        From the body's reference point, in body axes.
    axes : three vectors
        e1, e2, e3 in body axes.
    """

    body: "Body"
    point: Vec3
    axes: Mat33 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

    @property
    def label(self) -> str:
        """A short description for messages and printed symbols."""
        inside = ", ".join(f"{c:g}" if isinstance(c, float) else str(c) for c in self.point)
        return f"{self.body.name}({inside})"

    @property
    def global_point(self) -> Vec3:
        """Initial global position."""
        return self.body.motion.global_point(self.point)

    @property
    def global_axes(self) -> Mat33:
        """Initial axes in global components."""
        turn, point = self.body.motion.global_direction, self.point
        return turn(self.axes[0], point), turn(self.axes[1], point), turn(self.axes[2], point)

    def at(self, *point: object, **axes: object) -> NoReturn:
        """Reject points relative to a marker: points are relative to the body."""
        flexible = self.body.kind is not None and self.body.kind.flexible
        raise ModelError(
            f"The marker {self.label} is a point already and has no points of its own.",
            "Use at(s, y, z) of its beam." if flexible else "Use at(x, y, z) of its body.",
        )

    def local_direction(self, direction: Vec3) -> Vec3:
        """Transform an initial direction from global axes to those that `axes` refer to."""
        return self.body.motion.local_direction(direction, self.point)

    @property
    def position(self) -> Components:
        """Global position during the motion."""
        return self._vector("r", "r", "m")

    @property
    def velocity(self) -> Components:
        """Global velocity."""
        return self._vector("v", "v", "m/s")

    @property
    def acceleration(self) -> Components:
        """Global acceleration (in outputs only: forces must not depend on it)."""
        return self._vector("acceleration", "a", "m/s2")

    @property
    def angular_velocity(self) -> Components:
        """Angular velocity in global axes, of the body or of the beam section."""
        return self._vector("w", "w", "rad/s")

    def euler(self, sequence: str) -> Components:
        """Return Euler angles of its axes (body-fixed rotations, as ``zxz``) for outputs."""
        angles = euler_angles((self.e1, self.e2, self.e3), sequence)
        return Components(iter(angles), suffixes=("1", "2", "3"), unit="rad")

    @property
    def e1(self) -> Components:
        """First axis in global components."""
        return self._vector("e1", "e1", "1")

    @property
    def e2(self) -> Components:
        """Second axis in global components."""
        return self._vector("e2", "e2", "1")

    @property
    def e3(self) -> Components:
        """Third axis in global components."""
        return self._vector("e3", "e3", "1")

    @property
    def x(self) -> Any:
        """First coordinate of the position."""
        return self._component("r", 0)

    @property
    def y(self) -> Any:
        """Second coordinate of the position."""
        return self._component("r", 1)

    @property
    def z(self) -> Any:
        """Third coordinate of the position."""
        return self._component("r", 2)

    @property
    def vx(self) -> Any:
        """First component of the velocity."""
        return self._component("v", 0)

    @property
    def vy(self) -> Any:
        """Second component of the velocity."""
        return self._component("v", 1)

    @property
    def vz(self) -> Any:
        """Third component of the velocity."""
        return self._component("v", 2)

    @property
    def ax(self) -> Any:
        """First component of the acceleration."""
        return self._component("acceleration", 0)

    @property
    def ay(self) -> Any:
        """Second component of the acceleration."""
        return self._component("acceleration", 1)

    @property
    def az(self) -> Any:
        """Third component of the acceleration."""
        return self._component("acceleration", 2)

    def _vector(self, what: str, letter: str, unit: str) -> Components:
        return self.body.model.book.vector(self, what, f"{self.label}.{letter}", unit)

    def _component(self, what: str, k: int) -> Any:
        letter = "a" if what == "acceleration" else what
        name = f"{self.label}.{letter}_{'xyz'[k]}"
        return self.body.model.book.symbol(PlaceholderQuantity(self, what, k), name)
