r"""Reduced Euler-Rodrigues parameters :math:`b = 2 \sin(\theta/2) n`.

They are twice the vector part of the unit quaternion, whose scalar part is
:math:`b_0 = \sqrt{1 - b \cdot b/4}`: :math:`\zeta_1 = b_0`, :math:`\zeta_2 = 1/2`,
:math:`\det \partial\omega/\partial\dot b = 1/b_0`.
"""

from mbdgen.geometry.functions import sqrt
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.orientations.vectorial import Vectorial


class ReducedEulerRodrigues(Vectorial):
    """Vector of length 2 sin(theta/2) along the axis of rotation."""

    name = "reduced-euler-rodrigues"
    coordinates = ("b1", "b2", "b3")
    reach = "theta < pi"
    singular = "theta = pi, where b has length 2"
    rebased = True

    def factors(self, square: Expr) -> tuple[Expr, Expr]:
        """Return the scalar part of the quaternion and one half."""
        return sqrt(1 - square / 4), 0.5

    def rate_factors(self, square: Expr) -> tuple[Expr, Expr]:
        """Return the rate factors, divided by the scalar part of the quaternion."""
        scalar = sqrt(1 - square / 4)
        return 1 / scalar, 1 / (4 * scalar)

    def stretch(self, cosine: Scalar, sine: Scalar) -> Scalar:
        """Return the scale factor two."""
        return 2
