r"""Spatial ANCF element of Yakoub and Shabana: a continuum, cubic along the midline, linear across.

.. math:: r = r_0(x) + y\, r_y(x) + z\, r_z(x), \qquad
    F = [\,r_x + y\, r_{yx} + z\, r_{zx} \;\; r_y \;\; r_z\,] .

It bends, twists, shears and has section stretch; sections stay plane and straight-sided, which
causes Poisson locking in bending (`mbdgen.beams.fields.continuum`).
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mbdgen.beams.fields.continuum import MATERIAL, kirchhoff, layout, measured_in
from mbdgen.beams.fields.curved_reference import GEOMETRY
from mbdgen.beams.fields.shape_functions import cubic, linear
from mbdgen.beams.fields.solid import Solid
from mbdgen.geometry.across import Across
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero

_PLACES = ((0, 0), (1, 0), (0, 1))
ORDER = layout(
    [Across({d: zero() for d in _PLACES}), *(Across({(0, 0): zero()}) for _ in range(2))]
)


class Yakoub(Solid):
    """Position and its three slopes at two nodes."""

    name = "yakoub"
    arcs = 0.5
    instead = "dufva-3d"
    order = ORDER
    node = ("rx", "ry", "rz")
    shapes: ClassVar = {"r": cubic(0, 1, 4), "ry": linear(2, 4), "rz": linear(3, 4)}
    densities: ClassVar = {"r": "rhoA", "ry": "rhoIz", "rz": "rhoIy"}
    quadrature = 5  # exact: the axial strain is of degree 4, its square of degree 8
    measured = measured_in(ORDER)
    numbers = MATERIAL
    moments = GEOMETRY

    def triad(self, section: Section) -> tuple[Vec, Vec, Vec]:
        """Return the section triad, given by the transverse slopes."""
        return triad_of_slopes(section)

    def sides(self, section: Section) -> tuple[Vec, Vec]:
        """Return the transverse slopes: sections stretch."""
        return section.field("ry"), section.field("rz")

    def gradient(self, section: Section) -> list[Across]:
        """Return its three columns."""
        along = {(0, 0): section.field("r", 1)}
        along |= {(1, 0): section.field("ry", 1), (0, 1): section.field("rz", 1)}
        across = ({(0, 0): section.field(name)} for name in ("ry", "rz"))
        return [Across(along), *map(Across, across)]

    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Return the Saint-Venant-Kirchhoff stresses integrated over the section."""
        return kirchhoff(strains, ORDER, law)


def triad_of_slopes(section: Section) -> tuple[Vec, Vec, Vec]:
    """Return the triad: normal, normalised second slope, third orthogonalised to it.

    The first axis is not the tangent: with shear that is not normal to the section.
    """
    ry, rz = section.field("ry"), section.field("rz")
    y = section.direction("along_y", ry)
    z = section.direction("along_z", rz - y * section.tape.name("skew", rz.dot(y)))
    return y.cross(z), y, z
