"""Source locations in input files, and errors at them."""

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
    """Return the error of a fault at a source location."""
    return ModelError(f"{place}: {cause}", remedy)


def close_to(name: str, known: "list[str]") -> str:
    """Return a sentence with similar names, or all of them."""
    return meant(name, known, f"Known are: {', '.join(known)}.")
