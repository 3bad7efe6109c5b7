"""A force along any coordinate."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.base import Force, Push, Rate
from mbdgen.geometry.frames import Frame


@dataclass(frozen=True)
class PushAlong(Force):
    """A force along a measure or any other expression of positions and axes.

    Positive where it helps `along` to grow; a moment if that is an angle. What bodies get follows
    from virtual work.
    """

    name = "push"
    ends = ()
    measures = {"push": 1, "power": 1}
    units = {"power": "W"}

    along: Any
    force: Any = 0.0

    def pushes(self, *frames: Frame, rate: Rate) -> list[Push]:
        """State the force."""
        return [Push(self.along, self.force)]
