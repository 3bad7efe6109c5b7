"""Element kinds of a beam: selection by name and compatibility of neighbouring elements."""

import logging
from collections.abc import Sequence
from itertools import pairwise
from math import acos, ceil, sqrt
from typing import Any

from mbdgen.errors import ModelError, meant
from mbdgen.language.beams.beam_motion import BeamMotion
from mbdgen.language.beams.cross_section import CrossSection
from mbdgen.language.beams.section_stiffness import SectionStiffness
from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.coordinates import Coordinates
from mbdgen.language.expressions.scalars import Defaults, Vec3, entries, shown, value_of
from mbdgen.language.expressions.small_vectors import dot
from mbdgen.language.registry import beam_kinds


def kinds_of(wanted: Any, count: int, flat: bool, what: str) -> list[Coordinates]:
    """Return the kind of every element; outside the plane its spatial counterpart.

    Raises
    ------
    ModelError
        If a kind does not exist, or two neighbouring elements have no slope in common.
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
    _check_common_slope(kinds, what)
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


def _check_common_slope(kinds: Sequence[Coordinates], what: str) -> None:
    """Reject neighbouring kinds without a common slope: they would be hinged at their node."""
    for a, b in pairwise(kinds):
        stems = [{block.name[:-1] for block in kind.blocks} - {"r"} for kind in (a, b)]
        if a.name != b.name and not stems[0] & stems[1]:
            raise ModelError(
                f"{what} has elements '{a.name}' beside '{b.name}', which have no slope in common: "
                "there would be a hinge between them.",
                "Use two beams with a joint between them, or kinds that share a slope.",
            )


# Membrane locking of elements along arcs: the largest element length.
#
# A straight-sided section becomes thinner inside an element that turns, and a frame that goes along
# sees the turn as stretch. Both are resisted by :math:`E A` instead of :math:`E I`, so that the
# error follows :math:`l^2/(R h)` of the length l of an element, the radius R and the height h.
logger = logging.getLogger(__name__)


def warn_of_arcs(
    name: str, elements: Sequence[Body], section: CrossSection | SectionStiffness, known: Defaults
) -> None:
    """Warn of elements too long for their unstrained curvature (membrane locking), with advice."""
    worst, kind = 0.0, None
    for body in elements:
        motion, own = body.motion, body.kind
        if own is None or not isinstance(motion, BeamMotion) or not motion.rest:
            continue
        a, b = (_numbers(end.slopes[0], known) for end in motion.rest)
        turn = acos(max(-1.0, min(1.0, dot(a, b) / sqrt(dot(a, a) * dot(b, b)))))
        sizes = (section.height,) if own.planar else (section.height, section.width)
        height = min(value_of(x, known, f"section of beam '{name}'") for x in sizes)
        length = value_of(motion.length, known, name)
        if height * turn >= 2 * length:
            raise ModelError(
                f"Beam '{name}' is {height:g} m high where its radius is {length / turn:.3g} m: "
                "its inner fibres would have no length.",
                "Give a section that is lower than twice the radius, or a wider curve.",
            )
        ratio = length * turn / height / own.arcs if own.arcs else 0.0
        if ratio > worst:
            worst, kind = ratio, own
    if kind is not None and worst > 1:
        logger.warning(
            "Beam '%s' is too stiff: elements '%s' lock along arcs unless length^2 < %g radius "
            "height. Take %d elements or more, or the kind '%s'.",
            name,
            kind.name,
            kind.arcs,
            ceil(len(elements) * sqrt(worst)),
            kind.instead,
        )


def _numbers(vector: Vec3, known: Defaults) -> Vec3:
    x, y, z = (value_of(c, known, "slope of a beam") for c in vector)
    return x, y, z
