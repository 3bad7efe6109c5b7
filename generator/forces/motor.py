"""Motor: a torque between two bodies."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.base import Force, FrameLoad
from mbdgen.geometry.frame_measures import angle_rate
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr


@dataclass(frozen=True)
class Motor(Force):
    r"""A torque about axis e3 of a, acting on b and, reversed, on a.

    .. math:: \delta W = M(t, q, v)\, a_3 \cdot (\delta \theta_b - \delta \theta_a)

    Attributes
    ----------
    torque : scalar
        Torque M, an expression of time, parameters and placeholders.
    """

    name = "motor"
    axis = True
    measures = {"power": 1}
    units = {"power": "W"}

    torque: Any = 0.0

    def loads(self, *frames: Frame) -> list[FrameLoad]:
        """Return the pair of opposite torques."""
        a, b = frames
        torque = a.e3 * self.torque
        return [FrameLoad(a, torque=-torque), FrameLoad(b, torque=torque)]

    def measure(self, name: str, *frames: Any) -> Expr:
        """Return the delivered power."""
        a, b = frames
        return self.torque * angle_rate(a, b)
