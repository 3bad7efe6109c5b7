r"""Planar Euler-Bernoulli element, linear in a corotational frame tangent at its start.

As :mod:`euler_chord <mbdgen.beams.euler_chord>`, with :math:`i = r_x(0)/|r_x(0)|`.
"""

from mbdgen.beams.euler_frame import EulerInFrame
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Vec


class EulerTangent(EulerInFrame):
    """Positions and tangents of two nodes; deformation is counted from the tangent at the first."""

    name = "euler-tangent"
    arcs = 0.1
    instead = "euler-nonlinear"

    def along(self, section: Section) -> Vec:
        """Return the tangent at the first node."""
        return section.field("r", 1, at=0)
