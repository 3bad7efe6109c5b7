"""Hill-type muscle between two points."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.base import Force, FrameLoad
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.functions import Max, exp
from mbdgen.geometry.symbolic_vectors import Expr


@dataclass(frozen=True)
class Muscle(Force):
    r"""Hill-type muscle: contractile and parallel elastic element between two points.

    .. math::
        F = F_{max} (\alpha(t) f_l(x) f_v(u) + f_p(x)), \quad x = l/l_0, \; u = \dot l/v_{max}

    With the points pulled together by F, and u negative when the muscle shortens:

    - ``f_l = exp(-((x - 1)/width)^2)``
    - concentric, ``-1 < u < 0``: Hill's hyperbola ``f_v = (1 + u)/(1 - u/curvature)``; 0 beyond
    - eccentric, ``u > 0``: ``f_v = E - (E - 1)/(1 + s u)`` with ``E = eccentric``, the limit
      of fast lengthening, and ``s = (1 + 1/curvature)/(E - 1)``, so that the slope is
      continuous at 0
    - passive: with ``z = toe (x - 1)/strain``, for ``x > 1``
      ``f_p = (exp(z) - 1 - z)/(exp(toe) - 1 - toe)``: 1 at the elongation ``strain``, without
      slope at 0

    The passive part is a potential, the active one counts as work. Both are non-negative: a muscle
    does not push, and a negative activation counts as 0. The derivative of the law jumps at ``u =
    -1``.

    Attributes
    ----------
    activation : scalar
        Part :math:`\alpha` that is active, from 0 to 1, an expression of time.
    strength : scalar
        Isometric force :math:`F_{max}` at the optimal length.
    optimal_length : scalar
        Length :math:`l_0`.
    max_speed : scalar
        Speed :math:`v_{max}` of shortening without load, m/s.
    width : scalar
        Of the force-length curve, relative to the optimal length.
    curvature : scalar
        Ratio :math:`a/F_{max}` of Hill's hyperbola.
    eccentric : scalar
        Force of fast lengthening, relative to the strength.
    strain : scalar
        Elongation, relative to the optimal length, where the passive part is the strength.
    toe : scalar
        Exponent of the passive part.
    """

    name = "muscle"
    measures = {"length": 1, "speed": 1, "force": 1}
    units = {"length": "m", "speed": "m/s", "force": "N"}

    activation: Any = 1.0
    strength: Any = 1000.0
    optimal_length: Any = 0.1
    max_speed: Any = 1.0
    width: Any = 0.45
    curvature: Any = 0.25
    eccentric: Any = 1.5
    strain: Any = 0.6
    toe: Any = 4.0

    def potential(self, *frames: Frame) -> Expr:
        """Energy of the passive part."""
        z, scale = self._passive(*frames)
        energy = exp(z) - 1 - z - z**2 / 2
        return self.strength * self.optimal_length * self.strain / self.toe * energy / scale

    def loads(self, *frames: Frame) -> list[FrameLoad]:
        """Pull of the active part."""
        a, b = frames
        pull = (b.r - a.r) / self._length(a, b) * self._active(a, b)
        return [FrameLoad(a, force=pull), FrameLoad(b, force=-pull)]

    def measure(self, name: str, *frames: Any) -> Expr:
        """Length, its rate, or the whole force."""
        if name == "length":
            return self._length(*frames)
        if name == "speed":
            return self._speed(*frames)
        z, scale = self._passive(*frames)
        return self._active(*frames) + self.strength * (exp(z) - 1 - z) / scale

    def _length(self, a: Frame, b: Frame) -> Expr:
        return a.tape.name("length", (b.r - a.r).norm())

    def _speed(self, a: Frame, b: Frame) -> Expr:
        return a.tape.name("speed", (b.r - a.r).dot(b.v - a.v) / self._length(a, b))

    def _passive(self, a: Frame, b: Frame) -> tuple[Expr, Expr]:
        """Return the exponent, and the scale for force 1 at the given strain."""
        elongation = Max(self._length(a, b) / self.optimal_length - 1, 0)
        z = a.tape.name("stretch", self.toe * elongation / self.strain)
        return z, exp(self.toe) - 1 - self.toe

    def _active(self, a: Frame, b: Frame) -> Expr:
        tape = a.tape
        away = (self._length(a, b) / self.optimal_length - 1) / self.width
        u = tape.name("relative_speed", self._speed(a, b) / self.max_speed)
        shortening = tape.name("shortening", Max(-u, 0))
        lengthening = tape.name("lengthening", u + shortening)  # Max(u, 0)
        hill = Max(1 - shortening, 0) / (1 + shortening / self.curvature)
        slope = (1 + 1 / self.curvature) / (self.eccentric - 1)
        # One of the two is 0, and its branch contributes 1.
        f_v = hill + (self.eccentric - 1) * (1 - 1 / (1 + slope * lengthening))
        tension = self.strength * Max(self.activation, 0) * exp(-(away**2)) * f_v
        return tape.name("active", tension)
