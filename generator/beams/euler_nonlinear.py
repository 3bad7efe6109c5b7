r"""Planar Euler-Bernoulli element with Green-Lagrange axial strain and exact curvature.

.. math:: \varepsilon = \tfrac12 (r_x \cdot r_x - 1), \qquad
    \kappa = \frac{(r_x \times r_{xx})_z}{|r_x|^3} .
"""

from mbdgen.beams.euler import Euler
from mbdgen.geometry.functions import sqrt
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr


class EulerNonlinear(Euler):
    """Positions and tangents of two nodes; sections stay normal to the line."""

    name = "euler-nonlinear"
    quadrature = 5
    arc = -1

    def strains(self, section: Section) -> list[Expr]:
        """Stretch and curvature."""
        rx, rxx = section.field("r", 1), section.field("r", 2)
        square = section.tape.name("square", rx.dot(rx))
        curvature = rx.cross(rxx)[2] / (square * sqrt(square))
        return [(square - 1) / 2, curvature]
