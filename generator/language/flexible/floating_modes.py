r"""Modal integrals and shape functions of a beam in a floating frame, with their dimensions.

A mode of a family displaces by :math:`\varphi = f(\xi)\, n/\sqrt m`, n its axis and m the mass of
the beam; a torsional one rotates by :math:`f(\xi)\, e_1/\sqrt{J}`, with the moment of inertia J of
all sections about the midline. The rotary inertia of bending is neglected.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

import numpy as np

from mbdgen.language.expressions.scalars import Scalar, sqrt
from mbdgen.language.flexible.modal_motion import BodyModes, Row
from mbdgen.modal.families import (
    ROUND_OFF,
    TWISTING,
    Family,
    FamilyIntegrals,
    Sort,
    integrals,
    shortening,
    sorts_of,
)

_ALONG = np.array([1, 0, 0])
_TENSOR = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class BeamModes:
    """Modes of a beam with its dimensions.

    Attributes
    ----------
    families : tuple of Family
        In the order of their amplitudes.
    length, mass, spin : scalar
        Length and mass of the beam; `spin` is its moment of inertia about the midline.
    planar : bool
        Whether only the components in the plane xy are returned.
    mean, stiffened : bool
        Whether the frame is the mean frame, and whether foreshortening is included.
    """

    families: tuple[Family, ...]
    length: Scalar
    mass: Scalar
    spin: Scalar
    planar: bool
    mean: bool
    stiffened: bool

    @property
    def count(self) -> int:
        """Number of modes."""
        return len(sorts_of(self.families))

    def table(self, stiffness: Sequence[Scalar]) -> BodyModes:
        """Return the modal integrals; of the stiffness, the unit of each family's eigenvalues."""
        x, sorts = integrals(self.families, self.mean), sorts_of(self.families)
        each = list(enumerate(sorts))
        pairs = list(combinations_with_replacement(each, 2))
        drawn = pairs if self.stiffened else []
        second = drawn if self.planar else pairs
        values = zip(self.families, stiffness, strict=True)
        return BodyModes(
            stiffness=tuple(float(v) * unit for f, unit in values for v in f.modes.values),
            damping=(),
            shift=tuple(self._moved(self._shift(x, i, s)) for i, s in each),
            turn=tuple(self._turned(self._turn(x, i, s)) for i, s in each),
            inertia=tuple(self._tensor(self._inertia(x, i, s)) for i, s in each),
            inertia_2=tuple(self._tensor(self._second(x, a, b)) for a, b in second),
            gyration=tuple(
                self._turned(_times(float(x.pairs[i, j]), np.cross(a.moves, b.moves)))
                for (i, a), (j, b) in combinations(each, 2)
            ),
            shift_2=tuple(
                self._moved(_times(-1 / self.length, _ALONG, float(x.c[i, j])))
                for (i, _), (j, _) in drawn
            ),
        )

    def shape(self, share: float, y: Scalar, z: Scalar) -> Row:
        """Return displacements and rotations of a section by the modes, and its foreshortening."""
        moved: list[Scalar] = []
        turned: list[Scalar] = []
        root = sqrt(self.mass)
        for family in self.families:
            for x in np.transpose(family.modes.field(np.array([share])))[0]:
                value, slope = np.where(abs(x) < ROUND_OFF, 0.0, x).tolist()
                turn = (
                    value / sqrt(self.spin)
                    if family.sort is TWISTING
                    else slope / (root * self.length)
                )
                a, b, c = _times(turn, family.sort.turns)
                u, v, w = _times(1 / root, family.sort.moves, value)
                moved += self._moved((u + b * z - c * y, v - a * z, w + a * y))
                turned += self._turned((a, b, c))
        return (*moved, *turned, *self._drawn(share))

    def _drawn(self, share: float) -> Row:
        if not self.stiffened:
            return ()
        c = shortening(self.families, share)
        if self.mean:
            c = c - integrals(self.families, mean=False).c
        scale = -1 / (self.mass * self.length)
        found: list[Scalar] = []
        for i, j in combinations_with_replacement(range(self.count), 2):
            b = _times(scale, _ALONG, float(c[i, j]))
            found += b[:1] if self.planar else b
        return tuple(found)

    def _shift(self, x: FamilyIntegrals, i: int, sort: Sort) -> Row:
        return _times(sqrt(self.mass), sort.moves, float(x.one[i]))

    def _turn(self, x: FamilyIntegrals, i: int, sort: Sort) -> Row:
        if sort is TWISTING:
            return _times(sqrt(self.spin), sort.turns, float(x.one[i]))
        return _times(sqrt(self.mass) * self.length, np.cross(_ALONG, sort.moves), float(x.arm[i]))

    def _inertia(self, x: FamilyIntegrals, i: int, sort: Sort) -> Row:
        return _times(
            sqrt(self.mass) * self.length, _spread(_ALONG, np.array(sort.moves)), float(x.arm[i])
        )

    def _second(self, x: FamilyIntegrals, a: tuple[int, Sort], b: tuple[int, Sort]) -> Row:
        """Return the coefficients of products of two amplitudes in the inertia tensor."""
        (i, one), (j, other) = a, b
        half = 0.5 if i == j else 1.0
        found = np.zeros(6)
        if self.stiffened:
            found -= half * float(x.c_arm[i, j]) * _spread(_ALONG, _ALONG)
        if not self.planar:  # there the squared norms of normal modes are known
            found += (
                half * float(x.pairs[i, j]) * _spread(np.array(one.moves), np.array(other.moves))
            )
        return tuple(map(float, found))

    def _moved(self, row: Row) -> Row:
        return row[:2] if self.planar else row

    def _turned(self, row: Row) -> Row:
        return row[2:] if self.planar else row

    def _tensor(self, row: Row) -> Row:
        return row[2:3] if self.planar else row


def _spread(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    r"""Return the entries of :math:`2\, a \cdot b\, 1 - a b^T - b a^T`."""
    whole = 2 * (a @ b) * np.eye(3) - np.outer(a, b) - np.outer(b, a)
    return np.array([whole[index] for index in _TENSOR])


def _times(scale: Scalar, axis: Sequence[int] | np.ndarray, number: float = 1.0) -> Row:
    """Return a scalar times the entries of an axis; zero products are floats."""
    return tuple(scale * (number * float(a)) if number and a else 0.0 for a in axis)
