r"""Rotation vector :math:`\psi = \theta n`.

:math:`\zeta_1 = \sin\theta/\theta` and :math:`\zeta_2 = (1 - \cos\theta)/\theta^2` are entire
functions of :math:`\theta^2` (Stumpff functions), without a case distinction at zero. The rotation
by :math:`2\pi - \theta` about the opposite axis is the same orientation.
"""

from collections.abc import Sequence
from math import pi

from mbdgen.geometry.functions import sqrt
from mbdgen.geometry.stumpff import stumpff
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language.expressions import scalars
from mbdgen.language.expressions.scalars import Scalar, is_number
from mbdgen.orientations.vectorial import Vectorial


class RotationVector(Vectorial):
    """Axis of rotation times angle."""

    name = "rotation-vector"
    coordinates = ("psi1", "psi2", "psi3")
    reach = "theta < 2 pi"
    singular = "theta = 2 pi"
    rebased = False

    def factors(self, square: Expr) -> tuple[Expr, Expr]:
        """Return two Stumpff functions."""
        return stumpff(1, square), stumpff(2, square)

    def rate_factors(self, square: Expr) -> tuple[Expr, Expr]:
        """Return one and the third Stumpff function."""
        return 1, stumpff(3, square)

    def stretch(self, cosine: Scalar, sine: Scalar) -> Scalar:
        """Return the angle divided by the sine of its half."""
        if is_number(sine) and sine < 1e-8:
            return 2.0
        return 2 * scalars.atan2(sine, cosine) / sine

    def other(self, o: Sequence[Expr]) -> Sequence[Expr]:
        """Return the rotation vector of the opposite axis."""
        angle = sqrt(sum(x * x for x in o))
        return [x * (1 - 2 * pi / angle) for x in o]
