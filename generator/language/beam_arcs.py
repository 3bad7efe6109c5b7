r"""Elements that lock along arcs: how short they must be.

A straight-sided section becomes thinner inside an element that turns, and a frame that goes along
sees the turn as stretch. Both are resisted by :math:`E A` instead of :math:`E I`, so that the error
follows :math:`l^2/(R h)` of the length l of an element, the radius R and the height h.
"""

import logging
from collections.abc import Sequence
from math import acos, ceil, sqrt

from mbdgen.errors import ModelError
from mbdgen.language.beam_motion import BeamMotion
from mbdgen.language.body import Body
from mbdgen.language.cross_section import CrossSection
from mbdgen.language.scalars import Defaults, Vec3, value_of
from mbdgen.language.section_stiffness import SectionStiffness
from mbdgen.language.vectors import dot

logger = logging.getLogger(__name__)


def warn_of_arcs(
    name: str, elements: Sequence[Body], section: CrossSection | SectionStiffness, known: Defaults
) -> None:
    """Say which elements are too long for the arcs that they are without load, and what to do."""
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
