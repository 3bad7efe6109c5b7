"""Moving load: a force travelling along a flexible body, such as a train on a bridge."""

from dataclasses import dataclass
from typing import Any, cast

from mbdgen.forces.base import Force, FrameLoad, Relation
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Vec


@dataclass(frozen=True)
class MovingLoad(Force):
    r"""A force at a point moving along a beam; its own mass is not part of that of the beam.

    .. math:: \delta W = F \cdot \delta r(s(t)) \quad \text{for } s_1 \le s(t) < s_2

    `Beam.moving_load` attaches it to all elements of a beam: it acts on the one whose interval from
    `begin` to `end` contains it.

    Attributes
    ----------
    place : scalar
        Arc length s along the beam, an expression of time.
    begin, end : scalar
        Arc lengths of the ends of the element.
    force : 3 scalars
        Its components F, in global axes.
    """

    name = "moving_load"
    applied = ("force",)
    ends = ("a",)
    on_flexible = True
    out_of_plane = {"force": (2,)}

    place: Any = 0.0
    begin: Any = 0.0
    end: Any = 0.0
    force: Any = (0.0, 0.0, 0.0)

    def acts(self, *frames: Frame) -> list[Relation]:
        """Return the condition that it is on this element."""
        return [self.place >= self.begin, self.place < self.end]

    def loads(self, *frames: Frame) -> list[FrameLoad]:
        """Return the force at its current section."""
        section = cast(Section, frames[0])
        xi = section.tape.name("passing", (self.place - self.begin) / section.body.parameter("l"))
        return [FrameLoad(section.passing(xi), Vec.of(self.force))]
