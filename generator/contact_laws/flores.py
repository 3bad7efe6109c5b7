"""Contact law of Flores and others (2011)."""

from mbdgen.contact_laws.base import ContactLaw, Pair
from mbdgen.language.expressions.scalars import Scalar


class Flores(ContactLaw):
    r"""Resistance in proportion to the elastic force, :math:`\chi = 8 (1 - c)/(5 c)`."""

    name = "flores"
    formula = "K d^n chi v/v0, chi = 8 (1 - c)/(5 c)"

    def factor(self, pair: Pair) -> Scalar:
        """Return chi, also for impacts with large energy loss."""
        return 8 * (1 - pair.restitution) / (5 * pair.restitution)
