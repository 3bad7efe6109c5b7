"""Planar ANCF element of Omar and Shabana without Poisson locking.

As `mbdgen.beams.yakoub_relaxed`, but the mean strains of a section are coupled as in plane stress:
a bar with lateral contraction has the axial modulus of Young.
"""

from mbdgen.beams.omar import Omar
from mbdgen.beams.relaxed import Relaxed


class OmarRelaxed(Relaxed, Omar):
    """Positions, tangents and section vectors of two nodes; no locking by Poisson's ratio."""

    name = "omar-relaxed"
    numbers = ("E", "G", "lam_plane")
    coupling = "lam_plane"
