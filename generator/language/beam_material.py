"""What beams are made of, as users give it: a section, a material, factors of stiffnesses."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.interval import POSITIVE
from mbdgen.language.bounds import Bound, require
from mbdgen.language.coordinates import Coordinates
from mbdgen.language.cross_section import CrossSection, Material
from mbdgen.language.scalars import Scalar, as_scalar, shown

if TYPE_CHECKING:
    from mbdgen.language.model import Model


def factors_of(
    model: "Model", kinds: Sequence[Coordinates], axial: Any, bending: Any, what: str
) -> tuple[Scalar, Scalar]:
    """Return the factors of stiffnesses, which not every kind has."""
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
        require(model, Bound(factor, f"the factor {name} of {what}", POSITIVE))
    along, across = (1.0 if x is None else as_scalar(x, what) for x in given.values())
    return along, across


def require_made_of(model: "Model", section: Any, material: Any, what: str) -> None:
    """Refuse anything but a section and a material that a beam can have."""
    _require(section, CrossSection, "section", "rectangle(height, width)", what)
    _require(material, Material, "material", "material(young=2.1e11, density=7850)", what)
    require(model, *section.bounds(f"of {what}"), *material.bounds(f"of {what}"))


def _require(given: Any, wanted: type, name: str, example: str, what: str) -> None:
    if not isinstance(given, wanted):
        raise ModelError(f"The {name} of {what} is {shown(given)}.", f"Give {name}={example}.")
