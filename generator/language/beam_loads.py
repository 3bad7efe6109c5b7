"""Loads on a whole beam: one statement for every element of it."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mbdgen.language.beam import Beam
    from mbdgen.language.model import Attached


def moving(beam: "Beam", name: str, place: Any, force: Any) -> tuple["Attached", ...]:
    """Attach a travelling force to every element, each with the place where it begins."""
    begins = [sum(beam.lengths[:k]) for k in range(len(beam.lengths))]
    return tuple(
        beam.model.moving_load(
            f"{name}_{k}",
            element.at(0.0, 0.0, 0.0),
            place=place,
            begin=begin,
            force=force,
            last=k == len(begins),
        )
        for k, (element, begin) in enumerate(zip(beam.elements, begins, strict=True), 1)
    )
