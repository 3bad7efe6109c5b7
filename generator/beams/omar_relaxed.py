"""Omar and Shabana's element whose sections are free to become trapezoids.

As `mbdgen.beams.yakoub_relaxed`, but the means of a section are coupled as in plane stress: a bar
that narrows has Young's modulus along.
"""

from mbdgen.beams.omar import Omar
from mbdgen.beams.relaxed import Relaxed


class OmarRelaxed(Relaxed, Omar):
    """Positions, tangents and section vectors of two nodes; no locking by Poisson's ratio."""

    name = "omar-relaxed"
    numbers = ("E", "G", "lam_plane")
    coupling = "lam_plane"
