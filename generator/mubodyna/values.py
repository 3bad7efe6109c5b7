"""Values of expressions: arrays of two dimensions, texts, truth values and elements."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mbdgen.mubodyna.places import SourcePlace


@dataclass(frozen=True)
class InputEntry:
    """A value that a field was given, and where."""

    value: Any
    place: SourcePlace


@dataclass(frozen=True)
class InputElement:
    """A body, point, joint, ... while its file is read.

    Attributes
    ----------
    struct : str
        Name of the default it was made from, such as ``Body_struct``.
    place : SourcePlace
        Where it was made.
    note : str
        The comment there.
    entries : dict
        Fields that were set.
    """

    struct: str
    place: SourcePlace
    note: str = ""
    entries: dict[str, InputEntry] = field(default_factory=dict)

    def having(self, name: str, value: Any, place: SourcePlace) -> "InputElement":
        """Return the element with a field set."""
        return replace(self, entries={**self.entries, name: InputEntry(value, place)})


def number(x: Any) -> Any:
    """Return a number or a list as the array that all numbers are."""
    return np.atleast_2d(np.asarray(x, float))


def is_numeric(x: Any) -> bool:
    """Whether a value is an array of numbers."""
    return isinstance(x, np.ndarray)
