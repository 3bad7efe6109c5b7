r"""Stations: frames at nodes of a flexible body that is described in a floating frame.

Displacement and small rotation of a node are sums over the modes, :math:`u = \sum_i t_i e_i` and
:math:`\psi = \sum_i \theta_i e_i`. The axes are rotated by the rotation with the Gibbs vector
:math:`g = \psi/2`: an exact rotation, equal to :math:`\psi` to second order.
"""

from collections.abc import Sequence
from functools import cached_property

from mbdgen.geometry.frames import BodySymbols, Frame
from mbdgen.geometry.functions import cos, sin
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero


class Station(Frame):
    """Node of a flexible body with axes that rotate relative to the floating frame.

    Parameters
    ----------
    label, body, point, local_axes
        See `Frame`; undeformed, in the axes of the floating frame.
    displacement, turn : Vec
        Small displacement of the point and small rotation of the axes, in the axes of the floating
        frame.
    """

    body: BodySymbols

    def __init__(
        self,
        label: str,
        body: BodySymbols,
        point: Vec,
        local_axes: tuple[Vec, Vec, Vec],
        displacement: Vec,
        turn: Vec,
    ) -> None:
        super().__init__(label, body, point, local_axes, body.tape)
        self._displacement, self._turn = displacement, turn

    @cached_property
    def arm(self) -> Vec:
        """Vector from the origin of the body to the displaced point."""
        return self.tape.vector(f"arm_{self.label}", self.body.rotate(self.local))

    @cached_property
    def local(self) -> Vec:
        """The displaced point in the axes of the floating frame."""
        return self.tape.vector(f"local_{self.label}", self.point + self._displacement)

    @cached_property
    def gibbs(self) -> Vec:
        """Gibbs vector of the rotation; in the plane the angle about z."""
        planar = self.body.kind.planar
        turn = self._turn if planar else self._turn / 2
        return self.tape.vector(f"turn_{self.label}", turn)

    @cached_property
    def share(self) -> object:
        """Factor of a rotation by its Gibbs vector."""
        g = self.gibbs
        return self.tape.name(f"share_{self.label}", 2 / (1 + g.dot(g)))

    @cached_property
    def w(self) -> Vec:
        r"""Angular velocity: :math:`2(\dot g + g\times\dot g)/(1 + g^2)` plus that of the frame."""
        turning = self.body.angular_velocity + self.body.rotate(self.turn_rate)
        return self.tape.distinct(f"w_{self.label}", turning)

    @cached_property
    def turn_rate(self) -> Vec:
        """Angular velocity relative to the floating frame, in its axes."""
        g = self.gibbs
        rate = Vec(*(self.tape.rate(c, self.body.seeds) for c in g))
        return rate if self.body.kind.planar else (rate + g.cross(rate)) * self.share

    @cached_property
    def turned_axes(self) -> tuple[Expr, Expr]:
        """Cosine and sine of the rotation angle, in the plane."""
        angle = self.gibbs[2]
        c, s = (self.tape.name(f"{f.__name__}_{self.label}", f(angle)) for f in (cos, sin))
        return c, s

    def axis(self, k: int) -> Vec:
        """Return axis k."""
        assert self.local_axes is not None
        if k not in self._axes:
            turned = self.body.rotate(self._turned(self.local_axes[k]))
            self._axes[k] = self.tape.distinct(f"e{k + 1}_{self.label}", turned)
        return self._axes[k]

    def _turned(self, e: Vec) -> Vec:
        """Return an axis of the undeformed body after the rotation."""
        if self.body.kind.planar:
            c, s = self.turned_axes
            return Vec(c * e[0] - s * e[1], s * e[0] + c * e[1], e[2])
        g = self.gibbs
        across = g.cross(e)
        return e + (across + g.cross(across)) * self.share


def combined(rows: Sequence[Vec], amplitudes: Sequence[object]) -> Vec:
    """Return the linear combination of vectors with amplitudes."""
    total = zero()
    for row, e in zip(rows, amplitudes, strict=True):
        total = total + row * e
    return total
