r"""Spatial geometrically exact (Simo-Reissner) beam element: a line with rigid sections.

Line and directors :math:`d_2, d_3` are linear between the nodes. In the frame :math:`e_1, e_2, e_3`
of the interpolated directors the strains are

.. math::

    \Gamma = (r_x \cdot e_1 - 1,\; r_x \cdot e_2,\; r_x \cdot e_3), \qquad
    \kappa = (\tfrac12 (d_{2x} \cdot e_3 - d_{3x} \cdot e_2),\;
              d_{3x} \cdot e_1,\; -d_{2x} \cdot e_1) ,

evaluated at the midpoint (reduced integration), see `mbdgen.beams.exact`. Interpolated directors,
unlike interpolated rotations, are objective and path-independent.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mbdgen.beams.fields.curved_reference import GEOMETRY
from mbdgen.beams.fields.measured_strains import (
    CURVATURE_Y,
    CURVATURE_Z,
    SHEAR_Y,
    SHEAR_Z,
    STRETCH,
    TWIST,
)
from mbdgen.beams.fields.rigid_sections import RigidSections
from mbdgen.beams.fields.shape_functions import linear
from mbdgen.beams.yakoub import triad_of_slopes
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr, Vec


class Exact3d(RigidSections):
    """Positions of two nodes in space, and two directors of their sections."""

    name = "exact-3d"
    node = ("ry", "rz")
    shapes: ClassVar = {"r": linear(0, 3), "ry": linear(1, 3), "rz": linear(2, 3)}
    densities: ClassVar = {"r": "rhoA", "ry": "rhoIz", "rz": "rhoIy"}
    quadrature = 1
    measured = (
        *(STRETCH.of(0), SHEAR_Y.of(1), SHEAR_Z.of(2)),
        *(TWIST.of(3), CURVATURE_Y.of(4), CURVATURE_Z.of(5)),
    )
    numbers = ("EA", "EIz", "EIy", "GAy", "GAz", "GJ")
    moments = GEOMETRY
    bends = (("EIz", 5, 1), ("EIy", 4, 1))

    def triad(self, section: Section) -> tuple[Vec, Vec, Vec]:
        """Return the frame of the directors."""
        return triad_of_slopes(section)

    def strains(self, section: Section) -> list[Expr]:
        """Stretch, two shears; twist, two curvatures."""
        rx, (x, y, z) = section.field("r", 1), section.triad
        d2, d3 = section.field("ry", 1), section.field("rz", 1)
        stretch = [rx.dot(x) - 1, rx.dot(y), rx.dot(z)]
        return [*stretch, (d2.dot(z) - d3.dot(y)) / 2, d3.dot(x), -d2.dot(x)]

    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Forces and moments of the section, each by its own stiffness."""
        stiffness = ("EA", "GAy", "GAz", "GJ", "EIy", "EIz")
        return [law[name] * e for name, e in zip(stiffness, strains, strict=True)]
