"""Yakoub and Shabana's element whose sections are free to become trapezoids.

What makes `mbdgen.beams.yakoub` too stiff by (lam + 2G)/E in bending is that straight-sided
sections cannot widen on the inside of a bend. Here Poisson's ratio couples the mean strains of a
section only (`mbdgen.beams.continuum.relaxed`).
"""

from collections.abc import Mapping, Sequence

from mbdgen.beams.continuum import MATERIAL, relaxed
from mbdgen.beams.yakoub import ORDER, Yakoub
from mbdgen.geometry.vectors import Expr


class YakoubRelaxed(Yakoub):
    """Position and its three slopes at two nodes; no locking by Poisson's ratio."""

    name = "yakoub-relaxed"
    numbers = (*MATERIAL, "E")

    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Integrals of the stresses over the section, of means and of the rest."""
        return relaxed(strains, ORDER, law)
