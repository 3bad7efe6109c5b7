"""Regularised Coulomb friction, without a jump at zero velocity."""

from mbdgen.friction_laws.base import FrictionLaw, Rubbing
from mbdgen.geometry.functions import tanh
from mbdgen.geometry.symbolic_vectors import Expr


class Coulomb(FrictionLaw):
    r"""Coulomb's law, smooth: :math:`\mu \tanh(v/v_0)`."""

    name = "coulomb"
    formula = "mu tanh(v/v0)"

    def coefficient(self, speed: Expr, rubbing: Rubbing) -> Expr:
        """Return the regularised friction coefficient."""
        return rubbing.coefficient * tanh(speed / rubbing.creep)
