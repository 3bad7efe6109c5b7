"""Section and material of beams: a cross-section of a material, or given stiffnesses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.interval import POSITIVE
from mbdgen.language.beams.beam_numbers import beam_numbers
from mbdgen.language.beams.cross_section import CrossSection, Material
from mbdgen.language.beams.section_stiffness import ASKED, SectionStiffness
from mbdgen.language.bodies.coordinates import Coordinates
from mbdgen.language.expressions.bounds import Bound, check_bounds
from mbdgen.language.expressions.scalars import Scalar, as_scalar, shown
from mbdgen.language.registry import beam_kinds

if TYPE_CHECKING:
    from mbdgen.language.model import Model


@dataclass(frozen=True)
class OfMaterial:
    """A cross-section of one material."""

    section: CrossSection
    material: Material

    @property
    def damping(self) -> Scalar:
        """Viscous factor of stretch and bending, s."""
        return self.material.damping

    @property
    def shear_damping(self) -> Scalar:
        """Viscous factor of shear and torsion, s."""
        return self.material.shear_damping

    @property
    def damped(self) -> bool:
        """Whether it has a viscous law."""
        return self.material.damped

    def numbers(self, axial: Scalar = 1.0, bending: Scalar = 1.0) -> dict[str, Scalar]:
        """Return the stiffness and inertia quantities of `beam_numbers`."""
        return beam_numbers(self.section, self.material, axial, bending)


Stuff = OfMaterial | SectionStiffness


def made_of(section: Any, material: Any) -> Stuff:
    """Return the section without validation."""
    return section if isinstance(section, SectionStiffness) else OfMaterial(section, material)


def stuff_of(model: "Model", section: Any, material: Any, what: str) -> Stuff:
    """Return the section; reject anything but a valid section and material."""
    if isinstance(section, SectionStiffness):
        if material is not None:
            raise ModelError(
                f"The section of {what} is given by its stiffnesses, and it has a material.",
                "Leave the material away: mass= and damping= belong to section_stiffness(...).",
            )
        check_bounds(model, *section.bounds(f"of {what}"))
        return section
    _check_type(section, CrossSection, "section", "rectangle(height, width)", what)
    _check_type(material, Material, "material", "material(young=2.1e11, density=7850)", what)
    check_bounds(model, *section.bounds(f"of {what}"), *material.bounds(f"of {what}"))
    return OfMaterial(section, material)


def check_numbers(kinds: Sequence[Coordinates], given: Mapping[str, Scalar], what: str) -> None:
    """Reject elements that need quantities not given for the section."""
    for kind in kinds:
        missing = [name for name in kind.numbers if name not in given]
        if not missing:
            continue
        if set(missing) <= set(ASKED):
            asked = " and ".join(dict.fromkeys(f"{ASKED[name]}=" for name in missing))
            raise ModelError(
                f"Elements '{kind.name}' of {what} need {asked} of the section.",
                "Give it to section_stiffness(...), or take a kind without shear and torsion.",
            )
        names = (n for n, k in beam_kinds().items() if not set(k.numbers) - set(given) - set(ASKED))
        raise ModelError(
            f"Elements '{kind.name}' of {what} are continua: stiffnesses of a section do not say "
            "what they are made of.",
            f"Give rectangle(...) and material(...), or take one of: {', '.join(names)}.",
        )


def factors_of(
    model: "Model", kinds: Sequence[Coordinates], axial: Any, bending: Any, what: str
) -> tuple[Scalar, Scalar]:
    """Return the stiffness factors; not every kind supports them."""
    given = {"axial": axial, "bending": bending}
    for name, x in given.items():
        if x is None:
            continue
        if not any(kind.modified for kind in kinds):
            raise ModelError(
                f"{what} has no element of a kind with a factor {name}=.",
                "Give it another section or material, or kind='belt'.",
            )
        factor = as_scalar(x, f"{name} of {what}")
        check_bounds(model, Bound(factor, f"the factor {name} of {what}", POSITIVE))
    along, across = (1.0 if x is None else as_scalar(x, what) for x in given.values())
    return along, across


def _check_type(given: Any, wanted: type, name: str, example: str, what: str) -> None:
    if not isinstance(given, wanted):
        raise ModelError(f"The {name} of {what} is {shown(given)}.", f"Give {name}={example}.")
