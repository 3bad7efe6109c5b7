"""Distributed forces along a whole beam: one for each element, with measures at any section."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.language.beams.beam import Beam
from mbdgen.language.element import Element
from mbdgen.language.expressions.scalars import shown

if TYPE_CHECKING:
    from mbdgen.language.attached import Attached
    from mbdgen.language.model import Model


@dataclass(frozen=True)
class Along:
    """A distributed force (per length) on a beam.

    Attributes
    ----------
    name : str
        Its name; the forces of the elements are called ``NAME_1``, ``NAME_2``, ...
    beam : Beam
        The beam that it acts on.
    parts : tuple of Attached
        One for every element of the beam.
    """

    name: str
    beam: Beam
    parts: "tuple[Attached, ...]"

    def at(self, s: Any) -> "Attached":
        """Return the force at a distance `s` from the start along the unstrained beam.

        Its measures are those at this section, per length.
        """
        marker = self.beam.at(s)
        number = next(k for k, x in enumerate(self.beam.elements) if x is marker.body)
        part = self.parts[number]
        name = f"{self.name}({s:g})" if isinstance(s, float | int) else f"{self.name}({s})"
        return replace(part, name=name, markers=(marker, *part.markers[1:]))

    def report(self, *measures: str, per_element: int = 1) -> None:
        """Add outputs ``NAME_at_1.MEASURE``, ``NAME_at_2.MEASURE``, ... at all of `places`."""
        for k, s in enumerate(self.places(per_element), 1):
            self.beam.model.report(f"{self.name}_at_{k}", self.at(s), measures)

    def places(self, per_element: int = 1) -> list[Any]:
        """Return positions along the beam: the midpoints of equal parts of every element."""
        if isinstance(per_element, bool) or not isinstance(per_element, int) or per_element < 1:
            raise ModelError(
                f"'{self.name}' is wanted at {shown(per_element)} points of an element.",
                "Give a whole number above 0.",
            )
        found, before = [], 0.0
        for length in self.beam.lengths:
            shares = ((k + 0.5) / per_element for k in range(per_element))
            found += [before + share * length for share in shares]
            before = before + length
        return found


def spread(
    model: "Model", name: str, element: type[Element], ends: tuple[Any, ...], given: dict[str, Any]
) -> Along:
    """Attach a force stated per length to every element of the beam at its first end."""
    beam = ends[0]
    if beam.model is not model:
        raise ModelError(
            f"{element.name} '{name}' is attached to beam '{beam.name}' of another model.",
            "Use a beam of the same model.",
        )
    parts = tuple(
        model.add(f"{name}_{k}", element, body, *ends[1:], **given)
        for k, body in enumerate(beam.elements, 1)
    )
    return Along(name, beam, parts)
