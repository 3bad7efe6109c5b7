"""Contact law of Gonthier and others (2004)."""

import math

from mbdgen.contact_laws.base import ContactLaw, Pair
from mbdgen.errors import ModelError
from mbdgen.language.expressions.scalars import Scalar, is_number

ITERATIONS = 100


class Gonthier(ContactLaw):
    r"""Resistance in proportion to the elastic force, with the restitution as it is asked for.

    .. math:: \chi (1 + c) = \ln\frac{1 + \chi}{1 - \chi c}

    is solved exactly; the published approximation is :math:`\chi = (1 - c^2)/c`.
    """

    name = "gonthier"
    formula = "K d^n chi v/v0, chi (1 + c) = ln((1 + chi)/(1 - chi c))"

    def factor(self, pair: Pair) -> Scalar:
        """Solve for chi: the root between zero and 1/c, by bisection of the energy loss."""
        c = pair.restitution
        if not is_number(c):
            raise ModelError(
                "The contact law 'gonthier' solves for its factor, but the restitution is the "
                f"expression {c}.",
                "Give a number, or choose another law such as 'flores'.",
            )
        if c == 1.0:
            return 0.0
        low, high = 1e-9, 1.0 / c
        for _ in range(ITERATIONS):
            chi = 0.5 * (low + high)
            rest = 1.0 - chi * c
            too_large = rest <= 0.0 or math.log((1.0 + chi) / rest) > chi * (1.0 + c)
            low, high = (low, chi) if too_large else (chi, high)
        return 0.5 * (low + high)
