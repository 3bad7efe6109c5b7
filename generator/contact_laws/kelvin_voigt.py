"""Kelvin-Voigt contact law: a linear spring in parallel with a linear damper."""

import math

from mbdgen.contact_laws.base import ContactLaw, Pair, Pressed
from mbdgen.errors import ModelError
from mbdgen.geometry.functions import Piecewise
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language.expressions.scalars import Scalar, is_symbolic, log, sqrt


class KelvinVoigt(ContactLaw):
    r"""Resistance :math:`D\dot\delta`, whatever the depth: the force jumps at the touch.

    .. math:: D = 2 \zeta \sqrt{K m}, \qquad \zeta = -\ln c/\sqrt{\pi^2 + \ln^2 c}

    is that of half a period of a damped vibration, for `exponent` 1.
    """

    name = "kelvin-voigt"
    exponent = 1.0
    formula = "D v, D = 2 zeta sqrt(K m), zeta = -ln c/sqrt(pi^2 + ln^2 c)"

    def factor(self, pair: Pair) -> Scalar:
        """Return D."""
        if is_symbolic(pair.exponent) or pair.exponent != 1.0:
            raise ModelError(
                "The contact law 'kelvin-voigt' knows its damping for a linear spring only.",
                "Leave out exponent, or give damping=, in N s/m.",
            )
        loss = -log(pair.restitution)
        ratio = loss / sqrt(math.pi**2 + loss**2)
        return 2 * ratio * sqrt(pair.stiffness * pair.mass)

    def resistance(self, pressed: Pressed) -> Expr:
        """Return the damping force during contact."""
        return Piecewise((pressed.factor * pressed.speed, pressed.elastic > 0), (0, True))
