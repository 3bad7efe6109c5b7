"""Frames that move along a curve on a rigid body or the ground, by a path coordinate."""

from functools import cached_property
from typing import TYPE_CHECKING

from mbdgen.geometry.frames import BodySymbols, Frame
from mbdgen.geometry.symbolic_vectors import Expr, Vec

if TYPE_CHECKING:
    from mbdgen.symbolic.derive.tape import Tape

Triad = tuple[Vec, Vec, Vec]


class CurveFrame(Frame):
    """Point that moves along a curve, with axes that follow the curve.

    Parameters
    ----------
    label, body, point, local_axes, tape
        See `Frame`; point and axes depend on the path coordinate.
    number : BodySymbols
        Path coordinate: the parameter of the curve.
    """

    def __init__(
        self,
        label: str,
        body: BodySymbols | None,
        point: Vec,
        local_axes: Triad,
        tape: "Tape",
        number: BodySymbols,
    ) -> None:
        super().__init__(label, body, point, local_axes, tape)
        self.number = number

    @cached_property
    def arm(self) -> Vec:
        """Vector from the origin of the body, or of the ground, to the point."""
        return self.point if self.body is None else super().arm

    @cached_property
    def r(self) -> Vec:
        """Position of the point."""
        position = self.arm if self.body is None else self.body.origin + self.arm
        return self.tape.distinct(f"r_{self.label}", position)

    @cached_property
    def v(self) -> Vec:
        """Velocity of the moving point, which is not that of a material point of the body."""
        return self.tape.distinct(f"v_{self.label}", self._rates(self.r))

    @cached_property
    def acceleration(self) -> Vec:
        """Acceleration of the moving point."""
        return self.tape.vector(f"acc_{self.label}", self._rates(self.v))

    @cached_property
    def w(self) -> Vec:
        r"""Angular velocity of the axes, :math:`\tfrac12 \sum_k e_k \times \dot e_k`."""
        x, y, z = (e.cross(Vec.of(self._rates(e))) for e in (self.e1, self.e2, self.e3))
        return self.tape.distinct(f"w_{self.label}", (x + y + z) / 2)

    def axis(self, k: int) -> Vec:
        """Return axis k."""
        assert self.local_axes is not None
        if k not in self._axes:
            local = self.local_axes[k]
            turned = local if self.body is None else self.body.rotate(local)
            self._axes[k] = self.tape.distinct(f"e{k + 1}_{self.label}", turned)
        return self._axes[k]

    @property
    def vectors(self) -> list[tuple[Vec, Vec, Vec, bool]]:
        """Used vectors, also on the ground, where it moves too."""
        found = []
        if "r" in self.__dict__:
            found.append((self.point, self.arm, self.r, True))
        assert self.local_axes is not None
        found += [(self.local_axes[k], e, e, False) for k, e in sorted(self._axes.items())]
        return found

    def _rates(self, vector: Vec) -> list[Expr]:
        seeds = self.number.seeds if self.number is not None else {}
        return [self.tape.rate(c, seeds) for c in vector]


def along_curve(tape: "Tape", label: str, slope: Vec, normal: Vec | None) -> Triad:
    r"""Return the axes of a curve: tangent, normal closest to a reference direction N, binormal.

    .. math:: t = c'/|c'|, \quad n \parallel N - (N \cdot t) t, \quad b = t \times n

    With :math:`N = c''` this is the Frenet triad. Without N the curve is planar, and the normal is
    to its left.
    """
    t = tape.vector(f"tangent_{label}", slope.direction())
    if normal is None:
        return t, Vec(-t[1], t[0], 0), Vec(0, 0, 1)
    n = tape.vector(f"normal_{label}", (normal - t * t.dot(normal)).direction())
    return t, n, t.cross(n)


def composed(axes: Triad, components: Triad) -> Triad:
    """Return axes from their components in other axes (composition of rotations)."""
    x, y, z = axes
    a, b, c = (x * e[0] + y * e[1] + z * e[2] for e in components)
    return a, b, c
