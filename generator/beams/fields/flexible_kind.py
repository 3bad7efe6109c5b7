"""Base of flexible body kinds: fields along the body, and the triad of a section."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from mbdgen.bodies.base import BodyKind
from mbdgen.errors import ModelError
from mbdgen.geometry.frames import BodySymbols, Frame, Glide
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr, Vec


class FlexibleKind(BodyKind):
    """Base of bodies whose frames are sections (`mbdgen.geometry.sections`)."""

    flexible = True
    direct = True

    def frame(
        self,
        label: str,
        body: BodySymbols,
        point: Vec,
        local_axes: tuple[Vec, Vec, Vec],
        place: Mapping[str, Expr],
    ) -> Frame:
        """Return a section."""
        return Section(label, body, point, local_axes, body.tape)

    def gliding_frame(
        self,
        label: str,
        body: BodySymbols,
        point: Vec,
        local_axes: tuple[Vec, Vec, Vec],
        place: Mapping[str, Expr],
        glide: Glide,
    ) -> Frame:
        """Return a section moving along the body."""
        xi = body.tape.name(f"xi_{label}", glide.along / body.parameter("l"))
        at = Vec(xi, point[1], point[2])
        return Section(label, body, at, local_axes, body.tape, glide.number, glide.tangent)

    @abstractmethod
    def interpolated(
        self, body: BodySymbols, numbers: Sequence[Expr], name: str, order: int, xi: Expr
    ) -> Vec:
        """Return a field, or its derivative along the body, of coordinates or their rates."""

    def measured_at(self, section: Section, what: str) -> Expr | None:
        """Return a strain or a stress at a section by its name; None if there is none."""
        return None

    @abstractmethod
    def triad(self, section: Section) -> tuple[Vec, Vec, Vec]:
        """Return the axes of a section: along the body, then its own y and z."""

    def slope(self, section: Section, k: int) -> Vec:
        """Return the derivative of the position along an axis of the triad, if there is one."""
        raise ModelError(
            f"sections of '{self.name}' have no slopes.", "Use form='general' for its joints."
        )

    def sides(self, section: Section) -> tuple[Vec, Vec]:
        """Return the position gradients along the section's y and z: its axes, if it is rigid."""
        return section.triad[1], section.triad[2]
