"""Where something stands in the files that are read, and faults that say so."""

from dataclasses import dataclass

from mbdgen.errors import ModelError, meant


@dataclass(frozen=True)
class SourcePlace:
    """A line of a file."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def fault(place: SourcePlace | str, cause: str, remedy: str) -> ModelError:
    """Return the error of what is wrong at a place."""
    return ModelError(f"{place}: {cause}", remedy)


def close_to(name: str, known: "list[str]") -> str:
    """Return a sentence about names: the ones that are meant, or all of them."""
    return meant(name, known, f"Known are: {', '.join(known)}.")
