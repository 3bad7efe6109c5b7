"""Bounds of path coordinates of points that move along paths."""

from mbdgen.language.expressions.scalars import Scalar
from mbdgen.language.model import Model
from mbdgen.symbolic.lower.numbering import Numbering


def range_numbers(model: Model) -> list[tuple[str, Scalar]]:
    """Return begin and end of every path, with their names, to be appended to p."""
    found: list[tuple[str, Scalar]] = []
    for name, path in _ending(model):
        found += zip((f"{name}: begin", f"{name}: end"), path, strict=True)
    return found


def ranges(model: Model, numbering: Numbering, first: int) -> tuple[tuple[int, int, int], ...]:
    """Return the coordinate, and the indices of begin and end in p, of every path.

    Parameters
    ----------
    first : int
        Index of the first of their `range_numbers`.
    """
    places = [numbering.body[name] for name, _ in _ending(model)]
    return tuple((at, first + 2 * k, first + 2 * k + 1) for k, at in enumerate(places))


def _ending(model: Model) -> list[tuple[str, tuple[Scalar, Scalar]]]:
    """Return the path coordinates of open paths, by name, with their bounds."""
    return [(name, path.ends) for name, path in model.paths.items() if path.ends is not None]
