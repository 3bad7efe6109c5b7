r"""Friction laws: base class and registry. A law is defined only by its file in this folder.

The friction force at the sliding velocity v is :math:`-N \mu(v)`: a law defines the odd function
:math:`\mu(v)`, continuous at zero.

To add a law write a file in this folder with a subclass; it is discovered automatically.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from mbdgen.finding import classes
from mbdgen.geometry.symbolic_vectors import Expr


@dataclass(frozen=True)
class Rubbing:
    """Symbolic friction parameters of two sliding surfaces.

    Attributes
    ----------
    coefficient, static : expression
        Coefficients of kinetic and static friction, mu and mu_s.
    creep : expression
        Regularisation velocity v_0, below which friction is about proportional to the velocity.
    fade : expression
        Stribeck velocity v_s, of the decay of static friction.
    bristle_stiffness, bristle_damping, viscous : expression
        Bristle parameters relative to the normal force, in 1/m and s/m.
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
        Value of ``friction=``.
    formula : str
        Formula of the coefficient, for tables.
    """

    name: ClassVar[str]
    formula: ClassVar[str]

    @abstractmethod
    def coefficient(self, speed: Expr, rubbing: Rubbing) -> Expr:
        """Return mu(v), an odd function."""


class BristleLaw(FrictionLaw):
    """Base of bristle friction laws (LuGre), with an internal deflection state.

    The deflection z along each direction is a state; v is the velocity along it, s the sliding
    speed. `coefficient` is the steady state at constant velocity.
    """

    @abstractmethod
    def rate(self, v: Expr, s: Expr, z: Expr, rubbing: Rubbing) -> Expr:
        """Return the rate of a bristle deflection."""

    @abstractmethod
    def pull(self, v: Expr, rate: Expr, z: Expr, rubbing: Rubbing) -> Expr:
        """Return the bristle force relative to the normal force."""


@cache
def friction_laws() -> dict[str, type[Any]]:
    """Return the laws by name."""
    return classes("mbdgen.friction_laws", FrictionLaw)


def is_bristle_law(name: str) -> bool:
    """Return whether the law of this name is a bristle law."""
    return name in friction_laws() and issubclass(friction_laws()[name], BristleLaw)
