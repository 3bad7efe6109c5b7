"""Which elements a beam is made of: what a user names, and what can follow each other."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from mbdgen.errors import ModelError, meant
from mbdgen.language.coordinates import Coordinates
from mbdgen.language.registry import beam_kinds
from mbdgen.language.scalars import entries, shown


def kinds_of(wanted: Any, count: int, flat: bool, what: str) -> list[Coordinates]:
    """Return the kind of every element; out of the plane that of the same sort in space.

    Raises
    ------
    ModelError
        If there is no such kind, or two that follow each other have no slope in common.
    """
    names = entries(wanted)
    if names is None:
        return [_kind(wanted, flat, what)] * count
    if len(names) != count:
        raise ModelError(
            f"{what} has {count} elements but {len(names)} kinds.", "Give one for each element."
        )
    kinds = [_kind(name, flat, what) for name in names]
    if len({kind.planar for kind in kinds}) > 1:
        raise ModelError(
            f"{what} has elements in the plane and in space.", "Give kinds of one sort."
        )
    _require_common_slope(kinds, what)
    return kinds


def _kind(wanted: Any, flat: bool, what: str) -> Coordinates:
    if isinstance(wanted, type) and issubclass(wanted, Coordinates) and wanted.flexible:
        return wanted()
    kinds = beam_kinds()
    if wanted in (None, ""):
        listed = ", ".join(kinds)
        raise ModelError(f"{what} has no kind.", f"Give kind=, one of: {listed}.")
    wanted = wanted.removeprefix("ancf-") if isinstance(wanted, str) else shown(wanted)
    if wanted not in kinds:
        hint = meant(wanted, kinds, f"There are: {', '.join(kinds)}.")
        raise ModelError(f"{what} has no element of the kind {shown(wanted)}.", hint)
    made: Coordinates = kinds[wanted]()
    if made.in_space and not flat:
        made = kinds[made.in_space]()
    return made


def _require_common_slope(kinds: Sequence[Coordinates], what: str) -> None:
    """Refuse kinds that would be hinged where they meet."""
    for a, b in pairwise(kinds):
        stems = [{block.name[:-1] for block in kind.blocks} - {"r"} for kind in (a, b)]
        if a.name != b.name and not stems[0] & stems[1]:
            raise ModelError(
                f"{what} has elements '{a.name}' beside '{b.name}', which have no slope in common: "
                "there would be a hinge between them.",
                "Use two beams with a joint between them, or kinds that share a slope.",
            )
