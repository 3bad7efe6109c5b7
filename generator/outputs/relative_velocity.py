"""Velocity of a point relative to a moving body."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Vec
from mbdgen.outputs.base import OutputKind


@dataclass(frozen=True)
class RelativeVelocity(OutputKind):
    r"""Velocity of the point of `b` relative to the body of `a`, along the axes of `a`, in m/s.

    .. math:: A_a^T \bigl(v_b - v_a - \omega_a \times (r_b - r_a)\bigr)

    ``A_a^T (v_b - v_a - w_a x (r_b - r_a))``
    """

    name = "relative_velocity"
    components = 3
    unit = "m/s"

    def value(self, *frames: Frame) -> Vec:
        """Return the relative velocity."""
        a, b = frames
        seen = b.v - a.v - a.w.cross(b.r - a.r)
        return Vec(a.e1.dot(seen), a.e2.dot(seen), a.e3.dot(seen))
