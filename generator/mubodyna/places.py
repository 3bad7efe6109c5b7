"""Where something stands in the files that are read, and faults that say so."""

from dataclasses import dataclass
from difflib import get_close_matches

from mbdgen.errors import ModelError


@dataclass(frozen=True)
class Place:
    """A line of a file."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def fault(place: Place | str, cause: str, remedy: str) -> ModelError:
    """Return the error of what is wrong at a place."""
    return ModelError(f"{place}: {cause}", remedy)


def close_to(name: str, known: "list[str]") -> str:
    """Return a sentence about names: the ones that are meant, or all of them."""
    found = get_close_matches(name, known, n=2)
    return f"Did you mean {' or '.join(found)}?" if found else f"Known are: {', '.join(known)}."
