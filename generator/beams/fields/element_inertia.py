r"""Consistent mass matrix of a beam element: exact integrals of products of shape functions.

.. math:: p = \int \Big( \varrho A\, \dot r\, \delta r
    + \varrho I_z\, \dot r_y\, \delta r_y + \varrho I_y\, \dot r_z\, \delta r_z + \dots \Big)\, dx

An initially curved beam has more of its mass outside the bend, by :math:`\det J_0`: with
:math:`\mu = 1 + d_y y + d_z z` there are the products :math:`\varrho I_z d_y\, r \cdot r_y` and
:math:`\varrho I_y d_z\, r \cdot r_z`, too, where d is taken in the middle of the element.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from mbdgen.geometry.frames import BodySymbols
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero

if TYPE_CHECKING:
    from mbdgen.beams.fields.interpolated import Interpolated

Product = tuple[str, str, Expr]
"""Two fields, and the factor of their product per length."""


def momenta(
    kind: "Interpolated", body: BodySymbols, products: Sequence[Product], rates: Sequence[Vec]
) -> list[Vec]:
    """Return the mass matrix times rates of the nodal vectors."""
    length, totals = body.parameter("l"), [zero() for _ in rates]
    for one, other, density in products:
        for j, a in kind.shapes[one].items():
            for k, b in kind.shapes[other].items():
                factor, power = a.times(b).integral()
                weight = times(density * length**power, factor)
                totals[j] = totals[j] + rates[k] * weight
                if one != other:
                    totals[k] = totals[k] + rates[j] * weight
    return totals


def centre(
    kind: "Interpolated", body: BodySymbols, products: Sequence[Product], vectors: Sequence[Vec]
) -> Vec:
    """Return the centre of mass: that of the line, plus the offset of initial curvature."""
    total, mass = mean(kind, body, "r", vectors), body.parameter("rhoA")
    for one, other, density in products:
        if one != other:
            total = total + mean(kind, body, other, vectors) * (density / mass)
    return total


def mean(kind: "Interpolated", body: BodySymbols, field: str, vectors: Sequence[Vec]) -> Vec:
    """Return the mean of a field along the element."""
    total, length = zero(), body.parameter("l")
    for block, shape in kind.shapes[field].items():
        factor, power = shape.integral()
        total = total + vectors[block] * times(length ** (power - 1), factor)
    return total


def straight(kind: "Interpolated", body: BodySymbols) -> list[Product]:
    """Return the mass products of a straight element: squares."""
    return [(field, field, body.parameter(name)) for field, name in kind.densities.items()]


def leaning(kind: "Interpolated", body: BodySymbols, middle: Section) -> Iterator[Product]:
    """Yield the additional products of an initially curved element, by its midpoint."""
    leant = [(field, name) for field, name in kind.densities.items() if field != "r"]
    if not leant:
        return
    normal = middle.field("ry").cross(middle.field("rz") if "rz" in kind.shapes else Vec(0, 0, 1))
    for field, name in leant:
        yield "r", field, body.parameter(name) * middle.field(field, 1).dot(normal)


def times(x: Expr, factor: Fraction) -> Expr:
    """Return an exact multiple, whatever the algebra."""
    return x * factor.numerator / factor.denominator
