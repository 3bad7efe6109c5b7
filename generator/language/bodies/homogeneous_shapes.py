"""Homogeneous bodies by their shape: mass and inertia about the centre of mass, in body axes.

Lengths and masses may contain parameters; both must be positive.
"""

from mbdgen.errors import ModelError
from mbdgen.language.bodies.mass_properties import Inertia, MassProperties, as_mass, symmetric
from mbdgen.language.expressions.scalars import Scalar, as_scalar, is_number
from mbdgen.language.expressions.small_vectors import product
from mbdgen.language.markers.triad import direction


def point(mass: object) -> MassProperties:
    """Return a point mass: no inertia."""
    m = as_mass(mass, what="mass of the point")
    return MassProperties(m, Inertia(symmetric(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)))


def rod(mass: object, length: object, axis: object = (1, 0, 0)) -> MassProperties:
    """Return a thin rod: ``m L^2/12`` across `axis`, zero about it."""
    m = as_mass(mass, what="mass of the rod")
    across = m * _squared(length, "length of the rod") / 12
    return MassProperties(m, _axisymmetric(0.0, across, axis, "axis of the rod"))


def box(mass: object, a: object, b: object, c: object) -> MassProperties:
    """Return a box with edges `a`, `b`, `c` along the body axes: ``m (b^2 + c^2)/12, ...``."""
    m = as_mass(mass, what="mass of the box")
    x, y, z = (_squared(e, f"edge {n} of the box") for e, n in ((a, "a"), (b, "b"), (c, "c")))
    moments = (m * (y + z) / 12, m * (x + z) / 12, m * (x + y) / 12)
    return MassProperties(m, Inertia(symmetric(*moments, 0.0, 0.0, 0.0)))


def sphere(mass: object, radius: object) -> MassProperties:
    """Return a solid sphere: ``2 m r^2/5``."""
    m = as_mass(mass, what="mass of the sphere")
    moment = 2 * m * _squared(radius, "radius of the sphere") / 5
    return MassProperties(m, Inertia(symmetric(moment, moment, moment, 0.0, 0.0, 0.0)))


def cylinder(
    mass: object, radius: object, length: object, axis: object = (1, 0, 0)
) -> MassProperties:
    """Return a solid cylinder: ``m r^2/2`` about `axis`, ``m (3 r^2 + L^2)/12`` across it."""
    m = as_mass(mass, what="mass of the cylinder")
    r2 = _squared(radius, "radius of the cylinder")
    l2 = _squared(length, "length of the cylinder")
    across = m * (3 * r2 + l2) / 12
    return MassProperties(m, _axisymmetric(m * r2 / 2, across, axis, "axis of the cylinder"))


def _axisymmetric(along: Scalar, across: Scalar, axis: object, what: str) -> Inertia:
    """Return ``I = I_across (1 - u u^T) + I_along u u^T``."""
    x, y, z = direction(axis, what)

    def diagonal(own: Scalar, b: Scalar, c: Scalar) -> Scalar:
        # 1 - own^2 as b^2 + c^2: exact for axes along coordinate axes, never negative.
        return product(along, product(own, own)) + product(across, product(b, b) + product(c, c))

    def off(a: Scalar, b: Scalar) -> Scalar:
        return product(along - across, product(a, b))

    return Inertia(
        symmetric(
            diagonal(x, y, z), diagonal(y, z, x), diagonal(z, x, y), off(x, y), off(x, z), off(y, z)
        )
    )


def _squared(x: object, what: str) -> Scalar:
    size = as_scalar(x, what)
    if is_number(size) and size <= 0:
        raise ModelError(f"{what} is {size}.", "Give a positive number.")
    return product(size, size)  # not a power: a float that overflows in one raises
