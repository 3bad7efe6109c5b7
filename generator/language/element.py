"""What joints, forces and outputs have in common: ends, fields, what they state on frames."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from mbdgen.errors import ModelError
from mbdgen.language.bodies.coordinates import Coordinates
from mbdgen.language.drawing import Shape
from mbdgen.language.markers.joint_moves import Move
from mbdgen.language.markers.marker import Marker

if TYPE_CHECKING:
    from mbdgen.language.bodies.sharing import Shared


class Told(NamedTuple):
    """A number that is known at every place of a flexible body: its name, its unit, the value."""

    name: str
    unit: str
    value: Any


def is_option(value: object) -> bool:
    """Whether the value of a field chooses among equations, and is no number in them."""
    return value is None or isinstance(value, str | bool)


@dataclass(frozen=True)
class Element:
    """Base of joints, forces and kinds of outputs.

    The dataclass fields are what the user gives besides the ends: numbers, expressions of
    parameters and time, vectors of them, or options. The default of a field says what it takes: a
    tuple a vector, a string or a bool an option, a `Function` a function, a `Matrix` a matrix,
    anything else a number. One that is None after `defaults` is not there. While equations are
    derived the same fields hold symbols, so a statement is written once and never sees a number.
    """

    name: ClassVar[str]
    role: ClassVar[str] = ""  # "joint", "force" or "output": which of the three bases it has
    ends: ClassVar[tuple[str, ...]] = ("a", "b")
    axis: ClassVar[bool] = False  # whether its markers need an axis from the user
    keeps_orientation: ClassVar[bool] = False  # whether markers take the initial global axes
    measures: ClassVar[Mapping[str, int]] = {}  # outputs by name: number of components (1 or 3)
    units: ClassVar[Mapping[str, str]] = {}
    angles: ClassVar[frozenset[str]] = frozenset()  # measures that are stated modulo 2 pi
    modulo: ClassVar[frozenset[str]] = frozenset()  # fields in which whole turns make no difference
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # accepted values of string fields
    vectors: ClassVar[frozenset[str]] = frozenset()  # vectors whose default is None
    positive: ClassVar[frozenset[str]] = frozenset()  # numbers that must be above zero
    between: ClassVar[Mapping[str, tuple[float, float]]] = {}  # open ranges of other numbers
    applied: ClassVar[tuple[str, ...]] = ()  # fields that its loads are proportional to
    drives: ClassVar[bool] = False  # whether it prescribes a motion, also one that rests
    apart: ClassVar[bool] = False  # whether its two points must not coincide at the start
    auxiliary: ClassVar[Mapping[str, str]] = {}
    """Numbers without mass that it owns, such as the parameter of a curve, and the fields that say
    where they begin. Statements get their frames behind those of the ends; a number is ``r[0]``."""
    of_first_order: ClassVar[bool] = False
    """Whether the rates of its numbers are states of equations of the first order."""
    memory: ClassVar[tuple[str, ...]] = ()
    """Fields that runs write: whether a contact is closed, and its speed of approach."""
    reports: ClassVar[tuple[str, ...]] = ()
    """Measures that are outputs of every model with it, called ``NAME.MEASURE``."""
    axis_name: ClassVar[str] = "axis"
    """What a user calls the third axis of its frames."""
    out_of_plane: ClassVar[Mapping[str, tuple[int, ...]]] = {}
    """Components of its vectors, by field, that a body in the plane xy does not feel."""
    distributed: ClassVar[bool] = False
    """Whether it is stated per length of the flexible body at its first end, and integrated."""
    on_flexible: ClassVar[bool] = False
    """Whether its first end must be on a flexible body; what is `distributed` needs one, too."""
    moves: ClassVar[tuple[Move, ...] | None] = None
    """What a joint leaves free (see `joint_moves`), if that can be listed: relative
    coordinates and reduced systems use it."""

    def measure(self, name: str, *frames: Any) -> Any:
        """Return the expression (or the vector) of a measure."""
        raise ModelError(
            f"{self.name} lists the measure {name!r}, but does not say how it is measured.",
            "Give the class a method measure(name, *frames) that returns it.",
        )

    def begun(self, measure: str) -> Any:
        """Return what one of its `angles` begins with besides what its frames say."""
        return 0

    def require(self, what: str, *markers: Marker) -> None:
        """Refuse given fields and places that make no sense; ``what`` is its name for messages."""

    def require_complete(self, what: str, *markers: Marker) -> None:
        """Refuse what must be known of the whole model, when that is complete."""

    def tells(self, *frames: Any) -> Sequence[Told]:
        """Return what results tell of every place of the flexible body, if it is `distributed`.

        These are its measures that are numbers.
        """
        return [
            Told(name, self.units.get(name, ""), self.measure(name, *frames))
            for name, count in self.measures.items()
            if count == 1
        ]

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return values for fields that the user left at None, from the initial geometry."""
        return {}

    def shares(self, what: str, *markers: Marker) -> "Sequence[Shared]":
        """Return what its bodies have in common in the place of equations; ``what``: see above."""
        return ()

    @property
    def stated(self) -> str:
        """In which form it is stated, if it has several."""
        return "general"

    def blocks_section(self, *markers: Marker) -> bool:
        """Whether a section of a beam cannot deform, because a rigid body holds slopes of it."""
        return False

    def picture(self, *markers: Marker) -> Sequence[Shape]:
        """Return what is drawn of it; nothing unless it says so."""
        return ()

    def places(self, kind: Coordinates) -> int:
        """Return how many places of Gauss it is evaluated at, if it is `distributed`."""
        return kind.quadrature

    def settings(self) -> dict[str, Any]:
        """Return the fields that have been given, and are not their defaults."""
        named = {f.name: (f.default, getattr(self, f.name)) for f in fields(self)}
        return {name: value for name, (default, value) in named.items() if value is not default}

    def owned(self) -> dict[str, Any]:
        """Return where the numbers without mass begin that it owns: see `auxiliary`."""
        return {label: getattr(self, field) for label, field in self.auxiliary.items()}

    def labels(self) -> tuple[str, ...]:
        """Labels of its frames: ends, then numbers that it owns."""
        return *self.ends, *self.owned()

    @classmethod
    def takes_vector(cls, name: str) -> bool:
        """Whether a field is a vector."""
        return name in cls.vectors or isinstance(getattr(cls, name, None), tuple)

    @classmethod
    def field_names(cls) -> tuple[str, ...]:
        """Names of the fields."""
        return tuple(f.name for f in fields(cls))
