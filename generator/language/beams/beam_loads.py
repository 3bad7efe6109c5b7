"""Loads on a whole beam, applied to each of its elements."""

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mbdgen.language.attached import Attached
    from mbdgen.language.beams.beam import Beam

ROUNDING = 1e-9
"""Tolerance, as a fraction of an element, by which a load may lie beyond the end of the beam."""


def moving(beam: "Beam", name: str, place: Any, force: Any) -> tuple["Attached", ...]:
    """Attach a travelling force to every element, each with the arc lengths of its two ends."""
    borders = [*accumulate(beam.lengths, initial=0.0)]
    borders[-1] = borders[-1] + ROUNDING * beam.lengths[-1]
    return tuple(
        beam.model.moving_load(
            f"{name}_{k}",
            element.at(0.0, 0.0, 0.0),
            place=place,
            begin=begin,
            end=end,
            force=force,
        )
        for k, (element, (begin, end)) in enumerate(
            zip(beam.elements, pairwise(borders), strict=True), 1
        )
    )
