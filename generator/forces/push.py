"""Generalised force along any coordinate."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.base import Force, Push, Rate
from mbdgen.geometry.frames import Frame


@dataclass(frozen=True)
class PushAlong(Force):
    r"""A force along a measure or any other expression of positions and axes.

    .. math:: \delta W = F(t, q, v)\, \delta x

    Positive in the growing direction of `along`; a moment if that is an angle. The loads on bodies
    follow from virtual work.

    Attributes
    ----------
    along : scalar
        Coordinate x, an expression of placeholders.
    force : scalar
        Force F, or moment, an expression of time, parameters and placeholders.
    """

    name = "push"
    ends = ()
    measures = {"push": 1, "power": 1}
    units = {"power": "W"}

    along: Any
    force: Any = 0.0

    def pushes(self, *frames: Frame, rate: Rate) -> list[Push]:
        """Return the force."""
        return [Push(self.along, self.force)]
