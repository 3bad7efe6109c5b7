"""Distributed load along a flexible body: snow, wind, pressure, a current in a field."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.base import Force, FrameLoad, in_axes
from mbdgen.geometry.frames import Frame


@dataclass(frozen=True)
class LineLoad(Force):
    r"""A force and a moment per natural length of an element of a beam.

    .. math:: \delta W = \int (f \cdot \delta r + m \cdot \delta \theta)\, ds

    `Beam.line_load` attaches it to all elements of a beam.

    Attributes
    ----------
    force : 3 scalars
        Force f per length.
    torque : 3 scalars
        Moment m per length.
    axes : str
        Axes of both: global, or those of the sections.
    """

    name = "line_load"
    applied = ("force", "torque")
    ends = ("a",)
    distributed = True
    choices = {"axes": ("global", "body")}
    out_of_plane = {"force": (2,), "torque": (0, 1)}

    force: Any = (0.0, 0.0, 0.0)
    torque: Any = (0.0, 0.0, 0.0)
    axes: str = "global"

    def loads(self, *frames: Frame) -> list[FrameLoad]:
        """Return force and moment per unit length."""
        (a,) = frames
        force, torque = (in_axes(x, a, self.axes) for x in (self.force, self.torque))
        return [FrameLoad(a, force, torque if any(c != 0 for c in torque) else None)]
