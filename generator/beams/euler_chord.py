r"""Planar Euler-Bernoulli element, linear in a corotational frame along the chord.

With the axis :math:`i` of that frame and :math:`j` normal to it,

.. math:: \varepsilon = i \cdot r_x - 1, \qquad \kappa = j \cdot r_{xx}, \qquad
    i = \frac{r(l) - r(0)}{|r(l) - r(0)|} .

Strains within an element are small, rotations arbitrary: more elements allow larger bending.
"""

from mbdgen.beams.euler_frame import EulerInFrame
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Vec


class EulerChord(EulerInFrame):
    """Positions and tangents of two nodes; deformation is counted from the line between them."""

    name = "euler-chord"
    arcs = 0.7
    instead = "euler-nonlinear"

    def along(self, section: Section) -> Vec:
        """Return the direction of the chord."""
        return section.field("r", at=1) - section.field("r", at=0)
