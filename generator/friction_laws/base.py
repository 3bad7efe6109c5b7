r"""What a friction law states, and nothing else about it is known anywhere.

The force on what slides with the speed v is :math:`-N \mu(v)`: a law states the odd function
:math:`\mu(v)`, which rises through zero without a jump.

To add a law write a file in this folder with a subclass; it is found by itself.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from mbdgen.finding import classes
from mbdgen.geometry.vectors import Expr


@dataclass(frozen=True)
class Rubbing:
    """Numbers of two surfaces that slide on each other, in symbols.

    Attributes
    ----------
    coefficient, static : expression
        Coefficients of motion and of rest, mu and mu_s.
    creep : expression
        The speed v_0 below which friction is about proportional to the speed.
    fade : expression
        The speed v_s where static friction has faded.
    """

    coefficient: Expr
    static: Expr
    creep: Expr
    fade: Expr


class FrictionLaw(ABC):
    """Base of friction laws.

    Attributes
    ----------
    name : str
        What ``friction=`` says.
    formula : str
        The coefficient, for tables.
    """

    name: ClassVar[str]
    formula: ClassVar[str]

    @abstractmethod
    def coefficient(self, speed: Expr, rubbing: Rubbing) -> Expr:
        """Return mu(v), an odd function."""


@cache
def friction_laws() -> dict[str, type[Any]]:
    """Return the laws by name."""
    return classes("mbdgen.friction_laws", FrictionLaw)
