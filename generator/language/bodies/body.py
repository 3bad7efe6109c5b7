"""Bodies of a model: name, inertia, initial conditions, and markers."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.language.argument_words import explains_arguments
from mbdgen.language.beams.beam_motion import BeamMotion
from mbdgen.language.bodies.coordinates import Coordinates
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.bodies.surface import UNKNOWN, Surface, as_surface
from mbdgen.language.drawing import Drawing
from mbdgen.language.expressions.placeholders import Components, PlaceholderQuantity
from mbdgen.language.expressions.scalars import vector
from mbdgen.language.markers.curve_marker import along_curve
from mbdgen.language.markers.marker import Marker
from mbdgen.language.markers.path import MovingMarker
from mbdgen.language.markers.triad import triad

if TYPE_CHECKING:
    from mbdgen.language.model import Model


@explains_arguments
class Body:
    """A body of a model; create one with `Model.body`.

    Attributes
    ----------
    model : Model
        The model it belongs to.
    name : str
        Its name.
    kind : Coordinates or None
        Its coordinates; None for the ground.
    motion : Motion
        Inertia and initial state.
    fixed, fixed_velocity : frozenset of str
        Coordinates, and velocities, that assembly must not change: see
        `mbdgen.language.bodies.held_coordinates`.
    colour : str
        Colour as ``#rrggbb``; empty for an automatic one.
    surface : Surface
        Size and material, for contacts.
    """

    def __init__(
        self,
        model: "Model",
        kind: Coordinates | None,
        motion: Motion,
        fixed: frozenset[str] = frozenset(),
        fixed_velocity: frozenset[str] = frozenset(),
        surface: Surface = UNKNOWN,
        colour: str = "",
    ) -> None:
        self.model, self.kind, self.motion = model, kind, motion
        self.fixed, self.fixed_velocity = fixed, fixed_velocity
        self.surface, self.colour = surface, colour

    @property
    def name(self) -> str:
        """The name."""
        return self.motion.name

    @property
    def is_ground(self) -> bool:
        """Whether it is the ground."""
        return self.kind is None

    def at(
        self,
        x: Any = 0.0,
        y: Any = 0.0,
        z: Any = 0.0,
        *,
        axes: str = "body",
        axis: Any = None,
        reference: Any = None,
    ) -> Marker:
        """Return a marker.

        Parameters
        ----------
        x, y, z : scalar
            The point: in body axes from the reference point, or its initial global position.
        axes : {"body", "global"}
            Reference frame of the coordinates, also of `axis` and `reference`.
        axis : 3 scalars, optional
            Direction of e3; without it the marker has the axes named by `axes`.
        reference : 3 scalars, optional
            Direction to which e1 is closest.
        """
        if axes not in ("body", "global"):
            raise ModelError(
                f"axes={axes!r} of a marker on '{self.name}'.", "Use 'body' or 'global'."
            )
        what = f"marker on body '{self.name}'"
        point = vector((x, y, z), 3, what)
        frame = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
        if axis is not None:
            values = self.model.parameter_defaults
            frame = triad(axis, reference, defaults=values, what=f"axis of a {what}")
        if axes == "global":
            turn, local = self.motion.local_direction, self.motion.local_point(point)
            frame = (turn(frame[0], local), turn(frame[1], local), turn(frame[2], local))
            point = local
        if self.kind is not None:
            known = self.model.parameter_defaults
            if missed := self.kind.misses(point, self.motion, known):
                raise ModelError(
                    f"The point on {self.called} is {missed}.",
                    "Give a point on it, or ask the beam: beam.at(s) finds the element.",
                )
        return Marker(self, (point[0], point[1], point[2]), frame)

    point = at

    def along(
        self,
        name: str,
        curve: Any,
        start: Any = 0.0,
        *,
        speed: Any = 0.0,
        ends: Any = None,
        normal: Any = None,
    ) -> MovingMarker:
        """Return a marker moving along a curve fixed in the body: see `along_curve`."""
        return along_curve(self, name, curve, start, speed=speed, ends=ends, normal=normal)

    def made_of(self, young: Any, poisson: Any = None) -> None:
        """Set the contact material, also of the ground, which is rigid by default."""
        what = f"of body '{self.name}'"
        self.surface = replace(
            as_surface(self.model, None, young, poisson, what), radius=self.surface.radius
        )

    @property
    def origin(self) -> Marker:
        """The marker at the body's reference point."""
        return self.at()

    @property
    def centre_of_mass(self) -> Marker:
        """The marker at the centre of mass; of an element of a beam, its section in the middle."""
        if isinstance(self.motion, BeamMotion):
            return self.at(self.motion.length / 2)
        return self.at(*self.motion.centre_of_mass)

    @property
    def draw(self) -> Drawing:
        """Its shapes in pictures: ``body.draw.sphere(0.1)``; see `Drawing`."""
        return Drawing(self)

    @property
    def angular_velocity(self) -> Components:
        """Angular velocity in global axes."""
        self._check_rigid("single angular velocity", ".angular_velocity")
        return self.model.book.vector(self.origin, "w", f"{self.name}.w", "rad/s")

    def euler(self, sequence: str) -> Components:
        """Return Euler angles (body-fixed rotations, for example ``zxz``) for outputs."""
        self._check_rigid("single orientation", f".euler({sequence!r})")
        return self.origin.euler(sequence)

    def variable(self, name: str) -> Any:
        """Return a scalar that the body kind offers, for example ``angle`` of a planar body."""
        if self.kind is None:
            raise ModelError(f"The ground has no variable {name!r}.", "Ask a moving body.")
        return self.model.book.symbol(PlaceholderQuantity(self, name), f"{self.name}.{name}")

    @property
    def angle(self) -> Any:
        """Angle of a planar body, not wrapped."""
        return self.variable("angle")

    @property
    def angle_rate(self) -> Any:
        """Angular velocity of a planar body."""
        return self.variable("angle_rate")

    @property
    def called(self) -> str:
        """Its name in messages."""
        of_beam = self.motion.called if isinstance(self.motion, BeamMotion) else ""
        return of_beam or f"'{self.name}'"

    def _check_rigid(self, what: str, instead: str) -> None:
        """Reject section-dependent quantities of a beam element."""
        if isinstance(self.motion, BeamMotion):
            called = self.called if self.motion.called else f"beam {self.called}"
            raise ModelError(
                f"{called[0].upper()}{called[1:]} has no {what}: it bends.",
                f"Ask one of its sections: beam.end{instead}, or beam.at(s){instead}.",
            )

    def __repr__(self) -> str:
        kind = "ground" if self.kind is None else self.kind.name
        return f"<body '{self.name}' ({kind})>"
