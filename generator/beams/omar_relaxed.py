"""Omar and Shabana's element whose sections are free to become trapezoids.

As `mbdgen.beams.yakoub_relaxed`, but the means of a section are coupled as in plane stress: a bar
that narrows has Young's modulus along.
"""

from collections.abc import Mapping, Sequence

from mbdgen.beams.continuum import relaxed
from mbdgen.beams.omar import ORDER, Omar
from mbdgen.geometry.vectors import Expr


class OmarRelaxed(Omar):
    """Positions, tangents and section vectors of two nodes; no locking by Poisson's ratio."""

    name = "omar-relaxed"
    numbers = ("E", "G", "lam_plane")

    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Integrals of the stresses over the section, of means and of the rest."""
        return relaxed(strains, ORDER, {**law, "lam": law["lam_plane"]})
