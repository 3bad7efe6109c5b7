"""Linear algebra of small vectors and matrices with numeric or symbolic entries.

Sums skip zeros and products skip ones: expressions stay as short as the geometry is simple.
"""

import math
import sys
from collections.abc import Sequence

from mbdgen.language.expressions.scalars import Mat33, Scalar, Vec3, is_number, sqrt


def product(a: Scalar, b: Scalar) -> Scalar:
    """Return ``a b`` without writing ``0*x`` or ``1*x`` into an expression."""
    for one, other in ((a, b), (b, a)):
        if is_number(one) and one == 0:
            return 0.0
        if is_number(one) and one == 1:
            return other
    return a * b


def dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    """Return ``sum_i a_i b_i``."""
    total: Scalar = 0.0
    for x, y in zip(a, b, strict=True):
        total = total + product(x, y)
    return total


def cross(a: Vec3, b: Vec3) -> Vec3:
    """Return ``a x b``."""
    return (
        product(a[1], b[2]) - product(a[2], b[1]),
        product(a[2], b[0]) - product(a[0], b[2]),
        product(a[0], b[1]) - product(a[1], b[0]),
    )


def scaled(factor: Scalar, a: Vec3) -> Vec3:
    """Return ``factor a``."""
    return product(factor, a[0]), product(factor, a[1]), product(factor, a[2])


def minus(a: Vec3, b: Vec3) -> Vec3:
    """Return ``a - b``."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def norm(a: Sequence[Scalar]) -> Scalar:
    """Return ``sqrt(a.a)``, free of overflow when all entries are numbers."""
    numbers = [x for x in a if is_number(x)]
    return math.hypot(*numbers) if len(numbers) == len(a) else sqrt(dot(a, a))


def normalised(a: Sequence[Scalar]) -> tuple[Scalar, ...]:
    """Return ``a / |a|``; the caller has made sure that ``|a|`` is not zero."""
    length = norm(a)
    if is_number(length) and not math.isfinite(length):  # the sum overflows, the entries do not
        return normalised([x / 2 for x in a])
    return tuple(0.0 if is_number(x) and x == 0 else x / length for x in a)


def times_vector(m: Mat33, a: Vec3) -> Vec3:
    """Return ``m a``."""
    return dot(m[0], a), dot(m[1], a), dot(m[2], a)


def transposed(m: Mat33) -> Mat33:
    """Return the transpose of `m`."""
    a, b, c = m
    return (a[0], b[0], c[0]), (a[1], b[1], c[1]), (a[2], b[2], c[2])


def snapped3(a: Vec3, scale: float) -> Vec3:
    """Return `a` without the round-off of rotations into other axes.

    Numbers within a few units of round-off of 0 or of +-1 become exact, so that the code generated
    from them has no terms like ``1e-16*x``.

    Parameters
    ----------
    scale : float
        Size of the numbers that `a` was computed from.
    """
    numbers = [abs(x) for x in a if is_number(x)]
    noise = 8 * sys.float_info.epsilon * max([scale, *numbers])
    x, y, z = (_snap(c, noise) for c in a)
    return x, y, z


def _snap(x: Scalar, noise: float) -> Scalar:
    if not is_number(x):
        return x
    for exact in (0.0, 1.0, -1.0):
        if abs(x - exact) <= noise:
            return exact
    return x
