"""Planar shear-deformable elements: positions, tangents and section vectors."""

from typing import ClassVar

from mbdgen.beams.base import BeamElement
from mbdgen.beams.fields.shape_functions import cubic, linear
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Vec


class PlanarShear(BeamElement):
    """The midline is cubic, ``r_y`` is linear between the nodes: the points are ``r + y r_y``."""

    planar = True
    node = ("rx", "ry")
    shapes: ClassVar = {"r": cubic(0, 1, 3), "ry": linear(2, 3)}
    densities: ClassVar = {"r": "rhoA", "ry": "rhoIz"}
    quadrature = 5

    def triad(self, section: Section) -> tuple[Vec, Vec, Vec]:
        """Normal of the section and the section vector."""
        n = section.field("ry").direction()
        return Vec(n[1], -n[0], 0), n, Vec(0, 0, 1)
