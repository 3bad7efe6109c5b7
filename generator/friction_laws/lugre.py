"""LuGre friction law of Canudas de Wit and others (1995)."""

from mbdgen.friction_laws.base import BristleLaw, Rubbing
from mbdgen.geometry.functions import exp, tanh
from mbdgen.geometry.symbolic_vectors import Expr


class LuGre(BristleLaw):
    r"""Bristles that bend before they slip.

    .. math::
        \mu = \sigma_0 z + \sigma_1 \dot z + \sigma_2 v, \qquad
        \dot z = v - \frac{\sigma_0 |v|}{g(v)} z, \qquad
        g(v) = \mu + (\mu_s - \mu) e^{-(v/v_s)^2}

    Sticking contacts do not creep: the bristle deflection holds them.
    """

    name = "lugre"
    formula = "sigma0 z + sigma1 dz/dt + sigma2 v, dz/dt = v - sigma0 |v| z/g(v)"

    def coefficient(self, speed: Expr, rubbing: Rubbing) -> Expr:
        """Return the steady-state friction coefficient, with a ramp through zero."""
        steady = self._grip(speed, rubbing) * tanh(speed / rubbing.creep)
        return steady + rubbing.viscous * speed

    def rate(self, v: Expr, s: Expr, z: Expr, rubbing: Rubbing) -> Expr:
        """Return the rate of the bristle deflection."""
        return v - rubbing.bristle_stiffness * s / self._grip(s, rubbing) * z

    def pull(self, v: Expr, rate: Expr, z: Expr, rubbing: Rubbing) -> Expr:
        """Return the force of the bristles and of viscous friction."""
        bent = rubbing.bristle_stiffness * z + rubbing.bristle_damping * rate
        return bent + rubbing.viscous * v

    def _grip(self, s: Expr, rubbing: Rubbing) -> Expr:
        mu = rubbing.coefficient
        return mu + (rubbing.static - mu) * exp(-((s / rubbing.fade) ** 2))
