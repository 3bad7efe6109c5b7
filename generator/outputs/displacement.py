"""Displacement of a point as somebody sees it who moves with a frame."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Vec
from mbdgen.language.expressions.small_vectors import dot, minus
from mbdgen.language.markers.marker import Marker
from mbdgen.outputs.base import OutputKind


@dataclass(frozen=True)
class Displacement(OutputKind):
    """How far the point of `b` has moved, seen from the frame of `a` and along its axes, in m.

    .. math:: u = A_a^T (r_b - r_a) - u_0

    ``A_a^T (r_b - r_a)`` less what it is at the start, or less `rest`: zero in every rigid motion
    of both. Sections of beams are frames, so this is the deformation as seen from one of them.

    Attributes
    ----------
    rest : 3 scalars, optional
        Place :math:`u_0` that it is counted from; that of the start by default.
    """

    name = "displacement"
    components = 3
    unit = "m"
    vectors = frozenset({"rest"})

    rest: Any = None

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Take the place at the start."""
        a, b = markers
        arm = minus(b.global_point, a.global_point)
        return {"rest": tuple(dot(axis, arm) for axis in a.global_axes)}

    def value(self, *frames: Frame) -> Vec:
        """State it."""
        a, b = frames
        arm = b.r - a.r
        return Vec(a.e1.dot(arm), a.e2.dot(arm), a.e3.dot(arm)) - self.rest
