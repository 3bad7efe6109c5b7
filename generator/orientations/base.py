r"""Rotation parametrisations (orientation sets): base class, definition by the rotation matrix.

To add one write a file in this folder with a subclass; it is discovered automatically. A body kind
is made of it by adding the centre of mass. Of equations a set states only the rotation matrix
:math:`R(o)`, body to global axes: differentiated it gives :math:`[\bar\omega]_\times = R^T \dot R`
and everything else.
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
    """Rotation parameters ``o`` of the axes of a body.

    Attributes
    ----------
    name : str
        Value of ``coordinates=``.
    coordinates : tuple of str
        Names of the parameters.
    reach, singular : str
        Range and singularities, in words.
    home : tuple of float
        Values farthest from the singularity.
    rebased : bool
        Whether the axes are relative to a base that a run may switch: ``R = R_base R(o)``. A set
        without singularities, or with `other` parameters for every orientation, needs none.
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
        """Return the parameters of an orientation; division by zero at a singularity."""

    def tangent(self, o: Sequence[Expr], name: Namer) -> Sequence[Vec]:
        r"""Return the columns of :math:`\partial\bar\omega/\partial\dot o` in short.

        By default derived from the matrix; a shorter closed form gives faster code.
        """
        return ()

    def norms(self, o: Sequence[Expr]) -> list[Expr]:
        """Return the conditions on more than three parameters; each is zero."""
        return []

    def other(self, o: Sequence[Expr]) -> Sequence[Expr]:
        """Return other parameters of the same orientation, farther from the singularity."""
        return ()
