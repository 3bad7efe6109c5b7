"""A torque on a body."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.base import Force, FrameLoad, in_axes
from mbdgen.geometry.frames import Frame


@dataclass(frozen=True)
class Torque(Force):
    r"""A torque on a body, in global or body axes.

    .. math:: \delta W = M(t, q, v) \cdot \delta \theta_a

    Its components are numbers or expressions of time, parameters and placeholders.

    Attributes
    ----------
    torque : 3 scalars
        Its components M.
    axes : str
        Axes of these components: global, or those of the body.
    """

    name = "torque"
    applied = ("torque",)
    ends = ("a",)
    choices = {"axes": ("global", "body")}
    out_of_plane = {"torque": (0, 1)}

    torque: Any = (0.0, 0.0, 0.0)
    axes: str = "global"

    def loads(self, *frames: Frame) -> list[FrameLoad]:
        """Return the torque."""
        (a,) = frames
        return [FrameLoad(a, torque=in_axes(self.torque, a, self.axes))]
