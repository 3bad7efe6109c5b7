r"""Families of modes of a straight uniform beam, and their dimensionless integrals.

A family displaces the midline along one axis of the beam, and rotates its sections about another by
the slope, or independently (torsion). With stiffening, bending also causes the foreshortening
:math:`\tfrac12 c_{ij} e_i e_j` with :math:`c_{ij} = \int_0^\xi w_i' w_j'`, for two modes in one
plane: its points keep their distances to second order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbdgen.gauss_legendre import gauss
from mbdgen.modal.line_modes import FloatArray, LineModes

GAUSS = 12
ROUND_OFF = 1e-12
"""Below are integrals of products that vanish: of modes that are orthogonal."""
Axis = tuple[int, int, int]


@dataclass(frozen=True)
class Sort:
    """Type of a family: the axis of displacement, and the axis of rotation."""

    name: str
    moves: Axis
    turns: Axis

    @property
    def bends(self) -> bool:
        """Whether sections turn by the slope."""
        return any(self.moves) and any(self.turns)


BENDING = Sort("bending", (0, 1, 0), (0, 0, 1))
BENDING_Z = Sort("bending along z", (0, 0, 1), (0, -1, 0))
STRETCHING = Sort("stretching", (1, 0, 0), (0, 0, 0))
TWISTING = Sort("twisting", (0, 0, 0), (1, 0, 0))
IN_PLANE = (BENDING, STRETCHING)
IN_SPACE = (BENDING, BENDING_Z, STRETCHING, TWISTING)


@dataclass(frozen=True)
class Family:
    """Modes of one sort."""

    sort: Sort
    modes: LineModes


@dataclass(frozen=True)
class FamilyIntegrals:
    r"""Integrals over :math:`\xi` from 0 to 1, for all modes of all families in their order.

    Attributes
    ----------
    one, arm : array, shape (n,)
        Of the modes, and of them times :math:`\xi - 1/2`.
    pairs : array, shape (n, n)
        Of products.
    c, c_arm : array, shape (n, n)
        Of :math:`c_{ij}`, and of it times :math:`\xi - 1/2`.
    """

    one: FloatArray
    arm: FloatArray
    pairs: FloatArray
    c: FloatArray
    c_arm: FloatArray


def sorts_of(families: Sequence[Family]) -> list[Sort]:
    """Return the sort of every mode."""
    return [family.sort for family in families for _ in family.modes.values]


def integrals(families: Sequence[Family], mean: bool) -> FamilyIntegrals:
    """Return the integrals; in the mean frame those that vanish are exactly zero."""
    x, weights = _gauss(np.linspace(0, 1, max(_pieces(f.modes) for f in families) + 1))
    values, arm = np.vstack([f.modes.field(x)[0] for f in families]), x - 0.5
    c = np.array([shortening(families, place) for place in x]).transpose(1, 2, 0)
    kept = 0.0 if mean else 1.0
    bends = np.array([sort.bends for sort in sorts_of(families)])
    pairs = (values * weights) @ values.T
    return FamilyIntegrals(
        one=kept * (values @ weights),
        arm=np.where(bends, kept, 1.0) * (values @ (weights * arm)),
        pairs=np.where(abs(pairs) < ROUND_OFF, 0.0, pairs),
        c=kept * (c @ weights),
        c_arm=c @ (weights * arm),
    )


def shortening(families: Sequence[Family], place: float) -> FloatArray:
    """Return the foreshortening of a point towards the start, for each pair of modes."""
    n = len(sorts_of(families))
    found, first = np.zeros((n, n)), 0
    for family in families:
        last = first + len(family.modes.values)
        if family.sort.bends:
            found[first:last, first:last] = _shortening(family.modes, place)
        first = last
    return found


def _shortening(bending: LineModes, place: float) -> FloatArray:
    ends = np.linspace(0, 1, _pieces(bending) + 1)
    ends = np.append(ends[ends < place], place)
    if len(ends) < 2:
        return np.zeros((len(bending.values),) * 2)
    x, weights = _gauss(ends)
    slope = bending.field(x)[1]
    return (slope * weights) @ slope.T


def _pieces(modes: LineModes) -> int:
    """Return how many parts integrate products of the modes to round-off."""
    return max(modes.pieces, len(modes.values) + 1 if modes.pieces == 1 else 1)


def _gauss(ends: FloatArray) -> tuple[FloatArray, FloatArray]:
    x, weights = gauss(GAUSS)
    sizes = np.diff(ends)
    return (ends[:-1, None] + sizes[:, None] * x).ravel(), (sizes[:, None] * weights).ravel()
