"""Contact kinematics and forces of two surfaces, as common subexpressions on the tape."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mbdgen.contact_laws.base import ContactLaw, Pressed, contact_laws
from mbdgen.forces.base import FrameLoad
from mbdgen.friction_laws.base import BristleLaw, FrictionLaw, Rubbing, friction_laws
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.functions import Max, Piecewise, sqrt
from mbdgen.geometry.functions import sqrt as root
from mbdgen.geometry.symbolic_vectors import Expr, Vec

NO_DEPTH = 1e-100
"""Regularisation of powers of the depth, whose derivative would be 0/0 at zero."""
NO_SLIP = 1e-9
"""Regularisation of the sliding speed, which is not differentiable at zero."""
STICKING = 4.0
"""Steps in which friction may stop slip; the effective mass of a sphere is 2/7 of its mass."""
BACK = 0.05
"""Relaxation time of bristles without contact, s."""
WITHOUT = "none"


@dataclass(frozen=True)
class Touch:
    """Contact geometry of two surfaces.

    Attributes
    ----------
    gap : expression
        Gap between the surfaces, negative for penetration.
    normal : Vec
        Unit vector from body b to body a.
    point : Vec
        Contact point.
    """

    gap: Expr
    normal: Vec
    point: Vec


class Meeting:
    """Kinematics and forces of a contact between two bodies.

    Parameters
    ----------
    contact : Contact
        Its fields are symbols.
    a, b : Frame
        Frames of the two bodies.
    *bristles : Frame
        Frames of the bristle deflections, if there are any.
    """

    def __init__(self, contact: Any, a: Frame, b: Frame, *bristles: Frame) -> None:
        self.contact, self.a, self.b, self.tape = contact, a, b, a.tape
        self.bristles = bristles

    @cached_property
    def touch(self) -> Touch:
        """Contact geometry."""
        found, tape = self.contact.touch(self.a, self.b), self.tape
        return Touch(
            tape.name("gap", found.gap),
            tape.vector("normal", found.normal),
            tape.vector("touch", found.point),
        )

    @cached_property
    def depth(self) -> Expr:
        """Penetration depth, not negative."""
        return self.tape.name("pressed", Max(-self.touch.gap, NO_DEPTH))

    @cached_property
    def relative(self) -> Vec:
        """Relative velocity at the contact point."""
        point = self.touch.point
        return self.tape.vector("relative", _velocity(self.a, point) - _velocity(self.b, point))

    @cached_property
    def speed(self) -> Expr:
        """Rate of the penetration depth."""
        return self.tape.name("speed", -self.touch.normal.dot(self.relative))

    @cached_property
    def slip(self) -> Vec:
        """Sliding velocity."""
        return self.tape.vector("slip", self.relative + self.touch.normal * self.speed)

    @cached_property
    def slip_speed(self) -> Expr:
        """Sliding speed, regularised."""
        return self.tape.name("slip_speed", sqrt(self.slip.dot(self.slip) + NO_SLIP**2))

    @cached_property
    def closed(self) -> Expr:
        """1 in contact, 0 otherwise."""
        if self.contact.events:
            return self.contact.closed
        return self.tape.name("closed", Piecewise((1, -self.touch.gap > 0), (0, True)))

    @cached_property
    def elastic(self) -> Expr:
        """The elastic force."""
        c = self.contact
        return self.tape.name("elastic", self.closed * c.stiffness * self.depth**c.exponent)

    @property
    def potential(self) -> Expr:
        """Energy of the elastic force."""
        c = self.contact
        return self.closed * c.stiffness / (c.exponent + 1) * self.depth ** (c.exponent + 1)

    @cached_property
    def resistance(self) -> Expr:
        """Dissipative force of the law, limited so that the sum does not pull."""
        c = self.contact
        approach = self.tape.name("approach", Max(c.approach, c.slow))
        pressed = Pressed(self.elastic, self.speed, approach, c.damping)
        added = self._law.resistance(pressed)
        if added == 0 or not c.clip:
            return added
        return self.tape.name("resistance", Max(added, -self.elastic))

    @cached_property
    def force(self) -> Expr:
        """The normal force."""
        return self.tape.name("force", self.elastic + self.resistance)

    @cached_property
    def friction(self) -> Vec:
        """The friction force on a."""
        c = self.contact
        if c.friction == WITHOUT:
            return Vec(0, 0, 0)
        law = self._friction_law
        if isinstance(law, BristleLaw):
            parts = zip(self.slip, self.bends, self.bend_rates, strict=True)
            pull = Vec(*(law.pull(v, rate, z, self._rubbing) for v, z, rate in parts))
            normal = self.touch.normal
            across = pull - normal * normal.dot(pull)
            return self.tape.vector("friction", across * -self.force)
        ratio = law.coefficient(self.slip_speed, self._rubbing)
        return self.tape.vector("friction", self.slip * (-ratio * self.force / self.slip_speed))

    @cached_property
    def bends(self) -> Vec:
        """Bristle deflections: states of first-order ODEs."""
        return Vec(*(frame.v[0] for frame in self.bristles))

    @cached_property
    def bend_rates(self) -> Vec:
        """Rates of the deflections, which relax without contact."""
        law, closed = self._friction_law, self.contact.closed
        assert isinstance(law, BristleLaw)
        rates = [
            closed * law.rate(v, self.slip_speed, z, self._rubbing) - (1 - closed) * z / BACK
            for v, z in zip(self.slip, self.bends, strict=True)
        ]
        return self.tape.vector("bend_rate", rates)

    @property
    def _friction_law(self) -> FrictionLaw:
        law: FrictionLaw = friction_laws()[self.contact.friction]()
        return law

    @property
    def _rubbing(self) -> Rubbing:
        c = self.contact
        bristles = c.bristle_stiffness, c.bristle_damping, c.viscous
        return Rubbing(c.coefficient, c.static, c.creep, c.fade, *bristles)

    def loads(self) -> list[FrameLoad]:
        """Dissipative force and friction on both bodies, at the contact point."""
        push, point = self.touch.normal * self.resistance + self.friction, self.touch.point
        if all(c == 0 for c in push):
            return []
        rates = self.bend_rates if self.bristles else ()
        bent = [
            FrameLoad(frame, Vec(rate, 0, 0), works=False)
            for frame, rate in zip(self.bristles, rates, strict=True)
        ]
        return [_at(self.a, point, push), _at(self.b, point, -push), *bent]

    @property
    def step(self) -> Expr:
        r"""Step size needed for an impact of this velocity.

        .. math:: T \approx 3 \delta_m/v, \qquad \delta_m^{n+1} = \frac{(n + 1) m v^2}{2 K}

        divided by `divisions`, longer where it is `calm`; limited by the time constants of the
        dissipative force, of friction, and of the bristles.
        """
        c = self.contact
        n, speed = c.exponent, Max(c.approach, c.slow)
        depth = ((n + 1) * c.mass * speed**2 / (2 * c.stiffness)) ** (1 / (n + 1))
        largest = self.tape.name("largest", Max(c.stiffness * depth**n, self.elastic))
        paces = [c.divisions * speed / (3 * depth * c.calm)]
        paces.append(self._law.resistance(Pressed(largest, 1, speed, c.damping)) / c.mass)
        if c.friction != WITHOUT:
            pressure = STICKING * Max(largest, self.force) / c.mass
            law = self._friction_law
            if isinstance(law, BristleLaw):
                paces.append(-law.rate(0, self.slip_speed, 1, self._rubbing))  # relaxation
                paces.append(pressure * (c.bristle_damping + c.viscous))
                paces.append(root(pressure * c.bristle_stiffness))  # bristles oscillate
            else:
                paces.append(pressure * Max(c.coefficient, c.static) / c.creep)
        return 1 / Max(*paces)

    @property
    def _law(self) -> ContactLaw:
        law: ContactLaw = contact_laws()[self.contact.law]()
        return law


def _at(frame: Frame, point: Vec, force: Vec) -> FrameLoad:
    """Return the load of a force at a point on the body of a frame."""
    if not frame.turns:
        return FrameLoad(frame, force)
    return FrameLoad(frame, force, (point - frame.r).cross(force))


def _velocity(frame: Frame, point: Vec) -> Vec:
    """Return the velocity of the material point of the body of a frame."""
    if not frame.turns:
        return frame.v
    return frame.v + frame.w.cross(point - frame.r)
