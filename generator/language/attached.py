"""What is attached to bodies of a model: a statement with its markers, and what it measures."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbdgen.errors import UnknownNameError
from mbdgen.language.element import Element
from mbdgen.language.marker import Marker
from mbdgen.language.quantities import Quantity

if TYPE_CHECKING:
    from mbdgen.language.model import Model

_REACTIONS = {"force": "N", "torque": "N m", "load": "N"}


@dataclass(frozen=True)
class Attached:
    """A joint, force or kind of output in a model: a statement with its markers.

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
        """Names of everything that can be asked for, with the number of components."""
        whole = self.is_joint and self.element.ends
        reactions = {"force": 3, "torque": 3, "load": 1} if whole else {}
        return {**reactions, **self.element.measures}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        known = self.measures()
        if name not in known:
            raise UnknownNameError(
                f"'{self.name}' ({self.element.name}) has no output {name!r}.",
                f"It offers: {', '.join(sorted(known)) or 'nothing'}.",
            )
        unit = self.element.units.get(name, _REACTIONS.get(name, ""))
        if known[name] == 1:
            return self.model.book.symbol(Quantity(self, name), f"{self.name}.{name}")
        return self.model.book.vector(self, name, f"{self.name}.{name}", unit)

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        return self is other
