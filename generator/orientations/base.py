r"""What an orientation set states, and nothing else about it is known anywhere.

To add one write a file in this folder with a subclass; it is found by itself. A body kind is made
of it by adding the centre of mass. Of equations a set states only the rotation matrix
:math:`R(o)`, body to global axes: differentiated it gives
:math:`[\bar\omega]_\times = R^T \dot R` and everything else.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.language.bodies.orientation import Orientation
from mbdgen.language.expressions.scalars import Scalar

Namer = Callable[[str, Expr], Expr]
"""``name("c0", expression)`` returns an intermediate result that is computed once."""


class OrientationSet(ABC):
    """Numbers ``o`` that place the axes of a body.

    Attributes
    ----------
    name : str
        What ``coordinates=`` says.
    coordinates : tuple of str
        Names of the numbers.
    reach, singular : str
        How far they reach and where they fail, for people.
    home : tuple of float
        Where they are farthest from failing.
    rebased : bool
        Whether the axes are counted from a base that a run may switch: ``R = R_base R(o)``. A set
        that never fails, or that has `other` numbers for every orientation, needs none.
    """

    name: ClassVar[str]
    coordinates: ClassVar[tuple[str, ...]]
    reach: ClassVar[str]
    singular: ClassVar[str]
    home: ClassVar[tuple[float, ...]]
    rebased: ClassVar[bool]

    @abstractmethod
    def rotation(self, o: Sequence[Expr], name: Namer) -> tuple[Vec, Vec, Vec]:
        """Return the columns of the rotation matrix."""

    @abstractmethod
    def initial(self, orientation: Orientation) -> Sequence[Scalar]:
        """Return the numbers of an orientation; dividing by zero means that there are none."""

    def tangent(self, o: Sequence[Expr], name: Namer) -> Sequence[Vec]:
        r"""Return the columns of :math:`\partial\bar\omega/\partial\dot o` in short.

        They follow from the matrix; a set that knows a shorter form of them makes faster code.
        """
        return ()

    def norms(self, o: Sequence[Expr]) -> list[Expr]:
        """Return the conditions on more than three numbers; each vanishes."""
        return []

    def other(self, o: Sequence[Expr]) -> Sequence[Expr]:
        """Return other numbers of the same orientation, farther from failing if these are near."""
        return ()
