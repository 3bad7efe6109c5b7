"""Inertia forces in a rotating frame: Coriolis, Euler and centrifugal forces of beams."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.base import Force, Push, Rate
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Vec
from mbdgen.language.bodies.coordinates import Coordinates
from mbdgen.language.markers.marker import Marker
from mbdgen.language.markers.triad import direction


@dataclass(frozen=True)
class RotatingFrame(Force):
    r"""Coriolis, Euler and centrifugal forces of an element of a beam in a rotating frame.

    .. math:: dQ = -\varrho \bigl(2 \omega \times \dot r + \dot\omega \times r
        + \omega \times (\omega \times r)\bigr)\, dV, \qquad \omega = \dot\varphi(t)\, e

    The whole model is described in the rotating frame: a steadily spinning beam is at rest in it,
    so that it has equilibria and modes.

    Attributes
    ----------
    angle : scalar
        Rotation angle :math:`\varphi` of the frame, an expression of time.
    about : 3 scalars
        Direction e of its axis.
    through : 3 scalars
        A point of its axis.
    """

    name = "rotating_frame"
    ends = ("a",)
    distributed = True

    angle: Any = 0.0
    about: Any = (0.0, 0.0, 1.0)
    through: Any = (0.0, 0.0, 0.0)

    def check_markers(self, what: str, *markers: Marker) -> None:
        """Reject an axis without direction."""
        known = markers[0].body.model.parameter_defaults
        direction(self.about, f"The axis about= of {what}", known)

    def places(self, kind: Coordinates) -> int:
        """Return the number of Gauss points exact for products of two cubics."""
        return max(4, kind.quadrature)

    def pushes(self, *frames: Frame, rate: Rate) -> list[Push]:
        """Return the forces along every component of the inertial fields."""
        (section,) = frames
        assert isinstance(section, Section)
        axis, speed = Vec.of(self.about).direction(), rate(self.angle)
        omega, alpha = axis * speed, axis * rate(speed)
        found = []
        for name, density in section.kind.densities.items():
            field = section.field(name)
            seen = field - self.through if name == "r" else field
            moving = Vec(*(rate(c) for c in field))
            felt = omega.cross(moving) * 2 + alpha.cross(seen) + omega.cross(omega.cross(seen))
            load = felt * -section.body.parameter(density)
            size = 2 if section.kind.planar else 3
            pairs = zip(list(field)[:size], list(load)[:size], strict=True)
            found += [Push(coordinate, force) for coordinate, force in pairs]
        return found
