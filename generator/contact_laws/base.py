r"""Contact laws: base class and registry. A law is defined only by its file in this folder.

The normal force is :math:`F = K\delta^n + R`, with the penetration depth :math:`\delta` of two
bodies. The elastic part is the same for all laws and a potential; a law defines the dissipative
force R at the penetration rate :math:`\dot\delta`, and its factor from a coefficient of
restitution.

To add a law write a file in this folder with a subclass; it is discovered automatically.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from mbdgen.finding import classes
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language.expressions.scalars import Scalar


@dataclass(frozen=True)
class Pair:
    """Constant contact parameters of two bodies, from which a law computes its factor.

    Attributes
    ----------
    restitution : scalar
        Coefficient of restitution, in (0, 1].
    stiffness, exponent : scalar
        K and n.
    mass : scalar
        ``m_a m_b/(m_a + m_b)``.
    """

    restitution: Scalar
    stiffness: Scalar
    exponent: Scalar
    mass: Scalar


@dataclass(frozen=True)
class Pressed:
    """Symbolic state of two bodies in contact.

    Attributes
    ----------
    elastic : expression
        The elastic force; zero without contact.
    speed : expression
        Rate of the penetration depth.
    approach : expression
        Initial approach velocity of this contact, positive.
    factor : expression
        Factor of the law for this pair.
    """

    elastic: Expr
    speed: Expr
    approach: Expr
    factor: Expr


class ContactLaw(ABC):
    """Base of contact laws.

    Attributes
    ----------
    name : str
        Value of ``law=``.
    exponent : float
        Default exponent of the elastic force.
    formula : str
        Formula of the dissipative force and its factor, for tables.
    """

    name: ClassVar[str]
    exponent: ClassVar[float] = 1.5
    formula: ClassVar[str]

    @abstractmethod
    def factor(self, pair: Pair) -> Scalar:
        """Return the factor of the dissipative force for a pair."""

    def resistance(self, pressed: Pressed) -> Expr:
        r"""Return the damping force, by default :math:`K\delta^n \chi \dot\delta/\dot\delta_0`."""
        return pressed.elastic * pressed.factor * pressed.speed / pressed.approach


@cache
def contact_laws() -> dict[str, type[Any]]:
    """Return the laws by name."""
    return classes("mbdgen.contact_laws", ContactLaw)
