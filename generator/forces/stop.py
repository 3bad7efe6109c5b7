"""Stops at one or both ends of the range of a coordinate."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.base import Force, Push, Rate
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.functions import Max, rational
from mbdgen.geometry.symbolic_vectors import Expr


@dataclass(frozen=True)
class Stop(Force):
    r"""Unilateral springs and dampers that keep a coordinate x between two limits.

    .. math:: F = -k\,p^e \left(1 + d\,\dot p\right), \qquad p = \max(x - x_{max}, 0)

    and the same at the lower limit, with :math:`e = 3/2` (Hertz) or 1 by `law`. `along` is x, any
    measure: the angle of a hinge, a displacement, a distance. The elastic part is a potential; the
    damper is proportional to the pressure, so that the force is continuous at contact, and
    `damping` d, in s/m or s/rad, is :math:`3(1 - \epsilon^2)/(4 v)` for about the restitution
    :math:`\epsilon` at the impact velocity v. With the Hertz exponent the stiffness is continuous,
    too.

    Attributes
    ----------
    along : scalar
        Coordinate x, an expression of placeholders.
    lower, upper : scalar
        Its limits.
    stiffness : scalar
        Stiffness of both springs, k.
    damping : scalar
        Factor d of the damping.
    law : str
        Law of the springs: Hertz (exponent 3/2) or linear (1).
    """

    name = "stop"
    ends = ()
    positive = frozenset({"stiffness"})
    choices = {"law": ("hertz", "linear")}
    measures = {"force": 1, "energy": 1}
    units = {"energy": "J"}

    along: Any
    lower: Any = -1e300
    upper: Any = 1e300
    stiffness: Any = 1e5
    damping: Any = 0.0
    law: str = "hertz"

    def potential(self, *frames: Frame) -> Expr:
        """Energy of both springs."""
        high, low = self._depths()
        power = self._exponent() + 1
        return self.stiffness * (high**power + low**power) / power

    def pushes(self, *frames: Frame, rate: Rate) -> list[Push]:
        """Return the damping force."""
        high, low = self._depths()
        both = high ** self._exponent() + low ** self._exponent()
        return [Push(self.along, -self.stiffness * self.damping * both * rate(self.along))]

    def measure(self, name: str, *frames: Any) -> Expr:
        """Return the elastic force, positive where it pushes up, or the energy."""
        if name == "energy":
            return self.potential()
        high, low = self._depths()
        return self.stiffness * (low ** self._exponent() - high ** self._exponent())

    def _exponent(self) -> Expr:
        return rational(3, 2) if self.law == "hertz" else rational(1, 1)

    def _depths(self) -> tuple[Expr, Expr]:
        """Return the penetration beyond the upper and the lower limit."""
        return Max(self.along - self.upper, 0), Max(self.lower - self.along, 0)
