"""Coulomb friction regularised by a linear ramp."""

from mbdgen.friction_laws.base import FrictionLaw, Rubbing
from mbdgen.geometry.functions import Max, Min
from mbdgen.geometry.symbolic_vectors import Expr


class Linear(FrictionLaw):
    r"""Coulomb's law with a ramp: :math:`\mu \, \mathrm{sat}(v/v_0)`."""

    name = "linear"
    formula = "mu sat(v/v0)"

    def coefficient(self, speed: Expr, rubbing: Rubbing) -> Expr:
        """Return the ramp, limited on both sides (saturation)."""
        return rubbing.coefficient * Max(-1, Min(1, speed / rubbing.creep))
