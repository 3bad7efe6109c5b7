r"""Vectorial rotation parameters :math:`o = p(\theta) n` with a generating function p.

.. math::
    R &= I + \zeta_1 \tilde o + \zeta_2 \tilde o \tilde o, &
    \zeta_1 &= \frac{\sin\theta}{p}, & \zeta_2 &= \frac{1 - \cos\theta}{p^2} \\
    \bar\omega &= (\mu I - \zeta_2 \tilde o + \sigma \tilde o \tilde o)\, \dot o, &
    \mu &= \frac{1}{p'}, & \sigma &= \frac{\mu - \zeta_1}{p^2}

All four are smooth functions of :math:`o \cdot o`, also at zero, because p is odd. Every such set
of three parameters has a singularity: :math:`\det \partial\omega/\partial\dot o = (2 \sin(\theta/2)
/ p)^2 / p'`.
"""

from abc import abstractmethod
from collections.abc import Sequence

from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.language.bodies.orientation import Orientation
from mbdgen.language.expressions.scalars import Scalar, is_number
from mbdgen.orientations.base import Namer, OrientationSet


class Vectorial(OrientationSet):
    """A vector along the axis of rotation.

    The identity is the zero vector: `home`.
    """

    home = (0.0, 0.0, 0.0)

    @abstractmethod
    def factors(self, square: Expr) -> tuple[Expr, Expr]:
        r"""Return :math:`\zeta_1` and :math:`\zeta_2` as functions of :math:`o \cdot o`."""

    @abstractmethod
    def rate_factors(self, square: Expr) -> tuple[Expr, Expr]:
        r"""Return :math:`\mu` and :math:`\sigma` as functions of :math:`o \cdot o`."""

    @abstractmethod
    def stretch(self, cosine: Scalar, sine: Scalar) -> Scalar:
        r"""Return :math:`p / \sin(\theta/2)`, from cosine and sine of the half angle."""

    def rotation(self, o: Sequence[Expr], name: Namer) -> tuple[Vec, Vec, Vec]:
        """Return the rotation matrix by Rodrigues' formula."""
        first, second = self.factors(self._square(o, name))
        return _columns(o, 1, name("zeta_1", first), name("zeta_2", second), name)

    def tangent(self, o: Sequence[Expr], name: Namer) -> Sequence[Vec]:
        """Return the columns of the tangent operator: the same formula with other factors."""
        square = self._square(o, name)
        _, second = self.factors(square)
        mu, sigma = self.rate_factors(square)
        last = name("sigma", sigma)
        diagonal = name("mu", mu)
        return _columns(o, diagonal, -name("zeta_2", second), last, name)

    def _square(self, o: Sequence[Expr], name: Namer) -> Expr:
        return name("square", o[0] * o[0] + o[1] * o[1] + o[2] * o[2])

    def initial(self, orientation: Orientation) -> Sequence[Scalar]:
        """Return the scaled vector part of the quaternion with non-negative scalar part."""
        q0, *vector = orientation.q
        if is_number(q0) and q0 < 0.0:
            q0, vector = -q0, [-x for x in vector]
        sine = (vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2) ** 0.5
        factor = self.stretch(q0, sine)
        return [factor * x for x in vector]


def _columns(
    o: Sequence[Expr], diagonal: Expr, first: Expr, second: Expr, name: Namer
) -> tuple[Vec, Vec, Vec]:
    r"""Return :math:`d I + f \tilde o + s \tilde o^2` with ``diagonal``, ``first``, ``second``."""
    a, b, c = o
    aa, bb, cc = (name(f"square_{k}", second * x * x) for k, x in zip("123", o, strict=True))
    ab, bc, ca = second * a * b, second * b * c, second * c * a
    x, y, z = (first * e for e in o)
    return (
        Vec(diagonal - bb - cc, ab + z, ca - y),
        Vec(ab - z, diagonal - aa - cc, bc + x),
        Vec(ca + y, bc - x, diagonal - aa - bb),
    )
