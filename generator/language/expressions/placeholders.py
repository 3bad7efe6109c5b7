"""Placeholders: symbols for quantities of frames and elements during the motion.

``rod.at(1, 0, 0).vx`` is a SymPy symbol; `QuantityBook` records its meaning, and the compiler
substitutes the expression in the generalised coordinates.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mbdgen.language.attached import Attached
    from mbdgen.language.bodies.body import Body
    from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class PlaceholderQuantity:
    """The quantity represented by a placeholder.

    Attributes
    ----------
    source : Marker, Body or Attached
        Owner of the quantity.
    what : str
        The quantity: ``r``, ``v``, ``acceleration``, ``w``, ``e1`` ... of a frame, the name of a
        variable of a body, or the name of a measure of a joint or force.
    component : int
        0, 1, 2 of a vector; -1 for a scalar.
    """

    source: "Marker | Body | Attached"
    what: str
    component: int = -1


class Components(tuple[Any, ...]):
    """Symbols of the components of a vector, with their name suffixes."""

    suffixes: tuple[str, ...]
    unit: str

    def __new__(
        cls,
        symbols: Iterator[Any],
        suffixes: tuple[str, ...] = ("x", "y", "z"),
        unit: str = "",
    ) -> "Components":
        """Create the tuple and attach its suffixes."""
        self = super().__new__(cls, symbols)
        self.suffixes = suffixes
        self.unit = unit
        return self


class QuantityBook:
    """All placeholders of one model."""

    def __init__(self) -> None:
        self._meaning: dict[Any, PlaceholderQuantity] = {}
        self._symbols: dict[PlaceholderQuantity, Any] = {}

    def symbol(self, quantity: PlaceholderQuantity, name: str) -> Any:
        """Return the symbol of a quantity, made on first use."""
        if quantity not in self._symbols:
            import sympy

            symbol = sympy.Symbol(name, real=True)
            while symbol in self._meaning:  # two markers may have the same printed name
                name += "'"
                symbol = sympy.Symbol(name, real=True)
            self._symbols[quantity] = symbol
            self._meaning[symbol] = quantity
        return self._symbols[quantity]

    def vector(self, source: Any, what: str, label: str, unit: str) -> Components:
        """Return the three symbols of a vector quantity."""
        symbols = (
            self.symbol(PlaceholderQuantity(source, what, k), f"{label}_{c}")
            for k, c in enumerate("xyz")
        )
        return Components(symbols, unit=unit)

    def __contains__(self, symbol: object) -> bool:
        return symbol in self._meaning

    def meaning(self, symbol: Any) -> PlaceholderQuantity:
        """Return the quantity represented by a placeholder."""
        return self._meaning[symbol]
