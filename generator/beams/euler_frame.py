"""Planar Euler-Bernoulli elements that are linear in a frame of their own."""

from abc import abstractmethod

from mbdgen.beams.euler import Euler
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr, Vec


class EulerInFrame(Euler):
    """Base of elements with a frame that goes along; its directions depend on the coordinates."""

    arc = 2  # of a curved one: what its sections turn, times the square of the stretch
    quadrature = 3  # the square of a quadratic strain is integrated exactly

    @abstractmethod
    def along(self, section: Section) -> Vec:
        """Return the first axis of the frame, of any length."""

    def strains(self, section: Section) -> list[Expr]:
        """Stretch along the frame, and curvature across it.

        Slopes of nodes that grow do not bend it. Across the frame they would where it is curved
        without load, by as much on fine meshes as on coarse ones.
        """
        i = section.tape.vector("i", self.along(section).direction())
        rx, rxx = section.field("r", 1), section.field("r", 2)
        across = rx if self.curved(section.body) else i
        return [i.dot(rx) - 1, across.cross(rxx)[2]]
