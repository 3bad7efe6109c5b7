"""Friction law of Bengisu and Akay (1994)."""

from mbdgen.friction_laws.base import FrictionLaw, Rubbing
from mbdgen.geometry.functions import Abs, Max, Piecewise, exp, sign
from mbdgen.geometry.symbolic_vectors import Expr


class BengisuAkay(FrictionLaw):
    r"""A parabola up to static friction, which then fades, with a continuous slope.

    .. math::
        |\mu(v)| = \begin{cases}
          \mu_s (1 - (|v| - v_0)^2/v_0^2) & |v| < v_0 \\
          \mu + (\mu_s - \mu) e^{-((|v| - v_0)/v_s)^2} & |v| \ge v_0
        \end{cases}

    The publication has :math:`e^{-\xi(|v| - v_0)}`, whose slope jumps at :math:`v_0`.
    """

    name = "bengisu-akay"
    formula = "mu_s (1 - (|v| - v0)^2/v0^2) to v0, then mu + (mu_s - mu) exp(-((|v| - v0)/v_s)^2)"

    def coefficient(self, speed: Expr, rubbing: Rubbing) -> Expr:
        """Return both branches of the friction coefficient."""
        v, v0, mu, mu_s = Abs(speed), rubbing.creep, rubbing.coefficient, rubbing.static
        beyond = Max(v - v0, 0)
        rising = mu_s * (2 - v / v0) / v0 * speed
        fading = sign(speed) * (mu + (mu_s - mu) * exp(-((beyond / rubbing.fade) ** 2)))
        return Piecewise((rising, v < v0), (fading, True))
