"""What a joint states: equations between frames that stay zero, of positions or of velocities.

To add a joint write one file in this folder with one subclass; it is found by itself and becomes a
method of `Model`. Everything else (Jacobian, velocity and acceleration levels, reactions, tangent
of the reactions) is derived from `equations` and `velocity_equations`.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frame_measures import ANGLES, UNITS, relative
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language import drawing
from mbdgen.language.drawing import Shape
from mbdgen.language.element import Element
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class Joint(Element):
    """Base of joints and drivers.

    By convention the equations are those of `b` seen from `a`, axis e3 is the joint's axis, and
    lengths are in metres so that multipliers are forces and moments. A joint with other `ends` than
    ``("a", "b")`` gets a frame for each of them. A joint that lists ``angle``, ``rate``,
    ``displacement`` or ``speed`` among its `measures` need not say how they are measured.
    """

    role = "joint"
    units = UNITS
    angles = ANGLES

    @property
    def reacts(self) -> bool:
        """Whether its reactions are those of its equations, and none is inside of a body."""
        return True

    @abstractmethod
    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the expressions that the joint keeps at zero; redundant ones are to be avoided."""

    def velocity_equations(self, *frames: Any) -> list[Expr]:
        """Return what it keeps at zero of the velocities besides: linear in `v` and `w` of frames.

        For conditions that are no rates of conditions on positions, such as rolling. Their
        reactions do no work in velocities that fulfil them; what the expressions are when nothing
        moves (a belt that runs) does.
        """
        return []

    def picture(self, *markers: Marker) -> Sequence[Shape]:
        """Draw its axis if it has one, and else the point where it joins."""
        if not self.moves or self.drives:
            return ()
        return [drawing.Axis(markers[:1]) if self.axis else drawing.DrawnJoint(markers[1:2])]

    def measure(self, name: str, *frames: Any) -> Expr:
        """Return a relative coordinate; a joint that measures something else says how."""
        return relative(name, *frames) if name in UNITS else super().measure(name, *frames)
