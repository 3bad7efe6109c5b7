"""Validation of beams in contact with a disc: initial depth and mesh size."""

import logging
import math

from mbdgen.errors import ModelError
from mbdgen.language.beams.beam_motion import BeamMotion
from mbdgen.language.expressions.scalars import Scalar, value_of
from mbdgen.language.markers.marker import Marker

logger = logging.getLogger(__name__)

DEEPEST = 0.05
"""Initial depth, relative to the radius, above which it is an input error."""
PER_HALF_TURN = 4
"""Smallest number of elements on half of the circumference."""
ROUNDING = 1.01
"""Tolerance of the element length: the initial line is measured, not the natural length."""


def check_apart(what: str, a: Marker, b: Marker, radius: Scalar, points: int) -> None:
    """Reject a beam element initially inside the disc."""
    known = a.body.model.parameter_defaults
    assert isinstance(a.body.motion, BeamMotion)
    motion = a.body.motion.valued(known, what)
    centre = [value_of(x, known, what) for x in b.global_point]
    r = value_of(radius, known, f"radius of {what}")
    deepest = -math.inf
    for k in range(points):
        place = motion.global_point((motion.length * ((k + 0.5) / points), 0.0, 0.0))
        deepest = max(deepest, r - math.dist([float(x) for x in place], centre))
    if deepest > DEEPEST * r:
        raise ModelError(
            f"At the start {a.body.called} is {deepest:.3g} m inside the disc of {what}, "
            f"which has a radius of {r:g} m.",
            "Lay the beam around it, as loop(((x, y), radius), ...) does, or move the disc.",
        )


def warn_of_mesh(what: str, a: Marker, b: Marker, radius: Scalar) -> None:
    """Warn once for a beam whose elements are too long for the circle."""
    model = a.body.model
    beam = next((x for x in model.beams.values() if x.elements[0] is a.body), None)
    if beam is None:
        return
    known = model.parameter_defaults
    r, length = (value_of(x, known, what) for x in (radius, beam.length))
    longest, count = math.pi * r / PER_HALF_TURN, len(beam.elements)
    if length / count > ROUNDING * longest:
        logger.warning(
            "Beam '%s' has %d elements of %.3g m: too few to follow the disc of '%s' with the "
            "radius %g m. Give it %d.",
            beam.name,
            count,
            length / count,
            b.body.name,
            r,
            math.ceil(length / (ROUNDING * longest)),
        )
