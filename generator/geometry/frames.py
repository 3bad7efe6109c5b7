"""Frames (points with axes): the interface of a body to joints, forces and outputs.

A frame is a point fixed in a body with, if the body has an orientation, three axes fixed in it. All
of its quantities are in global axes and are named results on the tape, so that each is computed
once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from mbdgen.errors import ModelError
from mbdgen.geometry.symbolic_vectors import Expr, Vec, stated_vector, zero
from mbdgen.returned import wrong

if TYPE_CHECKING:
    from mbdgen.bodies.base import BodyKind
    from mbdgen.symbolic.derive.tape import Tape

T = TypeVar("T")


def of_body(name: str, label: str) -> str:
    """Return the name of a coordinate or parameter of one of an element's bodies: ``x_a``."""
    return f"{name}_{label}"


class BodySymbols:
    """Symbols of the generalised coordinates of a body in an element, and its kinematics.

    Parameters
    ----------
    kind : BodyKind
        Kind of the body, which states the kinematics.
    label : str
        Distinguishes the bodies of an element: ``a``, ``b``, ...
    tape : Tape
        Tape of named results.
    structure : str
        Variant of the kind (see `BodyKind.structure`).
    """

    def __init__(self, kind: "BodyKind", label: str, tape: "Tape", structure: str = "") -> None:
        self.kind, self.label, self.tape, self.structure = kind, label, tape, structure
        names = [of_body(c, label) for c in kind.coordinates]
        self.q = [tape.input(name) for name in names]
        self.v = [tape.input(f"{name}_dot") for name in names]
        self.a = [tape.input(f"{name}_ddot") for name in names]
        self.seeds: Mapping[Expr, Expr] = {}
        self._made: dict[str, Any] = {}
        self._known = kind.known(structure)

    def standing(self, q: Sequence[Expr]) -> "BodySymbols":
        """Return the same body at rest at other coordinates."""
        other = BodySymbols(self.kind, self.label, self.tape, self.structure)
        other.q, other.v, other.a = list(q), [0] * len(q), [0] * len(q)
        return other

    def parameter(self, name: str) -> Expr:
        """Return one of the kind's `parameters`: a symbol, or its value if that is structure."""
        if name in self._known:
            return self._known[name]
        return self.tape.number(of_body(name, self.label))

    @cached_property
    def origin(self) -> Vec:
        """Position of the origin of local points."""
        return stated_vector(self.kind, "origin", self.kind.origin(self))

    @cached_property
    def axes(self) -> tuple[Vec, Vec, Vec]:
        """Body axes in global components (the columns of the rotation matrix)."""
        stated = self.kind.axes(self)
        if not isinstance(stated, tuple | list) or len(stated) != 3:
            raise wrong(self.kind, "axes", stated, "three Vecs")
        columns = [stated_vector(self.kind, "axes", c) for c in stated]
        names = (f"R_{self.label}_{k}" for k in "123")
        x, y, z = (self.tape.vector(n, c) for n, c in zip(names, columns, strict=True))
        return x, y, z

    @cached_property
    def angular_velocity(self) -> Vec:
        """Angular velocity in global axes."""
        stated = self.kind.angular_velocity(self)
        omega = stated_vector(self.kind, "angular_velocity", stated)
        return self.tape.distinct(f"omega_{self.label}", omega)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Return the cached result of the first call of `make`: the same names on the tape."""
        if name not in self._made:
            self._made[name] = make()
        made: T = self._made[name]
        return made

    def rotate(self, local: Vec) -> Vec:
        """Transform local components to global ones."""
        x, y, z = self.axes
        return x * local[0] + y * local[1] + z * local[2]


@dataclass(frozen=True)
class Load:
    """Gradient with respect to a vector of a frame: force on a point or load on an axis.

    Attributes
    ----------
    local, arm : Vec
        The vector fixed in the body, in local and in global components.
    value : Vec
        Quantity conjugate to its variation, in global components.
    translates : bool
        True for a point (it moves with the origin), False for a direction.
    """

    local: Vec
    arm: Vec
    value: Vec
    translates: bool


@dataclass(frozen=True)
class Glide:
    """Motion of a point along a flexible body.

    Attributes
    ----------
    number : BodySymbols
        Path coordinate.
    along : expression
        Distance from the start of the current piece of the path.
    tangent : bool
        Whether its first axis is the tangent; otherwise the axes are those of the section.
    """

    number: BodySymbols
    along: Expr
    tangent: bool


class Frame:
    """Frame: a point and three axes fixed in a body, or in the ground if `body` is None.

    Parameters
    ----------
    label : str
        Distinguishes the frames of an element.
    body : BodySymbols or None
        The body; None for the ground.
    point : Vec
        Local components of the point (global ones for the ground).
    local_axes : tuple of Vec, or None
        Local components of the axes; None for a body without orientation.
    tape : Tape
        Tape of named results.

    Attributes
    ----------
    number : BodySymbols or None
        Path coordinate by which the point moves along its body, if any.
    """

    number: BodySymbols | None = None

    def __init__(
        self,
        label: str,
        body: BodySymbols | None,
        point: Vec,
        local_axes: tuple[Vec, Vec, Vec] | None,
        tape: "Tape",
    ) -> None:
        self.label, self.body, self.point, self.local_axes = label, body, point, local_axes
        self.tape = tape
        self._axes: dict[int, Vec] = {}

    @cached_property
    def arm(self) -> Vec:
        """Vector from the origin of the body to the point."""
        assert self.body is not None
        if all(c == 0 for c in self.point):
            return zero()
        return self.tape.vector(f"arm_{self.label}", self.body.rotate(self.point))

    @cached_property
    def r(self) -> Vec:
        """Position of the point."""
        if self.body is None:
            return self.point
        return self.tape.distinct(f"r_{self.label}", self.body.origin + self.arm)

    @cached_property
    def v(self) -> Vec:
        """Velocity of the point."""
        if self.body is None:
            return zero()
        rates = (self.tape.rate(c, self.body.seeds) for c in self.r)
        return self.tape.distinct(f"v_{self.label}", rates)

    @cached_property
    def acceleration(self) -> Vec:
        """Acceleration of the point."""
        if self.body is None:
            return zero()
        rates = (self.tape.rate(c, self.body.seeds) for c in self.v)
        return self.tape.vector(f"acc_{self.label}", rates)

    @cached_property
    def w(self) -> Vec:
        """Angular velocity of the body."""
        return zero() if self.body is None else self.body.angular_velocity

    @property
    def e1(self) -> Vec:
        """First axis."""
        return self.axis(0)

    @property
    def e2(self) -> Vec:
        """Second axis."""
        return self.axis(1)

    @property
    def e3(self) -> Vec:
        """Third axis: the joint axis, if the joint has one."""
        return self.axis(2)

    @property
    def moves(self) -> bool:
        """Whether loads on it do work: it is on a body, or moves along a path."""
        return self.body is not None or self.number is not None

    @property
    def turns(self) -> bool:
        """Whether it is on a body with an orientation."""
        return self.body is not None and self.local_axes is not None

    def check_turning(self) -> None:
        """Raise an error for a body without orientation, where equations need one."""
        if self.local_axes is None:
            raise ModelError(
                "a point mass has no axes, but its orientation is needed.",
                "Use a joint between points (spherical, distance), or a body with an inertia.",
            )

    def quantity(self, what: str) -> Any:
        """Return one of the vectors above by its name."""
        return getattr(self, what)

    def axis(self, k: int) -> Vec:
        """Return axis k."""
        self.check_turning()
        assert self.local_axes is not None
        if k not in self._axes:
            local = self.local_axes[k]
            if self.body is None:
                self._axes[k] = local
            else:
                turned = self.body.rotate(local)
                self._axes[k] = self.tape.distinct(f"e{k + 1}_{self.label}", turned)
        return self._axes[k]

    @property
    def velocity_used(self) -> bool:
        """Whether a statement has used the velocity."""
        return "v" in self.__dict__

    @property
    def vectors(self) -> list[tuple[Vec, Vec, Vec, bool]]:
        """Used vectors of the frame: (local, arm, global, translates) of each."""
        if self.body is None:
            return []
        found = []
        if "r" in self.__dict__:
            found.append((self.point, self.arm, self.r, True))
        if self.local_axes is not None:
            found += [(self.local_axes[k], e, e, False) for k, e in sorted(self._axes.items())]
        return found
