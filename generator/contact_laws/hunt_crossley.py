"""Contact law of Hunt and Crossley (1975)."""

from mbdgen.contact_laws.base import ContactLaw, Pair
from mbdgen.language.expressions.scalars import Scalar


class HuntCrossley(ContactLaw):
    r"""Resistance in proportion to the elastic force, :math:`\chi = \tfrac32 (1 - c)`."""

    name = "hunt-crossley"
    formula = "K d^n chi v/v0, chi = 3 (1 - c)/2"

    def factor(self, pair: Pair) -> Scalar:
        """Return chi, to first order in the energy loss."""
        return 3 * (1 - pair.restitution) / 2
