r"""Strain energy and viscous stresses of a flexible body, per length."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from mbdgen.forces.base import Force, Push, Rate
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language.element import SectionQuantity

if TYPE_CHECKING:
    from mbdgen.beams.base import BeamElement


DAMPED = "damped"
"""Structure flag of bodies with a viscous material."""
CURVED = "curved"
"""Structure flag of initially curved bodies."""


@dataclass(frozen=True)
class Strain(Force):
    """Strain energy, and viscous stresses conjugate to the strain rates."""

    name = "strain"
    ends = ("a",)
    distributed = True

    def potential(self, *frames: Frame) -> Expr:
        """Return the strain energy per length."""
        (section,) = frames
        assert isinstance(section, Section)
        strains = self._strains(section)
        stresses = _kind(section).conjugate(section, strains)
        return sum(s * e for s, e in zip(stresses, strains, strict=True)) / 2

    def pushes(self, *frames: Frame, rate: Rate) -> list[Push]:
        """Return the viscous stresses as forces along the strains."""
        (section,) = frames
        assert isinstance(section, Section)
        kind, body = _kind(section), section.body
        if DAMPED not in body.structure.split():
            return []
        strains = self._strains(section)
        rates = [rate(e) for e in strains]
        stresses = kind.conjugate(section, rates, viscous=True)
        return [Push(e, -s) for e, s in zip(strains, stresses, strict=True)]

    def section_quantities(self, *frames: Frame) -> list[SectionQuantity]:
        """Return midline positions and section axes, then strains, stresses and energy."""
        (section,) = frames
        assert isinstance(section, Section)
        kind, body = _kind(section), section.body
        felt = kind.felt(section)
        strains = self._strains(felt)
        vectors = {
            "r": ("m", section.field("r")),
            "slope": ("1", section.field("r", 1)),
            "e1": ("1", section.triad[0]),
            "e2": ("1", section.triad[1]),
        }
        found = [SectionQuantity("length", "m", body.parameter("l"))]
        for name, (unit, vector) in vectors.items():
            found += [
                SectionQuantity(f"{name}.{c}", unit, x) for c, x in zip("xyz", vector, strict=True)
            ]
        found += kind.measures(felt, strains)
        return [*found, SectionQuantity("energy", "J/m", self.potential(felt))]

    def _strains(self, section: Section) -> list[Expr]:
        """Return the strains as named intermediates, for differentiation through them."""
        kind, tape = _kind(section), section.tape
        return [tape.name(f"strain_{k}", e) for k, e in enumerate(kind.deformed(section), 1)]


def _kind(section: Section) -> "BeamElement":
    return cast("BeamElement", section.kind)
