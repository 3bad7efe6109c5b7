r"""Section integrals of initially curved beams (Gauss quadrature).

A fibre at the point (y, z) is :math:`\mu = 1 - \kappa_z y + \kappa_y z` times as long as the
midline, so that integrals have powers of :math:`\mu` in their denominators. They are sums over
Gauss points: those with the moments of the section up to the fourth degree, whatever its shape,

.. math::

    y_k \in \{0, \pm a\}, \; z_k \in \{0, \pm b\}, \qquad
    a^2 = \frac{\int y^4 dA}{\int y^2 dA}, \quad b^2 = \frac{\int z^4 dA}{\int z^2 dA} .

A rectangle has the products of three Gauss points. For a height h and a radius R the error is of
the order :math:`(h/4R)^6`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mbdgen.geometry.across import MOMENTS, Degrees
from mbdgen.geometry.frames import BodySymbols
from mbdgen.geometry.functions import sqrt
from mbdgen.geometry.symbolic_vectors import Expr

ALONG_Y: tuple[str, ...] = ("A", "Iz", "Iyyyy")
"""Moments that elements in the plane need."""
GEOMETRY = tuple(MOMENTS.values())


@dataclass(frozen=True)
class SectionPlace:
    """A quadrature point of a section, and its area."""

    y: Expr
    z: Expr
    area: Expr

    def power(self, degrees: Degrees) -> Expr:
        """Return the product of powers of y and z."""
        j, k = degrees
        return self.y**j * self.z**k


Places = Sequence[SectionPlace]


def places(body: BodySymbols) -> Places:
    """Return the quadrature points of the sections of a body, the midpoint first."""
    return body.once("places", lambda: (_in_plane if body.kind.planar else _in_space)(body))


def integral(where: Places, integrand: Callable[[SectionPlace], Expr]) -> Expr:
    """Return an integral over the section."""
    total: Expr = 0
    for place in where:
        total = total + place.area * integrand(place)
    return total


def _in_plane(body: BodySymbols) -> Places:
    area, iz, iyyyy = (body.parameter(name) for name in ALONG_Y)
    name = body.tape.name
    a, side = name("place_y", sqrt(iyyyy / iz)), name("area_side", iz**2 / (2 * iyyyy))
    middle = name("area_middle", area - 2 * side)
    return [SectionPlace(0, 0, middle), SectionPlace(a, 0, side), SectionPlace(-a, 0, side)]


def _in_space(body: BodySymbols) -> Places:
    area, iz, iy, y4, yyzz, z4 = (body.parameter(name) for name in GEOMETRY)
    name = body.tape.name
    a, b = name("place_y", sqrt(y4 / iz)), name("place_z", sqrt(z4 / iy))
    corner = name("area_corner", yyzz * iz * iy / (4 * y4 * z4))
    along_y = name("area_side_y", iz**2 / (2 * y4) - 2 * corner)
    along_z = name("area_side_z", iy**2 / (2 * z4) - 2 * corner)
    middle = name("area_middle", area - 2 * (along_y + along_z) - 4 * corner)
    signs = (1, -1)
    return [
        SectionPlace(0, 0, middle),
        *(SectionPlace(s * a, 0, along_y) for s in signs),
        *(SectionPlace(0, s * b, along_z) for s in signs),
        *(SectionPlace(s * a, t * b, corner) for s in signs for t in signs),
    ]
