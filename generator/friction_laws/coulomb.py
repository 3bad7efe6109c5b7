"""Coulomb's law without a jump."""

from mbdgen.friction_laws.base import FrictionLaw, Rubbing
from mbdgen.geometry.functions import tanh
from mbdgen.geometry.symbolic_vectors import Expr


class Coulomb(FrictionLaw):
    r"""Coulomb's law, smooth: :math:`\mu \tanh(v/v_0)`."""

    name = "coulomb"
    formula = "mu tanh(v/v0)"

    def coefficient(self, speed: Expr, rubbing: Rubbing) -> Expr:
        """State the law."""
        return rubbing.coefficient * tanh(speed / rubbing.creep)
