"""Mass and inertia tensor of a rigid body, about the centre of mass; parallel-axis theorem."""

import logging
from dataclasses import dataclass

import numpy as np

from mbdgen.errors import ModelError
from mbdgen.language.expressions.scalars import (
    Defaults,
    Mat33,
    Scalar,
    Vec3,
    as_scalar,
    entries,
    is_number,
    matrix33,
    shown,
    value_of,
    vector3,
)
from mbdgen.language.expressions.small_vectors import minus, product

logger = logging.getLogger(__name__)

# Relative to the largest entry: symmetry and triangle inequality of typed or exported data.
TOLERANCE = 1e-9
# A negative moment within rounding of zero (thin rod, point mass) is zero.
ROUNDING = 1e-12

ORIGIN: Vec3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Inertia:
    """Inertia tensor about the centre of mass, in body axes.

    Make one with `as_inertia`, which validates, or with the functions of
    `mbdgen.language.bodies.homogeneous_shapes`.

    Attributes
    ----------
    tensor : 3 x 3 tuple of scalars
        Symmetric; off-diagonal entries are ``-integral of x y dm`` (some programs print products
        of inertia with the opposite sign).
    """

    tensor: Mat33

    @property
    def principal(self) -> bool:
        """Whether the body axes are principal axes: all off-diagonal entries are exactly zero."""
        return all(is_number(self.tensor[i][j]) and self.tensor[i][j] == 0 for i, j in _OFF)

    @property
    def diagonal(self) -> Vec3:
        """The three diagonal entries: the principal moments if `principal`."""
        t = self.tensor
        return t[0][0], t[1][1], t[2][2]

    def values(
        self, defaults: Defaults | None, what: str = "inertia"
    ) -> tuple[tuple[float, float, float], ...]:
        """Return numerical values of the tensor, at the defaults of the parameters."""
        return tuple(_numbers(row, defaults, what) for row in self.tensor)


_OFF = ((0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class MassProperties:
    """Mass and inertia of a body that is stated by its shape; see `homogeneous_shapes`."""

    mass: Scalar
    inertia: Inertia


def as_mass(x: object, *, defaults: Defaults | None = None, what: str = "mass") -> Scalar:
    """Return a mass.

    Raises
    ------
    ModelError
        If it is missing, not a number, or not positive at the defaults of the parameters.
    """
    if x is None:
        raise ModelError(f"{what} is missing.", "Give a positive number.")
    mass = as_scalar(x, what)
    if (defaults is not None or is_number(mass)) and value_of(mass, defaults, what) <= 0:
        raise ModelError(f"{what} is {shown(value_of(mass, defaults))}.", "Give a positive number.")
    return mass


def as_inertia(
    x: object,
    *,
    mass: object = None,
    about: object = None,
    centre: object = ORIGIN,
    defaults: Defaults | None = None,
    allow_unphysical: bool = False,
    what: str = "inertia",
) -> Inertia:
    """Return the inertia about the centre of mass, validated at the defaults of the parameters.

    About another point P it is moved by the parallel-axis theorem
    ``I_c = I_P - m (|d|^2 1 - d d^T)`` with ``d = P - C``.

    Parameters
    ----------
    x : Inertia, 3 scalars or 3 x 3 scalars
        Principal moments, or the full symmetric tensor, in body axes.
    mass : scalar, optional
        Needed with `about`.
    about : sequence of 3 scalars, optional
        The point P in body axes; None means the centre of mass.
    centre : sequence of 3 scalars
        The centre of mass C in body axes, from the same origin as `about`.
    defaults : mapping of Symbol to float, optional
        Needed if parameters appear.
    allow_unphysical : bool
        Accept principal moments that violate the triangle inequality (some published data do).
    what : str
        Which inertia, for the message, such as ``inertia of body 'rod'``.

    Raises
    ------
    ModelError
        If the shape is wrong, the tensor is not symmetric, a principal moment is negative, or one
        exceeds the sum of the others.
    """
    given = _tensor(x, defaults, what)
    if about is None:
        result = Inertia(given)
    elif isinstance(x, Inertia):
        raise ModelError(f"{what} is already about the centre of mass.", "Remove the other point.")
    else:
        d = minus(vector3(about, f"point of the {what}"), vector3(centre, f"centre of the {what}"))
        m = as_mass(mass, defaults=defaults, what=f"mass for the {what}")
        result = Inertia(_about_centre(given, m, d))
    _check_moments(result, _scale(given, defaults, what), defaults, allow_unphysical, what)
    return result


def centroidal(moment: Scalar, mass: Scalar, arm: Vec3) -> Scalar:
    """Return a moment about z through the centre of mass from that through a point ``arm`` away."""
    return _difference(moment, product(mass, product(arm[0], arm[0]) + product(arm[1], arm[1])))


def symmetric(xx: Scalar, yy: Scalar, zz: Scalar, xy: Scalar, xz: Scalar, yz: Scalar) -> Mat33:
    """Return a symmetric tensor as rows."""
    return (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)


def _tensor(x: object, defaults: Defaults | None, what: str) -> Mat33:
    if isinstance(x, Inertia):
        return x.tensor
    items = entries(x)
    if items is not None and len(items) == 3 and all(entries(e) is None for e in items):
        a, b, c = vector3(items, what)
        return symmetric(a, b, c, 0.0, 0.0, 0.0)
    if x is None or is_number(x) or (items is not None and len(items) != 3):
        found = "missing" if x is None else shown(x)
        raise ModelError(f"{what} is {found}.", "Give 3 principal moments or a 3 x 3 tensor.")
    t = matrix33(x, what)
    _check_symmetry(t, defaults, what)
    # The upper triangle stands for both, so that rounding cannot make the tensor unsymmetric.
    return symmetric(t[0][0], t[1][1], t[2][2], t[0][1], t[0][2], t[1][2])


def _about_centre(t: Mat33, m: Scalar, d: Vec3) -> Mat33:
    x, y, z = d
    xx, yy, zz = product(x, x), product(y, y), product(z, z)
    return symmetric(
        _difference(t[0][0], product(m, yy + zz)),
        _difference(t[1][1], product(m, xx + zz)),
        _difference(t[2][2], product(m, xx + yy)),
        _difference(t[0][1], product(m, -product(x, y))),
        _difference(t[0][2], product(m, -product(x, z))),
        _difference(t[1][2], product(m, -product(y, z))),
    )


def _difference(a: Scalar, b: Scalar) -> Scalar:
    """Return ``a - b``, exactly zero where rounding alone is left."""
    rest = a - b
    if is_number(a) and is_number(b) and abs(rest) <= 8 * np.finfo(float).eps * max(abs(a), abs(b)):
        return 0.0
    return rest


def _numbers(row: Vec3, defaults: Defaults | None, what: str) -> tuple[float, float, float]:
    a, b, c = (value_of(x, defaults, what) for x in row)
    return a, b, c


def _scale(t: Mat33, defaults: Defaults | None, what: str) -> float:
    return max(abs(x) for row in Inertia(t).values(defaults, what) for x in row)


def _check_symmetry(t: Mat33, defaults: Defaults | None, what: str) -> None:
    limit = TOLERANCE * _scale(t, defaults, what)
    for i, j in _OFF:
        upper, lower = value_of(t[i][j], defaults, what), value_of(t[j][i], defaults, what)
        if abs(upper - lower) > limit:
            raise ModelError(
                f"{what} is not symmetric: row {i + 1}, column {j + 1} is {upper:.12g} and "
                f"row {j + 1}, column {i + 1} is {lower:.12g}.",
                "Make them equal.",
            )


def _check_moments(
    inertia: Inertia, scale: float, defaults: Defaults | None, allow_unphysical: bool, what: str
) -> None:
    small, middle, large = (
        float(x) for x in np.linalg.eigvalsh(np.array(inertia.values(defaults, what), dtype=float))
    )
    moments = f"({small:.6g}, {middle:.6g}, {large:.6g})"
    if small < -ROUNDING * scale:
        raise ModelError(
            f"{what} has a negative principal moment: {moments} about the centre of mass.",
            "Check the signs, the mass and the point that it refers to.",
        )
    if large - small - middle <= TOLERANCE * scale:
        return
    cause = f"{what} has one principal moment above the sum of the others: {moments}"
    if not allow_unphysical:
        raise ModelError(
            f"{cause}; no mass distribution has that.",
            "Correct it, or say allow_unphysical_inertia=True.",
        )
    logger.info("%s; accepted because allow_unphysical_inertia=True.", cause)
