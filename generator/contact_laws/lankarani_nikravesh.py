"""Contact law of Lankarani and Nikravesh (1990)."""

from mbdgen.contact_laws.base import ContactLaw, Pair
from mbdgen.language.expressions.scalars import Scalar


class LankaraniNikravesh(ContactLaw):
    r"""Resistance in proportion to the elastic force, :math:`\chi = \tfrac34 (1 - c^2)`."""

    name = "lankarani-nikravesh"
    formula = "K d^n chi v/v0, chi = 3 (1 - c^2)/4"

    def factor(self, pair: Pair) -> Scalar:
        """Return chi, from the energy of an impact with small loss."""
        return 3 * (1 - pair.restitution**2) / 4
