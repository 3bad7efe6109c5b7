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
from mbdgen.geometry.symbolic_vectors import Expr


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
    bristle_stiffness, bristle_damping, viscous : expression
        Of laws with bristles: by the normal force, in 1/m and s/m.
    """

    coefficient: Expr
    static: Expr
    creep: Expr
    fade: Expr
    bristle_stiffness: Expr = 0
    bristle_damping: Expr = 0
    viscous: Expr = 0


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


class BristleLaw(FrictionLaw):
    """Base of laws whose friction is the pull of bristles, which are bent by sliding.

    Along each direction the bend z is a state of its own; v is the velocity along it, s the speed
    of sliding. `coefficient` is what they come to at a constant speed.
    """

    @abstractmethod
    def rate(self, v: Expr, s: Expr, z: Expr, rubbing: Rubbing) -> Expr:
        """Return the rate of a bend."""

    @abstractmethod
    def pull(self, v: Expr, rate: Expr, z: Expr, rubbing: Rubbing) -> Expr:
        """Return the pull by the normal force."""


@cache
def friction_laws() -> dict[str, type[Any]]:
    """Return the laws by name."""
    return classes("mbdgen.friction_laws", FrictionLaw)


def is_bristle_law(name: str) -> bool:
    """Whether a law by this name has bristles."""
    return name in friction_laws() and issubclass(friction_laws()[name], BristleLaw)
