r"""Rodrigues parameters (Gibbs vector) :math:`c = 2 \tan(\theta/2) n`.

With :math:`c_0 = 1/(1 + c \cdot c/4) = \cos^2(\theta/2)`: :math:`\zeta_1 = c_0`,
:math:`\zeta_2 = c_0/2`, :math:`\det \partial\omega/\partial\dot c = c_0^2`.
"""

from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.orientations.vectorial import Vectorial


class Gibbs(Vectorial):
    """Vector of length 2 tan(theta/2) along the axis of rotation; rational equations."""

    name = "gibbs"
    coordinates = ("c1", "c2", "c3")
    reach = "theta < pi"
    singular = "theta = pi, where c is infinite"
    rebased = True

    def factors(self, square: Expr) -> tuple[Expr, Expr]:
        """Return both factors; the second is half of the first."""
        scalar = 4 / (4 + square)
        return scalar, scalar / 2

    def rate_factors(self, square: Expr) -> tuple[Expr, Expr]:
        """Return the first factor and zero."""
        return 4 / (4 + square), 0

    def stretch(self, cosine: Scalar, sine: Scalar) -> Scalar:
        """Return 2 divided by the cosine of the half angle."""
        return 2 / cosine
