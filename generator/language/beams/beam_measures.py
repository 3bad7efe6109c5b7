r"""Strains and stresses of beams as placeholders: for outputs, and for laws of forces.

An element kind defines its section measures. The strain of a fibre follows,

.. math:: \varepsilon(y, z) = \varepsilon_0 - y\, \kappa_z + z\, \kappa_y, \qquad
    \sigma = E \varepsilon ,

if the unstrained beam is straight; otherwise the kind gives the natural length of fibres.
"""

from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.language.beams.beam_motion import BeamMotion
from mbdgen.language.expressions.placeholders import PlaceholderQuantity
from mbdgen.language.expressions.scalars import as_scalar

if TYPE_CHECKING:
    from mbdgen.language.beams.beam import Beam

FIBRE = {"strain": "1", "stress": "Pa"}
"""Measures of fibres, along the beam."""
CURVATURES = {"curvature": (-1, "y"), "curvature_z": (-1, "y"), "curvature_y": (1, "z")}
"""Sign of the fibre strain per curvature, and the axis of the offset."""


def measure(beam: "Beam", what: str, s: Any, y: Any, z: Any) -> Any:
    """Return the placeholder of a section measure, or the expression of a fibre measure.

    Raises
    ------
    ModelError
        If the element has no measure of that name.
    """
    marker = beam.at(s)
    kind = marker.body.kind
    assert kind is not None
    known = kind.measured_units()
    if what in known:
        label = f"{marker.label}.{what}"
        return beam.model.book.symbol(PlaceholderQuantity(marker, what), label)
    if what not in FIBRE or "stretch" not in known:
        raise ModelError(
            f"Nothing called {what!r} is known of beam '{beam.name}' ({kind.name}).",
            f"There are: {', '.join([*known, *FIBRE] if known else ['none'])}.",
        )
    offsets = {name: as_scalar(x, f"{name} of a fibre") for name, x in (("y", y), ("z", z))}
    motion = marker.body.motion
    if what == "stress" and beam.material is None:
        raise ModelError(
            f"The section of beam '{beam.name}' is given by its stiffnesses: fibres have a strain, "
            "but no stress.",
            f"Measure 'strain', or one of: {', '.join(known)}.",
        )
    young = 1.0 if beam.material is None else beam.material.young
    if isinstance(motion, BeamMotion) and motion.rest:
        fibre = PlaceholderQuantity(beam.at(s, y, z), "strain")
        total = beam.model.book.symbol(fibre, f"{marker.label}.fibre")
        return total if what == "strain" else young * total
    total = measure(beam, "stretch", s, y, z)
    for name, (sign, axis) in CURVATURES.items():
        if name in known and offsets[axis] != 0:
            total = total + sign * offsets[axis] * measure(beam, name, s, y, z)
    return total if what == "strain" else young * total
