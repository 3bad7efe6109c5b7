r"""Wiener-Milenkovic parameters :math:`k = 4 \tan(\theta/4) n`: the conformal rotation vector.

With :math:`\tau = k \cdot k/16 = \tan^2(\theta/4)`: :math:`\zeta_1 = (1 - \tau)/(1 + \tau)^2`,
:math:`\zeta_2 = \frac12/(1 + \tau)^2`, :math:`\partial\omega/\partial\dot k` is a rotation times
:math:`1/(1 + \tau)`. The same rotation, by :math:`2\pi - \theta` about the opposite axis, has the
shadow parameters :math:`-k/\tau`.
"""

from collections.abc import Sequence

from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.orientations.vectorial import Vectorial


class Conformal(Vectorial):
    """Vector of length 4 tan(theta/4) along the axis of rotation; rational equations."""

    name = "conformal"
    coordinates = ("k1", "k2", "k3")
    reach = "theta < 2 pi"
    singular = "theta = 2 pi, where k is infinite"
    rebased = False

    def factors(self, square: Expr) -> tuple[Expr, Expr]:
        """Return rational functions of the tangent of a quarter."""
        scale = 16 / (16 + square)
        return scale * (2 * scale - 1), scale * scale / 2

    def rate_factors(self, square: Expr) -> tuple[Expr, Expr]:
        """Return rational functions again."""
        scale = 16 / (16 + square)
        return scale, scale * scale / 8

    def stretch(self, cosine: Scalar, sine: Scalar) -> Scalar:
        """Return the tangent of half the half angle."""
        return 4 / (1 + cosine)

    def other(self, o: Sequence[Expr]) -> Sequence[Expr]:
        """Return the shadow parameters: inverse length, opposite direction."""
        tau = sum(x * x for x in o) / 16
        return [-x / tau for x in o]
