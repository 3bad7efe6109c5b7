"""Initial orientations: quaternion (scalar first), axis-angle, Euler angles, rotation matrix.

``R(q)`` turns components in body axes into components in global axes (active, local to global); its
columns are the body axes. Angles are in radians.
"""

import logging
import math
from dataclasses import dataclass
from functools import cached_property
from itertools import product as pairs
from typing import Any

import numpy as np

from mbdgen.errors import ModelError
from mbdgen.language.expressions.scalars import (
    Defaults,
    Mat33,
    Scalar,
    Vec3,
    as_scalar,
    cos,
    entries,
    is_number,
    matrix33,
    shown,
    sin,
    value_of,
    vector,
    vector3,
)
from mbdgen.language.expressions.small_vectors import (
    dot,
    norm,
    normalised,
    product,
    times_vector,
    transposed,
)
from mbdgen.language.markers.triad import direction

logger = logging.getLogger(__name__)

Quaternion = tuple[Scalar, Scalar, Scalar, Scalar]

# Quaternions are given with at least three decimals; larger errors are more likely mistakes.
TOLERANCE = 1e-3

_LETTERS = "xyz"
EULER_SEQUENCES = tuple(a + b + c for a, b, c in pairs(_LETTERS, repeat=3) if a != b and b != c)


@dataclass(frozen=True)
class Orientation:
    """A rotation from body axes to global axes.

    Write one with `quaternion`, `axis_angle`, `euler` or `rotation_matrix`; they validate.

    Attributes
    ----------
    q : tuple of 4 scalars
        Unit quaternion ``(q0, q1, q2, q3) = (cos(angle/2), u sin(angle/2))``.
    """

    q: Quaternion

    @cached_property
    def _rows(self) -> Mat33:
        q0, q1, q2, q3 = self.q
        return (
            (_diagonal(q0, q1, q2, q3), _off(q1, q2, q0, q3, -1), _off(q1, q3, q0, q2, +1)),
            (_off(q1, q2, q0, q3, +1), _diagonal(q0, q2, q3, q1), _off(q2, q3, q0, q1, -1)),
            (_off(q1, q3, q0, q2, -1), _off(q2, q3, q0, q1, +1), _diagonal(q0, q3, q1, q2)),
        )

    def matrix(self) -> Mat33:
        """Return the rotation matrix ``R = (q0^2 - e.e) I + 2 e e^T + 2 q0 skew(e)`` as rows."""
        return self._rows

    def apply(self, v: object) -> Vec3:
        """Return the global components ``R v`` of a vector given in body axes."""
        return times_vector(self.matrix(), vector3(v, "vector to rotate"))

    def inverse_apply(self, v: object) -> Vec3:
        """Return the body components ``R^T v`` of a vector given in global axes."""
        return times_vector(transposed(self.matrix()), vector3(v, "vector to rotate"))

    def inverse(self) -> "Orientation":
        """Return the rotation from global axes to body axes."""
        q0, q1, q2, q3 = self.q
        return Orientation((q0, -q1, -q2, -q3))

    def __matmul__(self, other: "Orientation") -> "Orientation":
        """Return ``R(self) R(other)``: `other` is given relative to the axes of `self`."""
        if not isinstance(other, Orientation):
            return NotImplemented
        return Orientation(_hamilton(self.q, other.q))

    def values(self, defaults: Defaults | None, what: str = "orientation") -> tuple[float, ...]:
        """Return the four components at the defaults of the parameters.

        Raises
        ------
        ModelError
            If they are not finite, for example because an axis vanishes at the defaults.
        """
        return tuple(value_of(x, defaults, what) for x in self.q)


IDENTITY = Orientation((1.0, 0.0, 0.0, 0.0))


def quaternion(
    q0: object, q1: object, q2: object, q3: object, *, what: str = "quaternion"
) -> Orientation:
    """Return the orientation of a quaternion, scalar first.

    Any quaternion but zero states a rotation, so it is normalised; a norm further than 1e-3 from
    one is legal, but logged as a warning because it is often a slip.
    """
    q = vector((q0, q1, q2, q3), 4, what)
    if all(is_number(x) for x in q):
        length = value_of(norm(q), None, f"norm of {what}")
        if length == 0:
            raise ModelError(f"{what} is zero.", "Give (1, 0, 0, 0) for no rotation.")
        if abs(length - 1) > TOLERANCE:
            logger.warning("%s has norm %.6g; it is normalised.", what, length)
    return Orientation(_four(normalised(q)))


def axis_angle(axis: object, angle: object, *, what: str = "rotation axis") -> Orientation:
    """Return the rotation by `angle` about `axis` (of any length but zero)."""
    u = direction(axis, what)
    turned = as_scalar(angle, f"angle about the {what}")
    _note_degrees(turned, f"angle about the {what}")
    half = turned / 2
    s = sin(half)
    return Orientation((cos(half), product(s, u[0]), product(s, u[1]), product(s, u[2])))


def euler(sequence: str, a1: object, a2: object, a3: object) -> Orientation:
    """Return the orientation after three rotations about coordinate axes.

    Lower case means about the axes of the body as they turn (intrinsic):
    ``euler("zxz", a, b, c)`` is ``Rz(a) Rx(b) Rz(c)``. Upper case means about the fixed axes
    (extrinsic): ``euler("XYZ", a, b, c)`` is ``Rz(c) Ry(b) Rx(a)``. SciPy uses the opposite case.

    Parameters
    ----------
    sequence : str
        One of the 12 sequences without equal neighbours, all lower or all upper case.
    a1, a2, a3 : scalar
        Angles in the order of the letters, radians.
    """
    if not isinstance(sequence, str) or sequence not in (
        *EULER_SEQUENCES,
        *(s.upper() for s in EULER_SEQUENCES),
    ):
        raise ModelError(
            f"Euler sequence {sequence!r} does not exist.",
            f"Use one of {', '.join(EULER_SEQUENCES)}, or in upper case for fixed axes.",
        )
    first, second, third = (
        axis_angle(_unit(_LETTERS.index(letter)), angle, what=f"{letter} axis of {sequence!r}")
        for letter, angle in zip(sequence.lower(), (a1, a2, a3), strict=True)
    )
    return first @ second @ third if sequence.islower() else third @ second @ first


def _note_degrees(angle: Scalar, what: str) -> None:
    """Warn if an angle seems to be in degrees: several revolutions, in round degrees."""
    if is_number(angle) and abs(angle) > 2 * math.pi and angle % 5 == 0:
        logger.warning(
            "The %s is %g rad, which is %.1f turns: if degrees are meant, write math.radians(%g).",
            *(what, angle, abs(angle) / (2 * math.pi), angle),
        )


def rotation_matrix(
    rows: object, *, defaults: Defaults | None = None, what: str = "rotation matrix"
) -> Orientation:
    """Return the orientation of a rotation matrix (columns: body axes in global components).

    One column of ``4 q q^T`` is normalised. The column with the largest diagonal entry at the
    `defaults` is taken, so the division is never by a small number; the formula stays valid while
    parameters change, up to a half turn where that component vanishes. ``q0 >= 0`` at the defaults.

    Raises
    ------
    ModelError
        If ``R^T R`` differs from one by more than 1e-3, or the determinant is negative.
    """
    r = matrix33(rows, what)
    numeric = np.array([[value_of(x, defaults, what) for x in row] for row in r])
    _check_rotation(numeric, what)
    column = _largest_column(numeric)
    values = [float(x) for x in _column(numeric, column)]
    # q and -q are the same rotation; one of them is chosen by the first entry that is not zero.
    sign = next(1.0 if x > 0 else -1.0 for x in values if abs(x) > 1e-12)
    return Orientation(_four(normalised([product(sign, x) for x in _column(r, column)])))


def as_orientation(
    x: object, *, defaults: Defaults | None = None, what: str = "orientation"
) -> Orientation:
    """Return `x` as an orientation: None, an `Orientation`, a quaternion or a rotation matrix."""
    if x is None:
        return IDENTITY
    if isinstance(x, Orientation):
        return x
    items = entries(x)
    if items is not None and len(items) == 4:
        return quaternion(*items, what=what)
    if items is not None and len(items) == 3 and all(entries(row) is not None for row in items):
        return rotation_matrix(x, defaults=defaults, what=what)
    raise ModelError(
        f"{what} is {shown(x)}, neither a quaternion nor a 3 x 3 matrix.",
        "Use quaternion(), axis_angle(), euler() or rotation_matrix().",
    )


def _hamilton(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return the product of two quaternions: ``R(a b) = R(a) R(b)``."""
    a0, a1, a2, a3 = a
    return (
        dot((a0, -a1, -a2, -a3), b),
        dot((a1, a0, -a3, a2), b),
        dot((a2, a3, a0, -a1), b),
        dot((a3, -a2, a1, a0), b),
    )


def _diagonal(q0: Scalar, own: Scalar, b: Scalar, c: Scalar) -> Scalar:
    return dot((q0, own), (q0, own)) - dot((b, c), (b, c))


def _off(a: Scalar, b: Scalar, q0: Scalar, c: Scalar, sign: int) -> Scalar:
    total = product(a, b) + sign * product(q0, c)
    return product(2.0, total)


def _unit(k: int) -> Vec3:
    return float(k == 0), float(k == 1), float(k == 2)


def _four(q: tuple[Scalar, ...]) -> Quaternion:
    q0, q1, q2, q3 = q
    return q0, q1, q2, q3


def _largest_column(r: Any) -> int:
    trace = r[0][0] + r[1][1] + r[2][2]
    return int(np.argmax([trace, r[0][0], r[1][1], r[2][2]]))


def _column(r: Any, k: int) -> list[Any]:
    """Return column `k` of ``4 q q^T``, written with the entries of the rotation matrix."""
    d0, d1, d2 = r[0][0], r[1][1], r[2][2]
    x, y, z = r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]
    xy, xz, yz = r[0][1] + r[1][0], r[0][2] + r[2][0], r[1][2] + r[2][1]
    return [
        [1 + d0 + d1 + d2, x, y, z],
        [x, 1 + d0 - d1 - d2, xy, xz],
        [y, xy, 1 - d0 + d1 - d2, yz],
        [z, xz, yz, 1 - d0 - d1 + d2],
    ][k]


def _check_rotation(r: Any, what: str) -> None:
    error = float(np.abs(r.T @ r - np.eye(3)).max())
    if error > TOLERANCE:
        raise ModelError(
            f"{what} is not orthogonal (R^T R differs from 1 by {error:.2g}).",
            "Its columns must be the body axes: unit vectors normal to each other.",
        )
    if np.linalg.det(r) < 0:
        raise ModelError(f"{what} is a reflection (determinant -1).", "Use a right-handed triad.")
