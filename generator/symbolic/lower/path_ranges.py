"""Where the numbers of places that move along paths may be."""

from mbdgen.language.expressions.scalars import Scalar
from mbdgen.language.model import Model
from mbdgen.symbolic.lower.numbering import Numbering


def range_numbers(model: Model) -> list[tuple[str, Scalar]]:
    """Return beginning and end of every path, with their names: they stand behind others in p."""
    found: list[tuple[str, Scalar]] = []
    for name, path in _ending(model):
        found += zip((f"{name}: begin", f"{name}: end"), path, strict=True)
    return found


def ranges(model: Model, numbering: Numbering, first: int) -> tuple[tuple[int, int, int], ...]:
    """Return coordinate, and the places of beginning and end in p, of every path.

    Parameters
    ----------
    first : int
        Place of the first of their `range_numbers`.
    """
    places = [numbering.body[name] for name, _ in _ending(model)]
    return tuple((at, first + 2 * k, first + 2 * k + 1) for k, at in enumerate(places))


def _ending(model: Model) -> list[tuple[str, tuple[Scalar, Scalar]]]:
    """Return the places whose paths have ends, by name, with these."""
    return [(name, path.ends) for name, path in model.paths.items() if path.ends is not None]
