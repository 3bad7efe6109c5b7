"""Elastic Hertz contact, without dissipation."""

from mbdgen.contact_laws.base import ContactLaw, Pair, Pressed
from mbdgen.errors import ModelError
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language.expressions.scalars import Scalar


class Hertz(ContactLaw):
    r"""Nothing is lost: :math:`F = K\delta^n`."""

    name = "hertz"
    formula = "none"

    def factor(self, pair: Pair) -> Scalar:
        """Reject a restitution below one."""
        if pair.restitution != 1.0:
            raise ModelError(
                f"The contact law 'hertz' is elastic, but the restitution is {pair.restitution}.",
                "Leave out restitution, or choose another law such as 'hunt-crossley'.",
            )
        return 0.0

    def resistance(self, pressed: Pressed) -> Expr:
        """Return no dissipative force."""
        return 0
