r"""Planar geometrically exact (Reissner) beam element: a line with rigid sections.

The line and the director :math:`d_2` of the sections are linear between the nodes. With
:math:`e_2` in the direction of :math:`d_2` and :math:`e_1` normal to it, strains are those of
Reissner,

.. math:: \Gamma_1 = r_x \cdot e_1 - 1, \qquad \Gamma_2 = r_x \cdot e_2, \qquad
    \kappa = -d_{2x} \cdot e_1 ,

evaluated at the midpoint only (reduced integration), which avoids shear locking. Apart from the
section it shares no assumption with ANCF elements: a cross-check, of second order in the length.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mbdgen.beams.fields.curved_reference import ALONG_Y
from mbdgen.beams.fields.measured_strains import CURVATURE, SHEAR, STRETCH
from mbdgen.beams.fields.rigid_sections import RigidSections
from mbdgen.beams.fields.shape_functions import linear
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr, Vec


class Exact(RigidSections):
    """Positions of two nodes, and the directors of their sections."""

    name = "exact"
    planar = True
    in_space = "exact-3d"
    node = ("ry",)
    shapes: ClassVar = {"r": linear(0, 2), "ry": linear(1, 2)}
    densities: ClassVar = {"r": "rhoA", "ry": "rhoIz"}
    quadrature = 1
    measured = (STRETCH.of(0), SHEAR.of(1), CURVATURE.of(2))
    numbers = ("EA", "EIz", "GAy")
    moments = ALONG_Y
    bends = (("EIz", 2, 1),)

    def triad(self, section: Section) -> tuple[Vec, Vec, Vec]:
        """Normal of the section, and the section itself."""
        y = section.direction("along_y", section.field("ry"))
        return Vec(y[1], -y[0], 0), y, Vec(0, 0, 1)

    def strains(self, section: Section) -> list[Expr]:
        """Stretch, shear and curvature."""
        rx, (x, y, _) = section.field("r", 1), section.triad
        return [rx.dot(x) - 1, rx.dot(y), -section.field("ry", 1).dot(x)]

    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Axial force, shear force and moment."""
        stiffness = ("EA", "GAy", "EIz")
        return [law[name] * e for name, e in zip(stiffness, strains, strict=True)]
