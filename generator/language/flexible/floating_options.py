"""Mode options of a beam in a floating frame: assumed modes or finite elements, damping."""

from collections.abc import Sequence
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.language.expressions.scalars import Scalar, as_scalar, entries, is_number, shown, sqrt
from mbdgen.language.flexible.modal_motion import Row
from mbdgen.modal.families import IN_SPACE, Family, Sort
from mbdgen.modal.line_modes import FRAMES, MOST, bending, element_modes, stretching

MOST_IN_SPACE = 30
"""Largest number of modes: the equations have a term for every pair of modes and axis."""
_USUAL = {2: (3, 1), 4: (3, 3, 1, 1)}


def families_of(
    sorts: Sequence[Sort], frame: Any, modes: Any, elements: Any, what: str
) -> tuple[Family, ...]:
    """Return the modes of a beam in its frame, one family for each type of deformation."""
    if frame not in FRAMES:
        raise ModelError(
            f"The frame of {what} is {shown(frame)}.", f"Use one of: {', '.join(FRAMES)}."
        )
    counts = None if modes is None and elements is not None else _counts(sorts, modes, what)
    if elements is None:
        assert counts is not None
        found = tuple(
            Family(sort, (bending if sort.bends else stretching)(frame, n))
            for sort, n in zip(sorts, counts, strict=True)
        )
    else:
        found = _of_elements(sorts, frame, counts, elements, what)
    count, most = sum(len(x.modes.values) for x in found), _most(sorts)
    if count > most:
        usual = _USUAL[len(sorts)]
        raise ModelError(
            f"{what} would have {count} modes.",
            f"At most {most} are possible: say which with modes={usual}.",
        )
    return found


def _of_elements(
    sorts: Sequence[Sort], frame: str, counts: tuple[int, ...] | None, elements: Any, what: str
) -> tuple[Family, ...]:
    if isinstance(elements, bool) or not isinstance(elements, int) or elements < 1:
        raise ModelError(f"{what} has {shown(elements)} elements.", "Give a whole number above 0.")
    wanted = counts or (None,) * len(sorts)
    found = tuple(
        Family(sort, element_modes(frame, sort.bends, elements, n))
        for sort, n in zip(sorts, wanted, strict=True)
    )
    for family, n in zip(found, wanted, strict=True):
        have = len(family.modes.values)
        if n is not None and have != n:
            raise ModelError(
                f"{what} of {elements} elements has {have} modes of {family.sort.name}, not {n}.",
                "Ask for fewer modes, or give more elements.",
            )
    return found


def _counts(sorts: Sequence[Sort], modes: Any, what: str) -> tuple[int, ...]:
    usual, most = _USUAL[len(sorts)], _most(sorts)
    given = entries(usual if modes is None else modes) or ()
    counts = [x for x in given if isinstance(x, int) and not isinstance(x, bool) and x >= 0]
    if not len(given) == len(counts) == len(sorts) or not 0 < sum(counts) or max(counts) > most:
        names = ", ".join(sort.name for sort in sorts)
        raise ModelError(
            f"The modes of {what} are {shown(modes)}.",
            f"Give {len(sorts)} whole numbers up to {most}, of {names}: modes={usual}.",
        )
    return tuple(counts)


def _most(sorts: Sequence[Sort]) -> int:
    return MOST_IN_SPACE if len(sorts) == len(IN_SPACE) else MOST


# Options of the modes: damping ratios and initial amplitudes.
def damping_of(ratios: Any, stiffness: Row, viscous: Sequence[Scalar], what: str) -> Row:
    r"""Return :math:`2 \zeta_i \omega_i + \gamma_i \omega_i^2` of every mode."""
    given = entries(ratios)
    listed = [ratios] * len(stiffness) if given is None else list(given)
    if len(listed) != len(stiffness):
        raise ModelError(
            f"{what} has {len(stiffness)} modes, but {len(listed)} damping ratios.",
            "Give one for each mode, or one for all.",
        )
    found = []
    for x, k, law in zip(listed, stiffness, viscous, strict=True):
        ratio = as_scalar(x, f"damping of {what}")
        if is_number(ratio) and ratio < 0:
            raise ModelError(f"A damping ratio of {what} is {ratio:g}.", "Give zero or more.")
        found.append(2 * ratio * sqrt(k) + law * k)
    return tuple(found)


def amplitudes_of(given: Any, count: int, what: str) -> Row:
    """Return one scalar for each mode; none for a body at rest."""
    if given is None:
        return ()
    listed = entries(given)
    if listed is None or len(listed) != count:
        raise ModelError(f"The {what} do not fit its {count} modes.", "Give one for each mode.")
    return tuple(as_scalar(x, what) for x in listed)
