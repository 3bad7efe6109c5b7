"""Displacement of a point relative to a moving frame."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Vec
from mbdgen.language.expressions.small_vectors import dot, minus
from mbdgen.language.markers.marker import Marker
from mbdgen.outputs.base import OutputKind


@dataclass(frozen=True)
class Displacement(OutputKind):
    """Displacement of the point of `b` relative to the frame of `a`, along its axes, in m.

    .. math:: u = A_a^T (r_b - r_a) - u_0

    ``A_a^T (r_b - r_a)`` minus its initial value, or minus `rest`: zero in every common rigid-body
    motion. Beam sections are frames, so this is the deformation relative to one of them.

    Attributes
    ----------
    rest : 3 scalars, optional
        Reference position :math:`u_0`; the initial one by default.
    """

    name = "displacement"
    components = 3
    unit = "m"
    vectors = frozenset({"rest"})

    rest: Any = None

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the initial position as reference."""
        a, b = markers
        arm = minus(b.global_point, a.global_point)
        return {"rest": tuple(dot(axis, arm) for axis in a.global_axes)}

    def value(self, *frames: Frame) -> Vec:
        """Return the displacement."""
        a, b = frames
        arm = b.r - a.r
        return Vec(a.e1.dot(arm), a.e2.dot(arm), a.e3.dot(arm)) - self.rest
