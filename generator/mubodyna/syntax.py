"""What a file says: assignments of expressions."""

from dataclasses import dataclass

from mbdgen.mubodyna.places import Place


@dataclass(frozen=True)
class Number:
    """A number."""

    place: Place
    value: float


@dataclass(frozen=True)
class Text:
    """A text in quotes."""

    place: Place
    value: str


@dataclass(frozen=True)
class Name:
    """A variable."""

    place: Place
    name: str


@dataclass(frozen=True)
class Field:
    """A field of an element, such as ``B1.mass``."""

    place: Place
    element: str
    field: str


@dataclass(frozen=True)
class Call:
    """A function of arguments, or an entry of a variable."""

    place: Place
    of: "Name | Field"
    arguments: "tuple[Expression, ...]"


@dataclass(frozen=True)
class Operation:
    """An operator between two operands, or in front of or behind one."""

    place: Place
    sign: str
    operands: "tuple[Expression, ...]"


@dataclass(frozen=True)
class Matrix:
    """Rows of entries in brackets."""

    place: Place
    rows: "tuple[tuple[Expression, ...], ...]"


Expression = Number | Text | Name | Field | Call | Operation | Matrix


@dataclass(frozen=True)
class Assignment:
    """``name = value`` or ``name.field = value``, with the comment behind it."""

    target: Name | Field
    value: Expression
    note: str = ""

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.target.place
