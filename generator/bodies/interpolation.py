r"""Natural coordinates: interpolation weights, mass matrix, rigidity conditions of a body.

A body point with local coordinates s is at :math:`r = \sum_j c_j(s)\, d_j`, where the :math:`d_j`
are the positions of basic points and the basic vectors. The weights are linear in s,
:math:`c_j = Y_{j0} + \sum_k Y_{jk} s_k`, because origin and axes of the body are combinations of
the basic ones: with :math:`b_j = d_j - d_1` for a point and :math:`b_j = d_j` for a vector the
axes are :math:`e_k = \sum_j b_j (X^{-1})_{jk}`, X having the local components of the
:math:`b_j` as columns, and the origin is :math:`d_1 - \sum_k s_{1k} e_k`.

In the plane the same holds with complex numbers: :math:`e_1` is the only axis, and the product with
i is a rotation by 90 degrees. A weight is therefore a pair, its second part zero in space.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar, Vec3, sqrt
from mbdgen.language.expressions.small_vectors import cross, dot, minus, norm, product


class BasicPair(NamedTuple):
    """A complex number of scalars."""

    along: Scalar
    turned: Scalar = 0.0

    def plus(self, other: "BasicPair") -> "BasicPair":
        """Return the sum."""
        return BasicPair(self.along + other.along, self.turned + other.turned)

    def times(self, other: "BasicPair") -> "BasicPair":
        """Return the product."""
        along = product(self.along, other.along) - product(self.turned, other.turned)
        return BasicPair(
            along, product(self.along, other.turned) + product(self.turned, other.along)
        )

    def conjugate(self) -> "BasicPair":
        """Return the complex conjugate."""
        return BasicPair(self.along, -self.turned)

    def inverse(self) -> "BasicPair":
        """Return the reciprocal."""
        square = product(self.along, self.along) + product(self.turned, self.turned)
        return BasicPair(self.along / square, -self.turned / square)


ZERO, ONE = BasicPair(0.0), BasicPair(1.0)


@dataclass(frozen=True)
class Basic:
    """A basic point or vector in local components."""

    local: Vec3
    is_point: bool


def basics(motion: Motion) -> list[Basic]:
    """Return the points of a body, then its vectors."""
    return [Basic(s, True) for s in motion.points] + [Basic(s, False) for s in motion.vectors]


def total(terms: Sequence[BasicPair]) -> BasicPair:
    """Return the sum."""
    result = ZERO
    for x in terms:
        result = result.plus(x)
    return result


def interpolation(chosen: Sequence[Basic], planar: bool) -> list[list[BasicPair]]:
    """Return Y: the weight of every basic point or vector in the origin and in each axis.

    Parameters
    ----------
    chosen : sequence of Basic
        As many as required; the first is a point.
    """
    first, *others = chosen
    arms = [minus(x.local, first.local) if x.is_point else x.local for x in others]
    inverse = _plane_inverse(arms) if planar else _space_inverse(arms)
    start = _components(first.local, planar)
    rows = []
    for j in range(len(chosen)):
        if j == 0:
            among = [row for row, x in zip(inverse, others, strict=True) if x.is_point]
            axes = [total([_negative(row[k]) for row in among]) for k in range(len(start))]
        else:
            axes = list(inverse[j - 1])
        shifted = [_negative(s.times(y)) for s, y in zip(start, axes, strict=True)]
        rows.append([total([ONE if j == 0 else ZERO, *shifted]), *axes])
    return rows


def weights(y: Sequence[Sequence[BasicPair]], x: Basic, planar: bool) -> list[BasicPair]:
    """Return the weights of the basic ones in another point or vector of the body."""
    s = [ONE if x.is_point else ZERO, *_components(x.local, planar)]
    return [total([a.times(b) for a, b in zip(row, s, strict=True)]) for row in y]


def inertia(
    y: Sequence[Sequence[BasicPair]], motion: Motion, planar: bool
) -> list[list[BasicPair]]:
    r"""Return :math:`M_{jk} = \int \bar c_j c_k\, dm` as blocks of the mass matrix."""
    moments = _moments(motion, planar)
    size = range(len(moments))

    def entry(a: Sequence[BasicPair], b: Sequence[BasicPair]) -> BasicPair:
        terms = (a[k].conjugate().times(moments[k][m]).times(b[m]) for k in size for m in size)
        return total(list(terms))

    def block(j: int, k: int) -> BasicPair:
        whole = entry(y[j], y[k])
        return BasicPair(whole.along) if j == k else whole  # of round-off

    return [[block(j, k) for k in range(len(y))] for j in range(len(y))]


@dataclass(frozen=True)
class RigidityCondition:
    """A rigidity condition: ``(square - value)/scale``, or with the product of two arms.

    Attributes
    ----------
    first, second : int
        Indices of the arms, see `arms`.
    is_distance : bool
        Whether the square of their difference is constant, instead of their product.
    value, scale : scalar
        Constant value, and the scale that makes the condition a length (or dimensionless).
    """

    first: int
    second: int
    is_distance: bool
    value: Scalar
    scale: Scalar


def products(chosen: Sequence[Basic], distances: bool) -> list[RigidityCondition]:
    """Return the rigidity conditions of arms from the first point and of vectors.

    Parameters
    ----------
    distances : bool
        Whether mutual distances are constant, instead of the products of arms.
    """
    first, *others = chosen
    arms = [minus(x.local, first.local) if x.is_point else x.local for x in others]
    lengths = [norm(arm) for arm in arms]
    found = []
    for j, a in enumerate(arms):
        found.append(RigidityCondition(j, j, False, dot(a, a), 2 * lengths[j]))
        for k in range(j + 1, len(arms)):
            if distances and others[j].is_point and others[k].is_point:
                across = minus(arms[k], a)
                found.append(RigidityCondition(j, k, True, dot(across, across), 2 * norm(across)))
            else:
                scale = sqrt(product(lengths[j], lengths[k]))
                found.append(RigidityCondition(j, k, False, dot(a, arms[k]), scale))
    return found


def _components(s: Sequence[Scalar], planar: bool) -> list[BasicPair]:
    return [BasicPair(s[0], s[1])] if planar else [BasicPair(c) for c in s]


def _negative(x: BasicPair) -> BasicPair:
    return BasicPair(-x.along, -x.turned)


def _plane_inverse(arms: Sequence[Vec3]) -> list[list[BasicPair]]:
    ((x, y, _),) = arms
    return [[BasicPair(x, y).inverse()]]


def _space_inverse(arms: Sequence[Vec3]) -> list[list[BasicPair]]:
    """Return the inverse of the matrix with three columns, by rows."""
    a, b, c = arms
    volume = dot(a, cross(b, c))
    rows = (cross(b, c), cross(c, a), cross(a, b))
    return [[BasicPair(x / volume) for x in row] for row in rows]


def _moments(motion: Motion, planar: bool) -> list[list[BasicPair]]:
    r"""Return :math:`\int \bar\sigma_k \sigma_l\, dm`, where sigma is 1 and local coordinates."""
    m, g = motion.mass, motion.centre_of_mass
    i = motion.inertia
    first = [BasicPair(x.along * m, x.turned * m) for x in _components(g, planar)]
    if planar:
        polar = i[2][2] + product(m, dot(g[:2], g[:2]))
        return [[BasicPair(m), first[0]], [first[0].conjugate(), BasicPair(polar)]]
    half = (i[0][0] + i[1][1] + i[2][2]) / 2
    rows = [[BasicPair(m), *first]]
    for k in range(3):
        second = [
            BasicPair((half if k == j else 0.0) - i[k][j] + product(m, product(g[k], g[j])))
            for j in range(3)
        ]
        rows.append([first[k], *second])
    return rows
