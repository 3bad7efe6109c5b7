"""Joint friction: friction along a relative coordinate, with a joint reaction as normal load."""

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
    `radius` is the friction radius :math:`\rho`, and F is a moment; for a curve parameter it is the
    length per unit of the parameter. `static` is :math:`\mu_s`, by default the `coefficient`
    :math:`\mu`. Below the speed `creep`, :math:`v_0`, friction is proportional to the speed:
    sticking contacts creep at a fraction of it. Implicit steps must not change a speed by much more
    than that, or Newton's method may fail at the transition from slip to stick. `law` is that of
    Stribeck, as above, or another friction law of contacts.

    Attributes
    ----------
    along : scalar
        Coordinate x, a measure of a joint.
    load : scalar
        Normal force N, or an expression for it such as ``slide.load``.
    coefficient : scalar
        Coefficient of kinetic friction, :math:`\mu`.
    static : scalar, optional
        Coefficient of static friction, :math:`\mu_s`; the same by default.
    fade : scalar
        Stribeck velocity :math:`v_s`.
    creep : scalar
        Speed :math:`v_0` below which friction is proportional to it.
    viscous : scalar
        Viscous damping c.
    radius : scalar
        Lever :math:`\rho` of the load where x is an angle.
    law : str
        Friction law.
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
    fade: Any = 0.01  # v_s, Stribeck velocity
    creep: Any = 1e-3  # v_0
    viscous: Any = 0.0  # c
    radius: Any = 1.0
    law: str = "stribeck"

    def defaults(self, *markers: Any) -> dict[str, Any]:
        """Return the kinetic coefficient as default of the static one."""
        return {"static": self.coefficient}

    def pushes(self, *frames: Frame, rate: Rate) -> list[Push]:
        """Return the generalised force."""
        return [Push(self.along, self._force(rate(self.along)))]

    def _force(self, speed: Expr) -> Expr:
        rubbing = Rubbing(self.coefficient, self.static, self.creep, self.fade)
        ratio = friction_laws()[self.law]().coefficient(self.radius * speed, rubbing)
        return -self.radius * self.load * ratio - self.viscous * speed
