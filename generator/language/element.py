"""Base class of joints, forces and outputs: ends, fields, measures, equations on frames."""

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


class SectionQuantity(NamedTuple):
    """A scalar defined at every section of a flexible body: its name, unit and value."""

    name: str
    unit: str
    value: Any


def is_option(value: object) -> bool:
    """Return whether a field selects among equations instead of entering them as a value."""
    return value is None or isinstance(value, str | bool)


@dataclass(frozen=True)
class Element:
    """Base of joints, forces and kinds of outputs.

    The dataclass fields are the user's arguments besides the ends: numbers, expressions of
    parameters and time, vectors of them, or options. The default of a field determines its type: a
    tuple a vector, a string or a bool an option, a `Function` a function, a `Matrix` a matrix,
    anything else a scalar. A field that is None after `defaults` is absent. While equations are
    derived the same fields hold symbols, so that each equation is written once, symbolically.
    """

    name: ClassVar[str]
    role: ClassVar[str] = ""  # "joint", "force" or "output": which of the three bases it has
    ends: ClassVar[tuple[str, ...]] = ("a", "b")
    axis: ClassVar[bool] = False  # whether its markers need an axis from the user
    keeps_orientation: ClassVar[bool] = False  # whether markers take the initial global axes
    measures: ClassVar[Mapping[str, int]] = {}  # outputs by name: number of components (1 or 3)
    units: ClassVar[Mapping[str, str]] = {}
    angles: ClassVar[frozenset[str]] = frozenset()  # measures defined modulo 2 pi
    modulo: ClassVar[frozenset[str]] = frozenset()  # fields defined modulo a revolution
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # accepted values of string fields
    vectors: ClassVar[frozenset[str]] = frozenset()  # vectors whose default is None
    positive: ClassVar[frozenset[str]] = frozenset()  # values that must be positive
    between: ClassVar[Mapping[str, tuple[float, float]]] = {}  # open intervals of other values
    applied: ClassVar[tuple[str, ...]] = ()  # fields to which its loads are proportional
    drives: ClassVar[bool] = False  # whether it prescribes a motion, also a constant one
    apart: ClassVar[bool] = False  # whether its two points must not coincide initially
    auxiliary: ClassVar[Mapping[str, str]] = {}
    """Massless auxiliary coordinates, such as a curve parameter, with the fields of their initial
    values. Their frames follow those of the ends; the coordinate is ``r[0]``."""
    of_first_order: ClassVar[bool] = False
    """Whether the rates of its auxiliary coordinates are states of first-order ODEs."""
    memory: ClassVar[tuple[str, ...]] = ()
    """Fields written by runs: whether a contact is closed, and its approach velocity."""
    reports: ClassVar[tuple[str, ...]] = ()
    """Measures that are always outputs, called ``NAME.MEASURE``."""
    axis_name: ClassVar[str] = "axis"
    """Keyword of the third axis of its frames."""
    out_of_plane: ClassVar[Mapping[str, tuple[int, ...]]] = {}
    """Components of its vectors, by field, without effect on a planar body in xy."""
    distributed: ClassVar[bool] = False
    """Whether it is stated per length of the flexible body at its first end, and integrated."""
    on_flexible: ClassVar[bool] = False
    """Whether its first end must be on a flexible body (as for every `distributed` element)."""
    moves: ClassVar[tuple[Move, ...] | None] = None
    """Degrees of freedom of a joint (see `joint_moves`), for relative and reduced coordinates."""

    def measure(self, name: str, *frames: Any) -> Any:
        """Return the expression (or the vector) of a measure."""
        raise ModelError(
            f"{self.name} lists the measure {name!r}, but does not say how it is measured.",
            "Give the class a method measure(name, *frames) that returns it.",
        )

    def begun(self, measure: str) -> Any:
        """Return the initial revolutions of one of its `angles`, in addition to its frames."""
        return 0

    def check_markers(self, what: str, *markers: Marker) -> None:
        """Reject inconsistent fields and positions; ``what`` is its name for messages."""

    def check_complete(self, what: str, *markers: Marker) -> None:
        """Check conditions on the whole model, when that is complete."""

    def section_quantities(self, *frames: Any) -> Sequence[SectionQuantity]:
        """Return the results at every section of the flexible body, if it is `distributed`.

        These are its scalar measures.
        """
        return [
            SectionQuantity(name, self.units.get(name, ""), self.measure(name, *frames))
            for name, count in self.measures.items()
            if count == 1
        ]

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return default values of omitted fields (None), from the initial geometry."""
        return {}

    def shares(self, what: str, *markers: Marker) -> "Sequence[Shared]":
        """Return the points and vectors that its bodies share instead of equations."""
        return ()

    @property
    def stated(self) -> str:
        """Form of its equations, if it has several."""
        return "general"

    def blocks_section(self, *markers: Marker) -> bool:
        """Whether a beam section cannot deform because a rigid body constrains its slopes."""
        return False

    def picture(self, *markers: Marker) -> Sequence[Shape]:
        """Return its picture; nothing by default."""
        return ()

    def places(self, kind: Coordinates) -> int:
        """Return its number of Gauss points, if it is `distributed`."""
        return kind.quadrature

    def settings(self) -> dict[str, Any]:
        """Return the fields whose values differ from their defaults."""
        named = {f.name: (f.default, getattr(self, f.name)) for f in fields(self)}
        return {name: value for name, (default, value) in named.items() if value is not default}

    def owned(self) -> dict[str, Any]:
        """Return the initial values of its massless coordinates: see `auxiliary`."""
        return {label: getattr(self, field) for label, field in self.auxiliary.items()}

    def labels(self) -> tuple[str, ...]:
        """Labels of its frames: ends, then auxiliary coordinates."""
        return *self.ends, *self.owned()

    @classmethod
    def takes_vector(cls, name: str) -> bool:
        """Return whether a field is a vector."""
        return name in cls.vectors or isinstance(getattr(cls, name, None), tuple)

    @classmethod
    def field_names(cls) -> tuple[str, ...]:
        """Names of the fields."""
        return tuple(f.name for f in fields(cls))
