r"""Contact of a beam, or a belt, with a circular pulley.

Per length of the beam, at a point r of its midline, with n from the centre to the point, t to the
left of n, and velocities relative to the centre of the pulley,

.. math::
    d = R - |r - r_0|, \qquad f_n = k d + c \dot d, \qquad
    v_t = t \cdot \dot r - \omega R, \qquad f_t = -\min(s |v_t|, \mu f_n) \operatorname{sgn} v_t,

where :math:`d > 0`, and nothing elsewhere. The pulley gets the opposite force at the
same point. Friction grows with the sliding speed up to its limit: the driven belt creeps.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.forces.base import Force, FrameLoad, Relation
from mbdgen.forces.on_plane import radius_of
from mbdgen.forces.wrapping import check_apart, warn_of_mesh
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.functions import Abs, Max, Min, Piecewise
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.language import drawing
from mbdgen.language.bodies.coordinates import Coordinates
from mbdgen.language.drawing import Shape
from mbdgen.language.expressions.scalars import is_number, shown
from mbdgen.language.markers.marker import Marker

MOST_POINTS = 64


@dataclass(frozen=True)
class BeamDisc(Force):
    r"""Contact of the midline of a beam in the plane with a disc about the point b.

    .. math::
        f_n = k d + c \dot d, \qquad |f_t| = \min(s |v_t|, \mu f_n), \qquad d = R - |r - r_b|

    Forces per length of the beam, where d is positive, integrated with `points` Gauss points on
    each element. `radius` is that of the body b, unless given here: it reaches to the midline of
    the beam. `slope` s is the friction per length and speed of sliding, `coefficient`
    :math:`\mu` its limit.

    Attributes
    ----------
    radius : scalar, optional
        Radius of the disc, R, up to the midline of the beam; that of its body by default.
    stiffness : scalar
        k per length, N/m per metre.
    damping : scalar
        c per length, N s/m per metre.
    coefficient : scalar
        Coefficient of friction, :math:`\mu`.
    slope : scalar
        Friction s per length and sliding speed, N s/m per metre.
    clip : bool
        Whether the normal force never pulls.
    points : int
        Number of Gauss points on each element.
    """

    name = "beam_disc"
    distributed = True
    positive = frozenset({"stiffness", "radius"})
    measures = {"depth": 1, "normal": 1, "friction": 1, "slip": 1}
    units = {"depth": "m", "normal": "N/m", "friction": "N/m", "slip": "m/s"}

    radius: Any = None
    stiffness: Any = 1e7
    damping: Any = 0.0
    coefficient: Any = 0.0
    slope: Any = 1e5
    clip: bool = True
    points: Any = 5.0

    def places(self, kind: Coordinates) -> int:
        """Return the number of Gauss points of an element."""
        return int(self.points)

    def acts(self, *frames: Frame) -> list[Relation]:
        """Return the condition that the point is inside the disc."""
        return [_Pressed(self, *frames).depth > 0]

    def potential(self, *frames: Frame) -> Expr:
        """Energy of the elastic force."""
        return self.stiffness * _Pressed(self, *frames).depth ** 2 / 2

    def loads(self, *frames: Frame) -> list[FrameLoad]:
        """Damping and friction, on the beam and, at the same point, on the disc."""
        a, b = frames
        at = _Pressed(self, *frames)
        push = a.tape.vector("push", at.n * at.damped + at.t * at.friction)
        return [FrameLoad(a, push), FrameLoad(b, -push, (a.r - b.r).cross(-push))]

    def measure(self, name: str, *frames: Any) -> Any:
        """Return a measure per length; zero without contact, except the depth."""
        at = _Pressed(self, *frames)
        if name == "depth":
            return at.depth
        return Piecewise((getattr(at, name), at.depth > 0), (0, True))

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the radius of the body."""
        return {"radius": radius_of(self.radius, markers[1])}

    def picture(self, *markers: Marker) -> list[Shape]:
        """Draw the disc."""
        return [drawing.Disc(markers[1:], (self.radius, 0.0))]

    def check_markers(self, what: str, *markers: Marker) -> None:
        """Reject spatial beams and invalid values."""
        kind = markers[0].body.kind
        assert kind is not None
        if not kind.planar:
            raise ModelError(
                f"{what} touches {markers[0].body.called}, which is not in the plane.",
                "Take a kind of the plane, such as 'belt'.",
            )
        p = self.points
        if not is_number(p) or p != int(p) or not 1 <= p <= MOST_POINTS:
            raise ModelError(
                f"points of {what} is {shown(p)}.", f"Give a whole number from 1 to {MOST_POINTS}."
            )
        for field in ("damping", "coefficient", "slope"):
            value = getattr(self, field)
            if is_number(value) and value < 0.0:
                raise ModelError(f"{field} of {what} is {value:g}.", "Give no negative number.")

    def check_complete(self, what: str, *markers: Marker) -> None:
        """Reject a beam initially inside the disc; warn of elements that are too long."""
        beam, centre = markers
        check_apart(what, beam, centre, self.radius, int(self.points))
        warn_of_mesh(what, beam, centre, self.radius)


class _Pressed:
    """A midline point in contact with the disc: its quantities as named subexpressions.

    Parameters
    ----------
    law : BeamDisc
        Its fields are symbols.
    a, b : Frame
        Section of the beam, centre of the disc.
    """

    def __init__(self, law: BeamDisc, a: Frame, b: Frame) -> None:
        self.law, self.a, self.b, self.tape = law, a, b, a.tape

    @cached_property
    def distance(self) -> Expr:
        """Of the point from the centre."""
        return self.tape.name("distance", (self.a.r - self.b.r).norm())

    @cached_property
    def depth(self) -> Expr:
        """Penetration depth, negative outside."""
        return self.tape.name("depth", self.law.radius - self.distance)

    @cached_property
    def n(self) -> Vec:
        """Outward."""
        return self.tape.vector("n", (self.a.r - self.b.r) / self.distance)

    @property
    def t(self) -> Vec:
        """Tangent to the left of n: surface direction of counter-clockwise rotation."""
        return Vec(-self.n[1], self.n[0], 0)

    @cached_property
    def relative(self) -> Vec:
        """Velocity relative to the centre."""
        return self.a.v - self.b.v

    @cached_property
    def damped(self) -> Expr:
        """Damping part of the normal force."""
        rate = -self.n.dot(self.relative)
        more, law = self.law.damping * rate, self.law
        if law.clip:
            elastic = law.stiffness * self.depth
            more = Max(-elastic, Min(elastic, more))
        return self.tape.name("damped", more)

    @cached_property
    def normal(self) -> Expr:
        """Normal force per length."""
        return self.tape.name("normal", self.law.stiffness * self.depth + self.damped)

    @cached_property
    def slip(self) -> Expr:
        """Sliding velocity."""
        rate = self.t.dot(self.relative) - self.b.w[2] * self.law.radius
        return self.tape.name("slip", rate)

    @cached_property
    def friction(self) -> Expr:
        """Friction per length, on the beam."""
        law = self.law
        limit = self.tape.name("limit", law.coefficient * Abs(self.normal))
        return self.tape.name("friction", -Max(-limit, Min(limit, law.slope * self.slip)))
