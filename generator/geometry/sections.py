"""Sections: cross-section frames of flexible bodies (beams) at a position along the midline.

Joints, forces and outputs read a point and three axes, as of a rigid body. Strains read also the
fields that the body interpolates: positions, slopes and their derivatives.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast

from mbdgen.geometry.frames import BodySymbols, Frame
from mbdgen.geometry.functions import sqrt
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero

if TYPE_CHECKING:
    from mbdgen.symbolic.derive.tape import Tape


class Interpolating(Protocol):
    """Protocol of the kind of a flexible body: see `FlexibleKind`."""

    planar: ClassVar[bool]
    densities: ClassVar[Mapping[str, str]]

    def interpolated(
        self, body: BodySymbols, numbers: Sequence[Expr], name: str, order: int, xi: Expr
    ) -> Vec:
        """Return an interpolated field, or its derivative along the body."""
        ...

    def triad(self, section: "Section") -> tuple[Vec, Vec, Vec]:
        """Return the axes of a section."""
        ...

    def measured_at(self, section: "Section", what: str) -> Expr | None:
        """Return a strain or a stress by its name."""
        ...

    def slope(self, section: "Section", k: int) -> Vec:
        """Return the derivative of the position along an axis of the triad."""
        ...

    def sides(self, section: "Section") -> tuple[Vec, Vec]:
        """Return the derivatives of the position with respect to y and z of the section."""
        ...


class Section(Frame):
    r"""Point of a flexible body with the triad of its cross-section.

    Parameters
    ----------
    label, tape
        See `Frame`.
    body : BodySymbols
        The flexible body, of a kind that interpolates (`mbdgen.beams.base.BeamElement`).
    point : Vec
        Position :math:`\xi` along the body between 0 and 1, then the position in the section, in
        metres along the second and third axis of the triad.
    local_axes : tuple of Vec
        Components of the axes in the triad.
    number : BodySymbols, optional
        Path coordinate by which it moves along the body.
    tangent : bool
        Whether the first axis of its triad is the tangent of the midline, see `along`.
    """

    body: BodySymbols

    def __init__(
        self,
        label: str,
        body: BodySymbols,
        point: Vec,
        local_axes: tuple[Vec, Vec, Vec],
        tape: "Tape",
        number: BodySymbols | None = None,
        tangent: bool = False,
    ) -> None:
        super().__init__(label, body, point, local_axes, tape)
        self.number, self.tangent = number, tangent
        self._fields: dict[tuple[str, int, str], Vec] = {}

    @property
    def kind(self) -> Interpolating:
        """Kind of the body."""
        return cast(Interpolating, self.body.kind)

    @property
    def xi(self) -> Expr:
        """Position along the body, from 0 to 1."""
        return self.point[0]

    def field(self, name: str, order: int = 0, at: Expr = None) -> Vec:
        """Return an interpolated vector field, or its derivative along the body.

        The value is that at this section, or at another position `at`: 0 and 1 are the ends.
        """
        key = (name, order, "" if at is None else str(at))
        if key not in self._fields:
            place = self.xi if at is None else at
            value = self.kind.interpolated(self.body, self.body.q, name, order, place)
            label = "_".join(filter(None, (name, "x" * order, self.label, *_end(at))))
            self._fields[key] = self.tape.distinct(label, value)
            self.tape.gate(self._fields[key])
        return self._fields[key]

    def passing(self, xi: Expr) -> "Section":
        """Return the section at a position of the midline that changes with time."""
        point = Vec(xi, 0, 0)
        assert self.local_axes is not None
        return Passed(f"{self.label}_passed", self.body, point, self.local_axes, self.tape)

    def slope(self, k: int) -> Vec:
        """Return the derivative of the position along axis k of the triad: linear in coordinates.

        It equals that axis unless the body is strained.
        """
        return self.kind.slope(self, k)

    def direction(self, label: str, vector: Vec) -> Vec:
        """Return the unit vector; it and the length are named, which keeps derivatives short."""
        vector = self.tape.vector(f"{label}_{self.label}_whole", vector)
        square = self.tape.name(f"{label}_{self.label}_square", vector.dot(vector))
        over = self.tape.name(f"{label}_{self.label}_over", 1 / sqrt(square))
        return self.tape.vector(f"{label}_{self.label}", vector * over)

    @cached_property
    def triad(self) -> tuple[Vec, Vec, Vec]:
        """Tangent or normal of the section, and its two other axes."""
        stated = self.kind.triad(self)
        stated = self._along(stated) if self.tangent else stated
        names = (f"{c}_{self.label}" for c in ("triad_1", "triad_2", "triad_3"))
        x, y, z = (self.tape.vector(n, c) for n, c in zip(names, stated, strict=True))
        return x, y, z

    def _along(self, axes: tuple[Vec, Vec, Vec]) -> tuple[Vec, Vec, Vec]:
        r"""Return the tangent triad: :math:`t \parallel r_x`, :math:`b \parallel r_x \times n`."""
        t = self.field("r", 1).direction()
        if self.kind.planar:
            return t, Vec(-t[1], t[0], 0), Vec(0, 0, 1)
        t = self.tape.vector(f"tangent_{self.label}", t)
        b = self.tape.vector(f"binormal_{self.label}", t.cross(axes[1]).direction())
        return t, b.cross(t), b

    @cached_property
    def arm(self) -> Vec:
        """Not defined: variations of a section are those of the coordinates themselves."""
        return zero()

    @cached_property
    def r(self) -> Vec:
        """Position of the point."""
        position = self.kind.interpolated(self.body, self.body.q, "r", 0, self.xi)
        _, *places = self.point
        if any(c != 0 for c in places):
            for side, place in zip(self.kind.sides(self), places, strict=True):
                position = position + side * place
        return self.tape.distinct(f"r_{self.label}", position)

    @cached_property
    def w(self) -> Vec:
        r"""Angular velocity of the triad, :math:`\tfrac12 \sum_k e_k \times \dot e_k`."""
        x, y, z = self.triad
        rates = [Vec(*(self.tape.rate(c, self.body.seeds) for c in e)) for e in self.triad]
        if self.kind.planar:
            return self.tape.distinct(f"w_{self.label}", x.cross(rates[0]))
        turning = zero()
        for e, rate in zip((x, y, z), rates, strict=True):
            turning = turning + e.cross(rate)
        return self.tape.distinct(f"w_{self.label}", turning / 2)

    def quantity(self, what: str) -> Any:
        """Return a strain or a stress, or a quantity of every frame."""
        found = self.kind.measured_at(self, what)
        return super().quantity(what) if found is None else found

    def axis(self, k: int) -> Vec:
        """Return axis number k."""
        assert self.local_axes is not None
        if k not in self._axes:
            local, (x, y, z) = self.local_axes[k], self.triad
            turned = x * local[0] + y * local[1] + z * local[2]
            self._axes[k] = self.tape.distinct(f"e{k + 1}_{self.label}", turned)
        return self._axes[k]

    @property
    def vectors(self) -> list[tuple[Vec, Vec, Vec, bool]]:
        """Vectors that have been used, fields included."""
        fields = [(self.point, x, x, False) for _, x in sorted(self._fields.items())]
        return super().vectors + fields


class Passed(Section):
    """Section of the midline at a moving position, with the material velocity of the body there."""

    @cached_property
    def v(self) -> Vec:
        """Velocity of the material point of the body, not of the moving position."""
        rates = self.kind.interpolated(self.body, self.body.v, "r", 0, self.xi)
        return self.tape.distinct(f"v_{self.label}", rates)


def linear_axis(frame: Frame, k: int) -> Vec:
    """Return axis k of a frame, for a section from its slopes: linear in the coordinates."""
    if not isinstance(frame, Section):
        return frame.axis(k)
    assert frame.local_axes is not None
    total = zero()
    for j, share in enumerate(frame.local_axes[k]):
        if share != 0:
            total = total + frame.slope(j) * share
    return total


def _end(at: Expr) -> tuple[str, ...]:
    """Return the suffix of names for a position other than that of the section."""
    if at is None:
        return ()
    return ("start" if at == 0 else "end",) if at in (0, 1) else ("elsewhere",)
