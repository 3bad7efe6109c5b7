r"""Spatial shear-deformable ANCF element after Dufva, free of locking: section-frame strains.

Position and slopes at the nodes as in `mbdgen.beams.yakoub`, but other strains. Bending is the
curvature of the cubic midline minus the contribution of shear, which is linear between the nodes,

.. math::

    \gamma_y = (1-\xi)\, (r_x \cdot r_y)_1 + \xi\, (r_x \cdot r_y)_2, \qquad
    k_y = \gamma_y' - r_{xx} \cdot e_y ,

where :math:`e_y` is the direction of :math:`r_y` normal to the midline; likewise for z. The twist
is :math:`\tfrac12 (r_{yx} \cdot e_z - r_{zx} \cdot e_y)`, and the in-plane stretch and shear of
sections are interpolated between the nodes. There is no coupling by Poisson's ratio, and torsion
has the Saint-Venant stiffness. Strains are small, displacements and rotations large.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mbdgen.beams.fields.curved_reference import GEOMETRY
from mbdgen.beams.fields.fibred import Fibred
from mbdgen.beams.fields.measured_strains import (
    CURVATURE_Y,
    CURVATURE_Z,
    SHEAR_Y,
    SHEAR_Z,
    STRETCH,
    TWIST,
)
from mbdgen.beams.fields.shape_functions import cubic, linear
from mbdgen.beams.yakoub import triad_of_slopes
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr, Vec


class Dufva3d(Fibred):
    """Position and its three slopes at two nodes; bending, shear and torsion of a beam."""

    name = "dufva-3d"
    node = ("rx", "ry", "rz")
    shapes: ClassVar = {
        "r": cubic(0, 1, 4),
        "ry": linear(2, 4),
        "rz": linear(3, 4),
    }
    densities: ClassVar = {"r": "rhoA", "ry": "rhoIz", "rz": "rhoIy"}
    quadrature = 4
    measured = (
        *(STRETCH.of(0), SHEAR_Y.of(1), SHEAR_Z.of(2), TWIST.of(3)),
        *(CURVATURE_Z.of((4, -1)), CURVATURE_Y.of(5)),
    )
    numbers = ("EA", "EIz", "EIy", "GAy", "GAz", "GJ")
    moments = GEOMETRY
    bends = (("EIz", 4, -1), ("EIy", 5, 1))
    arc = 1

    def triad(self, section: Section) -> tuple[Vec, Vec, Vec]:
        """Return the section triad, given by the transverse slopes."""
        return triad_of_slopes(section)

    def sides(self, section: Section) -> tuple[Vec, Vec]:
        """Return the transverse slopes: sections stretch."""
        return section.field("ry"), section.field("rz")

    def strains(self, section: Section) -> list[Expr]:
        """Return stretch, shear, twist, bending, and in-plane strains of the section."""
        rx, rxx = section.field("r", 1), section.field("r", 2)
        (x1, y1, z1), (x2, y2, z2) = (
            (section.field("r", 1, at=k), section.field("ry", at=k), section.field("rz", at=k))
            for k in (0, 1)
        )
        xi, length, tape = section.xi, section.body.parameter("l"), section.tape
        t, ry = section.direction("tangent", rx), section.field("ry")
        ey = section.direction("normal", ry - t * tape.name("skew", t.dot(ry)))
        ez = tape.vector("binormal", t.cross(ey))
        ryx, rzx = section.field("ry", 1), section.field("rz", 1)

        def between(a: Expr, b: Expr) -> Expr:
            return a + (b - a) * xi

        shear = [(x1.dot(a), x2.dot(b)) for a, b in ((y1, y2), (z1, z2))]
        bending = [(b - a) / length - rxx.dot(e) for (a, b), e in zip(shear, (ey, ez), strict=True)]
        twist = (ryx.dot(ez) - rzx.dot(ey)) / 2
        stretch = [between(a.dot(a) - 1, b.dot(b) - 1) / 2 for a, b in ((y1, y2), (z1, z2))]
        return [
            (rx.dot(rx) - 1) / 2,
            *(between(a, b) for a, b in shear),
            twist,
            *bending,
            *stretch,
            between(y1.dot(z1), y2.dot(z2)),
        ]

    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Return the section forces and moments, each with its own stiffness."""
        stiffness = ("EA", "GAy", "GAz", "GJ", "EIz", "EIy", "EA", "EA", "GAy")
        return [law[name] * e for name, e in zip(stiffness, strains, strict=True)]
