r"""Force laws: base class. A law is a combination of the following terms.

- a potential :math:`V` of frame quantities: conservative, counted in the energy;
- a dissipation function :math:`D` quadratic in velocities: load :math:`-\partial D/\partial v`;
- loads: forces and torques on frames, in global axes: their power is counted as work;
- pushes along any coordinate :math:`x(t, q)`, a length or an angle: their virtual power
  :math:`F \, dx/dt` gives the loads on all frames on which it depends;
- conditions under which all of this acts, if not always;
- a kinetic energy :math:`T`, quadratic in the velocities of points with constant coefficients:
  inertia that several bodies share, with the load :math:`-d/dt\,(\partial T/\partial v)`.

To add a force write one file in this folder with one subclass; it is discovered automatically
and becomes a method of `Model`. Generalised forces and their exact tangents are derived.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.language.element import Element

Rate: TypeAlias = Callable[[Expr], Expr]
"""Function that returns the total time derivative of an expression of frames."""

Relation: TypeAlias = Any
"""A comparison of two expressions of frames, such as ``depth > 0``."""

PUSHES = ("push", "power")
"""Measures that a law with `Force.pushes` may list without a definition: the sum of its forces, and
their total power."""


@dataclass(frozen=True)
class FrameLoad:
    """A force at a frame's point and a torque on its body, in global axes.

    It does no work if it is the rate of a state instead of a force.
    """

    frame: Frame
    force: Vec | None = None
    torque: Vec | None = None
    works: bool = True


@dataclass(frozen=True)
class Push:
    """A generalised force along a coordinate of any frames: positive in its growing direction."""

    coordinate: Expr
    force: Expr


@dataclass(frozen=True)
class Force(Element):
    """Base of force laws."""

    role = "force"

    def acts(self, *frames: Frame) -> list[Relation]:
        """Return the conditions under which it acts, such as ``depth > 0``.

        Otherwise all its terms are omitted. Without conditions it always acts.
        """
        return []

    def potential(self, *frames: Frame) -> Expr:
        """Return the potential energy."""
        return 0

    def dissipation(self, *frames: Frame) -> Expr:
        """Return Rayleigh's dissipation function of the velocities ``v`` and ``w`` of frames."""
        return 0

    def kinetic_energy(self, *frames: Frame) -> Expr:
        """Return a kinetic energy of the velocities ``v`` of frames alone, for shared inertia."""
        return 0

    def loads(self, *frames: Frame) -> list[FrameLoad]:
        """Return loads that are neither conservative nor dissipative."""
        return []

    def pushes(self, *frames: Frame, rate: Rate) -> list[Push]:
        """Return forces along coordinates; ``rate(x)`` is the rate of one."""
        return []


def in_axes(vector: Any, frame: Frame, axes: str) -> Vec:
    """Return the global components of a vector given in global axes or in those of a frame."""
    x, y, z = vector
    if axes == "global":
        return Vec(x, y, z)
    return frame.e1 * x + frame.e2 * y + frame.e3 * z
