"""Continuum elements without Poisson locking: only mean section strains are coupled."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mbdgen.beams.fields.continuum import relaxed
from mbdgen.beams.fields.curved_reference import SectionPlace
from mbdgen.beams.fields.solid import Law, Solid, fibres, isotropic
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr


class Relaxed(Solid):
    """Base of elements without locking by Poisson's ratio: see `relaxed`.

    Attributes
    ----------
    coupling : str
        The elastic constant that couples the mean strains of a section.
    """

    coupling: ClassVar[str] = "lam"

    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Integrals of the stresses over the section, of means and of the rest."""
        return relaxed(strains, self.order, {**law, "lam": law[self.coupling]})

    def laws(self, section: Section, law: Mapping[str, Expr]) -> list[tuple[SectionPlace, Law]]:
        """Return the laws: Young's modulus for fibres; the mean strains are coupled."""
        shear, stiffer = law["G"], law["E"] - 2 * law["G"]
        found = [
            (
                place,
                self.named(section, _sum(isotropic(m, 0, shear), fibres(m, stiffer)), place.area),
            )
            for place, m in self.metrics(section)
        ]
        middle, there = self.metrics(section)[0]
        coupled = _sum(isotropic(there, law[self.coupling], 0), fibres(there, -stiffer))
        return [*found, (middle, self.named(section, coupled, section.body.parameter("A")))]


def _sum(one: Law, other: Law) -> Law:
    return {pair: x + other[pair] for pair, x in one.items()}
