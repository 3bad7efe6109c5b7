"""Stribeck friction: static friction decaying with the sliding velocity."""

from mbdgen.friction_laws.base import FrictionLaw, Rubbing
from mbdgen.geometry.functions import exp, tanh
from mbdgen.geometry.symbolic_vectors import Expr


class Stribeck(FrictionLaw):
    r"""Stribeck's curve: :math:`(\mu + (\mu_s - \mu) e^{-(v/v_s)^2}) \tanh(v/v_0)`."""

    name = "stribeck"
    formula = "(mu + (mu_s - mu) exp(-(v/v_s)^2)) tanh(v/v0)"

    def coefficient(self, speed: Expr, rubbing: Rubbing) -> Expr:
        """Return the friction coefficient of the Stribeck curve."""
        mu = rubbing.coefficient
        grip = mu + (rubbing.static - mu) * exp(-((speed / rubbing.fade) ** 2))
        return grip * tanh(speed / rubbing.creep)
