"""Values of expressions: two-dimensional arrays, texts, booleans and elements."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mbdgen.mubodyna.places import SourcePlace


@dataclass(frozen=True)
class InputEntry:
    """A value assigned to a field, with its source location."""

    value: Any
    place: SourcePlace


@dataclass(frozen=True)
class InputElement:
    """A body, point, joint, ... while its file is read.

    Attributes
    ----------
    struct : str
        Name of the default it was created from, such as ``Body_struct``.
    place : SourcePlace
        Line of its creation.
    note : str
        Comment of that line.
    entries : dict
        Assigned fields.
    """

    struct: str
    place: SourcePlace
    note: str = ""
    entries: dict[str, InputEntry] = field(default_factory=dict)

    def having(self, name: str, value: Any, place: SourcePlace) -> "InputElement":
        """Return the element with an assigned field."""
        return replace(self, entries={**self.entries, name: InputEntry(value, place)})


def number(x: Any) -> Any:
    """Return a number or a list as a two-dimensional array."""
    return np.atleast_2d(np.asarray(x, float))


def is_numeric(x: Any) -> bool:
    """Whether a value is an array of numbers."""
    return isinstance(x, np.ndarray)
