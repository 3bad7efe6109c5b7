"""Syntax tree of an input file: assignments of expressions."""

from dataclasses import dataclass

from mbdgen.mubodyna.places import SourcePlace


@dataclass(frozen=True)
class Number:
    """A number."""

    place: SourcePlace
    value: float


@dataclass(frozen=True)
class TextSyntax:
    """A quoted text."""

    place: SourcePlace
    value: str


@dataclass(frozen=True)
class Name:
    """A variable."""

    place: SourcePlace
    name: str


@dataclass(frozen=True)
class Field:
    """A field of an element, such as ``B1.mass``."""

    place: SourcePlace
    element: str
    field: str


@dataclass(frozen=True)
class Call:
    """A function of arguments, or an entry of a variable."""

    place: SourcePlace
    of: "Name | Field"
    arguments: "tuple[Expression, ...]"


@dataclass(frozen=True)
class Operation:
    """A unary or binary operator with its operands."""

    place: SourcePlace
    sign: str
    operands: "tuple[Expression, ...]"


@dataclass(frozen=True)
class MatrixSyntax:
    """Rows of entries in brackets."""

    place: SourcePlace
    rows: "tuple[tuple[Expression, ...], ...]"


Expression = Number | TextSyntax | Name | Field | Call | Operation | MatrixSyntax


@dataclass(frozen=True)
class Assignment:
    """``name = value`` or ``name.field = value``, with the comment after it."""

    target: Name | Field
    value: Expression
    note: str = ""

    @property
    def place(self) -> SourcePlace:
        """Source location."""
        return self.target.place
