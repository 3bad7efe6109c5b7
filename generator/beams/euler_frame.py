"""Planar Euler-Bernoulli elements, linear in a corotational frame."""

from abc import abstractmethod

from mbdgen.beams.euler import Euler
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr, Vec


class EulerInFrame(Euler):
    """Base of corotational elements; the frame directions depend on the coordinates."""

    arc = 2  # of a curved one: rotation of its sections times the square of the stretch
    quadrature = 3  # the square of a quadratic strain is integrated exactly

    @abstractmethod
    def along(self, section: Section) -> Vec:
        """Return the first axis of the frame, not normalised."""

    def strains(self, section: Section) -> list[Expr]:
        """Stretch along the frame, and curvature across it.

        Nodal slopes that grow in length do not bend it. Components normal to the frame would in an
        initially curved element, by the same amount on fine and coarse meshes.
        """
        i = section.tape.vector("i", self.along(section).direction())
        rx, rxx = section.field("r", 1), section.field("r", 2)
        across = rx if self.curved(section.body) else i
        return [i.dot(rx) - 1, across.cross(rxx)[2]]
