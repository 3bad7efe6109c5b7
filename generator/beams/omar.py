r"""Planar element of Omar and Shabana: a continuum of which every section stays straight.

With the points :math:`r + y\,r_y` the strains of Green and Lagrange are polynomials of y,

.. math:: \varepsilon_{xx} = p + y\,b + y^2 c, \quad \varepsilon_{yy} = d, \quad
    2\varepsilon_{xy} = g + y\,g',

whose squares are integrated over the section exactly, in plane strain. It locks: sections cannot
become trapezoids (Poisson), and a linear ``r_y`` does not follow a cubic midline (shear).
"""

from collections.abc import Mapping, Sequence

from mbdgen.beams.planar_shear import PlanarShear
from mbdgen.geometry.sections import Section
from mbdgen.geometry.vectors import Expr


class Omar(PlanarShear):
    """Positions, tangents and section vectors of two nodes; all strains of a continuum."""

    name = "omar"
    numbers = ("MA", "MIz", "MI4", "LA", "LIz", "GA", "GI")

    def strains(self, section: Section) -> list[Expr]:
        """Coefficients of the strains as polynomials of y."""
        rx, ry, ryx = section.field("r", 1), section.field("ry"), section.field("ry", 1)
        return [
            (rx.dot(rx) - 1) / 2,
            rx.dot(ryx),
            ryx.dot(ryx) / 2,
            (ry.dot(ry) - 1) / 2,
            rx.dot(ry),
            ryx.dot(ry),
        ]

    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Integrals over the section of the stresses times 1, y, y^2."""
        p, b, c, d, g, gx = strains
        return [
            law["MA"] * p + law["MIz"] * c + law["LA"] * d,
            law["MIz"] * b,
            law["MIz"] * p + law["MI4"] * c + law["LIz"] * d,
            law["LA"] * p + law["LIz"] * c + law["MA"] * d,
            law["GA"] * g,
            law["GI"] * gx,
        ]
