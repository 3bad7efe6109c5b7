r"""What a contact law states, and nothing else about it is known anywhere.

The normal force is :math:`F = K\delta^n + R`, with the depth :math:`\delta` of two bodies in each
other. The elastic part is the same for all laws and a potential; a law states the resistance R to
the speed :math:`\dot\delta`, and how its factor follows from a coefficient of restitution.

To add a law write a file in this folder with a subclass; it is found by itself.
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
    """Constant numbers of two bodies that touch, from which a law takes its factor.

    Attributes
    ----------
    restitution : scalar
        Speed after an impact by that before it, in (0, 1].
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
    """Two bodies that touch, in symbols.

    Attributes
    ----------
    elastic : expression
        The elastic force; zero where they do not touch.
    speed : expression
        Rate of the depth.
    approach : expression
        That at the begin of this contact, positive.
    factor : expression
        What the law has found for this pair.
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
        What ``law=`` says.
    exponent : float
        Of the elastic force, unless the user gives another.
    formula : str
        The resistance and its factor, for tables.
    """

    name: ClassVar[str]
    exponent: ClassVar[float] = 1.5
    formula: ClassVar[str]

    @abstractmethod
    def factor(self, pair: Pair) -> Scalar:
        """Return the factor of the resistance for a pair."""

    def resistance(self, pressed: Pressed) -> Expr:
        r"""Return the resistance, by default :math:`K\delta^n \chi \dot\delta/\dot\delta_0`."""
        return pressed.elastic * pressed.factor * pressed.speed / pressed.approach


@cache
def contact_laws() -> dict[str, type[Any]]:
    """Return the laws by name."""
    return classes("mbdgen.contact_laws", ContactLaw)
