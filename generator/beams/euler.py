"""Planar Euler-Bernoulli elements: positions and tangents of two nodes."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mbdgen.beams.fields.curved_reference import ALONG_Y
from mbdgen.beams.fields.fibred import Fibred
from mbdgen.beams.fields.measured_strains import CURVATURE, STRETCH
from mbdgen.beams.fields.shape_functions import cubic
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr, Vec


class Euler(Fibred):
    """Base of planar Euler-Bernoulli elements; strains are axial strain and curvature."""

    planar = True
    node = ("rx",)
    shapes: ClassVar = {"r": cubic(0, 1, 2)}
    densities: ClassVar = {"r": "rhoA"}
    measured = (STRETCH.of(0), CURVATURE.of(1))
    numbers = ("EA", "EIz")
    moments = ALONG_Y
    bends = (("EIz", 1, 1),)

    def triad(self, section: Section) -> tuple[Vec, Vec, Vec]:
        """Tangent and normal of the line."""
        t = section.field("r", 1).direction()
        return t, Vec(-t[1], t[0], 0), Vec(0, 0, 1)

    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Axial force and moment."""
        return [law["EA"] * strains[0], law["EIz"] * strains[1]]
