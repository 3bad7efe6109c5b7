"""A force at a point."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.base import Force, FrameLoad, in_axes
from mbdgen.geometry.frames import Frame


@dataclass(frozen=True)
class PointForce(Force):
    r"""A force at a point, in global or body axes.

    .. math:: \delta W = F(t, q, v) \cdot \delta r_a

    Its components are numbers or expressions of time, parameters and placeholders.

    Attributes
    ----------
    force : 3 scalars
        Its components F.
    axes : str
        Axes of these components: global, or those of the body.
    """

    name = "force"
    applied = ("force",)
    ends = ("a",)
    choices = {"axes": ("global", "body")}
    out_of_plane = {"force": (2,)}

    force: Any = (0.0, 0.0, 0.0)
    axes: str = "global"

    def loads(self, *frames: Frame) -> list[FrameLoad]:
        """Return the force."""
        (a,) = frames
        return [FrameLoad(a, in_axes(self.force, a, self.axes))]
