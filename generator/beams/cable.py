r"""Spatial ANCF cable element: axial and bending deformation of a thin line, no torsion.

.. math:: \varepsilon = \tfrac12 (r_x \cdot r_x - 1), \qquad
    \kappa = \frac{r_x \times r_{xx}}{|r_x|^3} .

The rotation of a section about the line is undefined. By convention the second axis is the
direction normal to the line closest to the initial second axis. This is singular where the line is
parallel to that axis (for motions near a plane choose `across` normal to it); a torque about the
tangent has no physical meaning.

An initially curved element has no torsional stiffness either: its sections rotate with the
curvature of the line. The bending strain is :math:`|\kappa| - |\kappa_0|`; out of the plane of an
arc it vanishes to first order.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mbdgen.beams.fields.curved_reference import GEOMETRY
from mbdgen.beams.fields.fibred import Fibred
from mbdgen.beams.fields.measured_strains import STRETCH
from mbdgen.beams.fields.shape_functions import cubic
from mbdgen.errors import ModelError
from mbdgen.geometry.functions import sqrt
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import AXES, Expr, Vec
from mbdgen.language.beams.beam_motion import BeamMotion
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar, is_number

SAME = 1e-9
"""Tolerance of the difference of the second moments of area, relative to one of them."""
STRAIGHT = 1e-8
"""Regularisation of curvature times length, where the square root is not differentiable."""


class Cable(Fibred):
    """Positions and tangents of two nodes; equal bending stiffness in all directions."""

    name = "cable"
    node = ("rx",)
    shapes: ClassVar = {"r": cubic(0, 1, 2)}
    densities: ClassVar = {"r": "rhoA"}
    quadrature = 5
    measured = (STRETCH.of(0),)
    numbers = ("EA", "EIz")
    across = tuple(f"across_{c}" for c in AXES)
    moments = (*GEOMETRY, *across)
    bends = (("EIz", 1, 1),)
    arc = -1

    def columns(self, motion: Motion) -> Sequence[Scalar]:
        """Return the quantities of the law, and the initial second axis."""
        assert isinstance(motion, BeamMotion)
        known = self.numbers_of(motion)
        y, z = known["Iz"], known["Iy"]
        if is_number(y) and is_number(z) and abs(y - z) > SAME * abs(y):
            raise ModelError(
                f"The cable '{motion.name}' has a section with iz = {y:g} and iy = {z:g} m4.",
                "A cable does not know how it is turned: give a circle or a square, or use the "
                "kind 'dufva-3d'.",
            )
        known |= zip(self.across, motion.ends[0].slopes[1], strict=True)
        return [known[name] for name in self.parameters]

    def triad(self, section: Section) -> tuple[Vec, Vec, Vec]:
        """Return the tangent, and the normal closest to the initial second axis."""
        t = section.direction("tangent", section.field("r", 1))
        across = Vec(*(section.body.parameter(name) for name in self.across))
        y = section.direction("normal", across - t * section.tape.name("skew", t.dot(across)))
        return t, y, t.cross(y)

    def strains(self, section: Section) -> list[Expr]:
        """Return stretch and curvature vector, or its norm for an initially curved element."""
        rx, rxx = section.field("r", 1), section.field("r", 2)
        square = section.tape.name("square", rx.dot(rx))
        curvature = rx.cross(rxx) / (square * sqrt(square))
        if not self.curved(section.body):
            return [(square - 1) / 2, *curvature]
        curvature = section.tape.vector("curvature", curvature)
        least = (STRAIGHT / section.body.parameter("l")) ** 2
        return [(square - 1) / 2, sqrt(curvature.dot(curvature) + least)]

    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Return axial force and moments."""
        return [law["EA"] * strains[0], *(law["EIz"] * k for k in strains[1:])]
