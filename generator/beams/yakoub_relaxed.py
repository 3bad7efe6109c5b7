"""ANCF element of Yakoub and Shabana without Poisson locking.

`mbdgen.beams.yakoub` is too stiff by (lam + 2G)/E in bending because straight-sided sections cannot
widen on the inside of a bend. Here Poisson's ratio couples the mean strains of a section only
(`mbdgen.beams.fields.continuum.relaxed`).
"""

from mbdgen.beams.fields.continuum import MATERIAL
from mbdgen.beams.relaxed import Relaxed
from mbdgen.beams.yakoub import Yakoub


class YakoubRelaxed(Relaxed, Yakoub):
    """Position and its three slopes at two nodes; no locking by Poisson's ratio."""

    name = "yakoub-relaxed"
    numbers = (*MATERIAL, "E")
