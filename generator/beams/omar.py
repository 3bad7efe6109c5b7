r"""Planar ANCF element of Omar and Shabana: a continuum with straight sections.

.. math:: r = r_0(x) + y\, r_y(x), \qquad F = [\,r_x + y\, r_{yx} \;\; r_y\,]

in plane strain. A linear ``r_y`` gives constant curvature: three quarters of the deflection of a
cantilever of one element, and second-order convergence. Sections cannot become trapezoids, so that
Poisson locking stiffens bending for any number of elements.
"""

from collections.abc import Mapping, Sequence

from mbdgen.beams.fields.continuum import MATERIAL, kirchhoff, layout, measured_in
from mbdgen.beams.fields.curved_reference import ALONG_Y
from mbdgen.beams.fields.solid import Solid
from mbdgen.beams.planar_shear import PlanarShear
from mbdgen.geometry.across import Across
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero

ORDER = layout([Across({(0, 0): zero(), (1, 0): zero()}), Across({(0, 0): zero()})])


class Omar(Solid, PlanarShear):
    """Positions, tangents and section vectors of two nodes; all strains of a continuum."""

    name = "omar"
    arcs = 0.5
    instead = "dufva"
    order = ORDER
    measured = measured_in(ORDER)
    numbers = MATERIAL
    moments = ALONG_Y

    def sides(self, section: Section) -> tuple[Vec, Vec]:
        """Return the transverse slope: sections stretch."""
        return section.field("ry"), section.triad[2]

    def gradient(self, section: Section) -> list[Across]:
        """Return its two columns."""
        along = {(0, 0): section.field("r", 1), (1, 0): section.field("ry", 1)}
        return [Across(along), Across({(0, 0): section.field("ry")})]

    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Return the Saint-Venant-Kirchhoff stresses integrated over the section."""
        return kirchhoff(strains, ORDER, law)
