"""A force that travels along a flexible body: a train on a bridge."""

from dataclasses import dataclass
from typing import Any, cast

from mbdgen.forces.base import Force, FrameLoad
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.functions import Piecewise
from mbdgen.geometry.sections import Section
from mbdgen.geometry.vectors import Vec

ROUNDING = 1e-9
"""Part of an element by which a load at the very end may seem to be beyond it."""


@dataclass(frozen=True)
class MovingLoad(Force):
    """A force at a place of a beam that changes with time; its mass is not that of the beam.

    `Beam.moving_load` puts it on all elements of a beam: it acts on the one that it is over.
    """

    name = "moving_load"
    ends = ("a",)
    on_flexible = True
    out_of_plane = {"force": (2,)}

    place: Any = 0.0
    begin: Any = 0.0
    force: Any = (0.0, 0.0, 0.0)
    last: bool = False
    """Whether its end is that of the beam, so that the load is still on it there."""

    def loads(self, *frames: Frame) -> list[FrameLoad]:
        """State the force while it is over this element."""
        section = cast(Section, frames[0])
        xi = section.tape.name("passing", (self.place - self.begin) / section.body.parameter("l"))
        before = xi < 1 + ROUNDING if self.last else xi < 1
        here = Piecewise((1, (xi >= 0) & before), (0, True))
        return [FrameLoad(section.passing(xi), Vec.of(self.force) * here)]
