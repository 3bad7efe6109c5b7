"""Friction along a relative coordinate, whose normal load may be the reaction of a joint."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.base import Force, Push, Rate
from mbdgen.friction_laws.base import Rubbing, friction_laws, is_bristle_law
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr


@dataclass(frozen=True)
class Friction(Force):
    r"""Coulomb's, Stribeck's and viscous friction along a coordinate x of a joint.

    .. math::
        F = -\rho N \left(\mu + (\mu_s - \mu) e^{-(\rho v/v_s)^2}\right)
            \tanh\frac{\rho v}{v_0} - c v, \qquad v = \dot x

    `along` is x, a measure of a joint, such as ``slide.displacement`` or ``pin.angle``; `load` is
    N, any expression: ``slide.load``, the reaction across the axis, or a number. For an angle
    `radius` is the radius :math:`\rho` at which the load rubs, and F is a moment; for the parameter
    of a curve it is the length per unit of the parameter. `static` is
    :math:`\mu_s`, by default the `coefficient` :math:`\mu`. Below the speed `creep`, :math:`v_0`,
    friction is proportional to the speed: what sticks creeps with a part of it. Implicit steps must
    not change a speed by much more than that, or Newton's method does not find the end of a slip.
    `law` is that of Stribeck, as above, or another of those that contacts have.

    Attributes
    ----------
    along : scalar
        Coordinate x, a measure of a joint.
    load : scalar
        Normal force N, or an expression for it such as ``slide.load``.
    coefficient : scalar
        Of motion, :math:`\mu`.
    static : scalar, optional
        Of rest, :math:`\mu_s`; the same by default.
    fade : scalar
        Speed :math:`v_s` at which Stribeck's part fades.
    creep : scalar
        Speed :math:`v_0` below which friction is proportional to it.
    viscous : scalar
        Viscous damping c.
    radius : scalar
        Lever :math:`\rho` of the load where x is an angle.
    law : str
        How the coefficient depends on the speed.
    """

    name = "friction"
    ends = ()
    choices = {"law": tuple(name for name in friction_laws() if not is_bristle_law(name))}
    positive = frozenset({"creep", "fade", "radius"})
    measures = {"push": 1, "power": 1}
    units = {"power": "W"}

    along: Any
    load: Any = 0.0
    coefficient: Any = 0.0
    static: Any = None
    fade: Any = 0.01  # v_s, where static friction has faded
    creep: Any = 1e-3  # v_0
    viscous: Any = 0.0  # c
    radius: Any = 1.0
    law: str = "stribeck"

    def defaults(self, *markers: Any) -> dict[str, Any]:
        """Take the coefficient of motion for that of rest too."""
        return {"static": self.coefficient}

    def pushes(self, *frames: Frame, rate: Rate) -> list[Push]:
        """State the law."""
        return [Push(self.along, self._force(rate(self.along)))]

    def _force(self, speed: Expr) -> Expr:
        rubbing = Rubbing(self.coefficient, self.static, self.creep, self.fade)
        ratio = friction_laws()[self.law]().coefficient(self.radius * speed, rubbing)
        return -self.radius * self.load * ratio - self.viscous * speed
