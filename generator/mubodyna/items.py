"""Elements with fields of checked types."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mbdgen.mubodyna.input_fields import COUNTED, FieldKind
from mbdgen.mubodyna.places import SourcePlace, fault
from mbdgen.mubodyna.values import InputEntry, is_numeric

_SIZES = {"number": 1, "vector": 3, "quaternion": 4, "matrix": 9}


@dataclass(frozen=True)
class Item:
    """An element of a file.

    Attributes
    ----------
    number : int
        Index in the array of the file, from 1.
    place : SourcePlace
        Line of its creation.
    note : str
        Comment of that line.
    values : mapping
        Fields: numbers, tuples, tuples of rows, texts, booleans.
    places : mapping
        Lines of their assignments.
    """

    number: int
    place: SourcePlace
    note: str
    values: Mapping[str, Any]
    places: Mapping[str, SourcePlace]

    def get(self, name: str, otherwise: Any = None) -> Any:
        """Return the value of a field, or its default."""
        return self.values.get(name, otherwise)

    def where(self, name: str) -> SourcePlace:
        """Return the line of the assignment of a field, or of the creation of the element."""
        return self.places.get(name, self.place)

    def need(self, name: str, what: str) -> Any:
        """Return the value of a required field."""
        if name not in self.values:
            raise fault(self.place, f"{what} has no {name}.", "Set it.")
        return self.values[name]


def item(
    number: int, place: SourcePlace, note: str, entries: Mapping[str, tuple[FieldKind, InputEntry]]
) -> Item:
    """Return the element with these fields; wrong types are refused."""
    values = {name: _held(kind, entry) for name, (kind, entry) in entries.items()}
    places = {name: entry.place for name, (_, entry) in entries.items()}
    return Item(number, place, note, values, places)


def _held(kind: FieldKind, entry: InputEntry) -> Any:
    value, place = entry.value, entry.place
    if kind.holds == "text":
        if not isinstance(value, str):
            raise fault(place, f"{kind.name} is not a text.", "Write it in quotes.")
        return value
    if kind.holds == "switch":
        if is_numeric(value) and value.size == 1:
            return bool(value.item())
        if not isinstance(value, bool):
            raise fault(place, f"{kind.name} is neither true nor false.", "Write true or false.")
        return value
    if not is_numeric(value):
        raise fault(place, f"{kind.name} is not a number.", "Write numbers.")
    if kind.holds == "list":
        return tuple(value.ravel().tolist())
    wanted = _SIZES.get(kind.holds, 1)
    if value.size != wanted or (kind.holds == "matrix" and value.shape != (3, 3)):
        size = "x".join(map(str, value.shape))
        raise fault(place, f"{kind.name} has {size} numbers.", f"It takes {_shape(kind.holds)}.")
    if kind.holds in COUNTED:
        return _count(kind, value.item(), place)
    numbers = value.ravel().tolist()
    if kind.holds == "matrix":
        return tuple(tuple(row) for row in value.tolist())
    return numbers[0] if wanted == 1 else tuple(numbers)


def _shape(holds: str) -> str:
    return {"vector": "3", "quaternion": "4", "matrix": "3x3"}.get(holds, "one")


def _count(kind: FieldKind, value: float, place: SourcePlace) -> int:
    least = 0 if kind.holds == "body" else 1
    if not value.is_integer() or value < least:
        raise fault(
            place,
            f"{kind.name} is {value:g}.",
            f"It is the number of an element, a whole number from {least}.",
        )
    return int(value)
