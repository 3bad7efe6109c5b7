"""Elements attached to bodies of a model: joint, force or output with its markers and measures."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbdgen.errors import UnknownNameError, meant
from mbdgen.language.element import Element
from mbdgen.language.expressions.placeholders import PlaceholderQuantity
from mbdgen.language.markers.marker import Marker

if TYPE_CHECKING:
    from mbdgen.language.model import Model

_REACTIONS = {"force": 3, "torque": 3, "load": 1}
_UNITS = {"force": "N", "torque": "N m", "load": "N"}


def measures_of(element: Element | type[Element]) -> dict[str, int]:
    """Return the measures of an attached element, joint reactions included: components by name."""
    reacts = element.role == "joint" and element.ends
    return {**(_REACTIONS if reacts else {}), **element.measures}


def units_of(element: Element | type[Element]) -> dict[str, str]:
    """Return the units of the measures by name."""
    return {**_UNITS, **element.units}


@dataclass(frozen=True)
class Attached:
    """A joint, force or kind of output in a model, with its markers.

    Measures are attributes: ``pin.angle`` is a placeholder for the relative angle.
    """

    model: "Model"
    name: str
    element: Element
    markers: tuple[Marker, ...]

    @property
    def is_joint(self) -> bool:
        """Whether it is a constraint."""
        return self.element.role == "joint"

    def __repr__(self) -> str:
        return f"<{self.element.name} '{self.name}'>"

    def measures(self) -> dict[str, int]:
        """Names of all measures, with their numbers of components."""
        return measures_of(self.element)

    if not TYPE_CHECKING:  # the generated handles list the measures: `mbdgen.language.methods`

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            return self.measured(name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.measures()})

    def measured(self, name: str) -> Any:
        """Return the placeholder of a measure, or the vector of them: ``pin.angle`` by its name."""
        known = self.measures()
        if name not in known:
            raise UnknownNameError(
                f"'{self.name}' ({self.element.name}) has no output {name!r}.",
                meant(name, known, f"It offers: {', '.join(sorted(known)) or 'nothing'}."),
            )
        if known[name] == 1:
            return self.model.book.symbol(PlaceholderQuantity(self, name), f"{self.name}.{name}")
        unit = units_of(self.element).get(name, "")
        return self.model.book.vector(self, name, f"{self.name}.{name}", unit)

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        return self is other
