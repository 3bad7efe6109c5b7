r"""Planar Euler-Bernoulli element with Green-Lagrange axial strain and exact curvature.

.. math:: \varepsilon = \tfrac12 (r_x \cdot r_x - 1), \qquad
    \kappa = \frac{(r_x \times r_{xx})_z}{|r_x|^3} .
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mbdgen.beams.base import BeamElement
from mbdgen.beams.measured import CURVATURE, STRETCH
from mbdgen.beams.shapes import cubic
from mbdgen.geometry.functions import sqrt
from mbdgen.geometry.sections import Section
from mbdgen.geometry.vectors import Expr, Vec


class EulerNonlinear(BeamElement):
    """Positions and tangents of two nodes; sections stay normal to the line."""

    name = "euler-nonlinear"
    planar = True
    node = ("rx",)
    shapes: ClassVar = {"r": cubic(0, 1, 2)}
    densities: ClassVar = {"r": "rhoA"}
    quadrature = 5
    measured = (STRETCH, CURVATURE)
    numbers = ("EA", "EIz")

    def triad(self, section: Section) -> tuple[Vec, Vec, Vec]:
        """Tangent and normal of the line."""
        t = section.field("r", 1).direction()
        return t, Vec(-t[1], t[0], 0), Vec(0, 0, 1)

    def strains(self, section: Section) -> list[Expr]:
        """Stretch and curvature."""
        rx, rxx = section.field("r", 1), section.field("r", 2)
        square = section.tape.name("square", rx.dot(rx))
        curvature = rx.cross(rxx)[2] / (square * sqrt(square))
        return [(square - 1) / 2, curvature]

    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Axial force and moment."""
        return [law["EA"] * strains[0], law["EIz"] * strains[1]]
