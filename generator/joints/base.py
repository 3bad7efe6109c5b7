"""Joints: base class; holonomic and nonholonomic constraint equations between frames.

To add a joint write one file in this folder with one subclass; it is discovered automatically and
becomes a method of `Model`. Everything else (constraint Jacobian, velocity and acceleration levels,
reactions from Lagrange multipliers, tangent of the reactions) is derived from `equations` and
`velocity_equations`.
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

    By convention the equations describe `b` relative to `a`, axis e3 is the joint axis, and lengths
    are in metres so that Lagrange multipliers are forces and moments. A joint with other `ends`
    than ``("a", "b")`` gets a frame for each of them. A joint that lists ``angle``, ``rate``,
    ``displacement`` or ``speed`` among its `measures` need not define them.
    """

    role = "joint"
    units = UNITS
    angles = ANGLES

    @property
    def reacts(self) -> bool:
        """Whether its reactions are those of its equations, none being internal to a body."""
        return True

    @abstractmethod
    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the holonomic constraint equations (residuals); avoid redundant constraints."""

    def velocity_equations(self, *frames: Any) -> list[Expr]:
        """Return the nonholonomic constraint equations: linear in `v` and `w` of frames.

        For nonintegrable velocity constraints, such as rolling. Their reactions do no work in
        velocities that satisfy the homogeneous equations; inhomogeneous terms (a running belt) do
        work.
        """
        return []

    def picture(self, *markers: Marker) -> Sequence[Shape]:
        """Draw its axis if it has one, else its point."""
        if not self.moves or self.drives:
            return ()
        return [drawing.Axis(markers[:1]) if self.axis else drawing.DrawnJoint(markers[1:2])]

    def measure(self, name: str, *frames: Any) -> Expr:
        """Return a relative coordinate; overridden by joints with other measures."""
        return relative(name, *frames) if name in UNITS else super().measure(name, *frames)
