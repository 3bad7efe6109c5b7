"""Typed trees of specialised functions: expressions on numbers and addresses, statements.

Arrays and records are taken apart when Python is translated: a vector is an address and a length,
a record in memory a row of eight-byte slots. What is left can be printed for LLVM, C and others
with one line for each node.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from mbdgen.subset.types import NumberType, Pointer, RecordType, boolean, float64, int64

Kind: TypeAlias = NumberType | Pointer
"""Types of expressions; the address of a record is a ``Pointer`` to slots."""

SLOTS = Pointer(NumberType("slot"))
"""Type of the address of a record."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A number known when the function is specialised."""

    value: int | float | bool
    type: Kind


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, a parameter or an intermediate result.

    Attributes
    ----------
    name : str
        Unique within its function.
    type : NumberType or Pointer
        Its type.
    fixed : bool
        Whether it is never assigned again.
    record : RecordType, optional
        Type of the record at this address.
    """

    name: str
    type: Kind
    fixed: bool = False
    record: RecordType | None = None


@dataclass(frozen=True, slots=True)
class ConstantTable:
    """The address of constants: a table of a module."""

    values: tuple[int | float, ...]
    type: Kind


@dataclass(frozen=True, slots=True)
class ArrayElement:
    """``address[index]``, an element of an array."""

    address: "Expression"
    index: "Expression"
    type: Kind


@dataclass(frozen=True, slots=True)
class RecordField:
    """A slot of a record."""

    record: "Expression"
    slot: int
    type: Kind


@dataclass(frozen=True, slots=True)
class Behind:
    """The address of an element of an array, or of a slot of a record."""

    address: "Expression"
    index: "Expression"
    type: Kind


@dataclass(frozen=True, slots=True)
class Binary:
    """An operation on two numbers of one type.

    Attributes
    ----------
    operator : str
        ``+ - * / // % & | ^ << >>``.
    """

    operator: str
    left: "Expression"
    right: "Expression"
    type: Kind


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison of two numbers of one type: ``< <= > >= == !=``."""

    operator: str
    left: "Expression"
    right: "Expression"
    type: Kind = boolean


@dataclass(frozen=True, slots=True)
class Logical:
    """``and`` or ``or``: the second operand is evaluated only if it matters."""

    operator: str
    left: "Expression"
    right: "Expression"
    type: Kind = boolean


@dataclass(frozen=True, slots=True)
class Not:
    """Negation of a truth value."""

    operand: "Expression"
    type: Kind = boolean


@dataclass(frozen=True, slots=True)
class Negative:
    """The number with the other sign."""

    operand: "Expression"
    type: Kind


@dataclass(frozen=True, slots=True)
class Choice:
    """One of two expressions, of which only that one is evaluated."""

    test: "Expression"
    yes: "Expression"
    no: "Expression"
    type: Kind


@dataclass(frozen=True, slots=True)
class Convert:
    """A number converted to another type, towards zero; or an address read as an integer."""

    operand: "Expression"
    type: Kind


@dataclass(frozen=True, slots=True)
class Bits:
    """The bits of a number, read as another type."""

    operand: "Expression"
    type: Kind


@dataclass(frozen=True, slots=True)
class Mathematical:
    """A mathematical function: ``sqrt``, ``sin``, ``abs``, ``floor``, ``copysign`` ..."""

    name: str
    arguments: tuple["Expression", ...]
    type: Kind


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call of a specialised function; a value of type None is that of a procedure."""

    function: "TypedFunction"
    arguments: tuple["Expression", ...]
    type: Kind | None


@dataclass(frozen=True, slots=True)
class AddressCall:
    """A call of a function at an address."""

    address: "Expression"
    arguments: tuple["Expression", ...]
    type: Kind | None


@dataclass(frozen=True, slots=True)
class FunctionAddress:
    """The address of a specialised function."""

    function: "TypedFunction"
    type: Kind = int64


Expression: TypeAlias = (
    Constant
    | Variable
    | ConstantTable
    | ArrayElement
    | RecordField
    | Behind
    | Binary
    | Compare
    | Logical
    | Not
    | Negative
    | Choice
    | Convert
    | Bits
    | Mathematical
    | FunctionCall
    | AddressCall
    | FunctionAddress
)


@dataclass(frozen=True, slots=True)
class Assign:
    """``variable = value``."""

    variable: Variable
    value: Expression


@dataclass(frozen=True, slots=True)
class StoreElement:
    """``address[index] = value``."""

    address: Expression
    index: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class StoreSlot:
    """Slot of a record in memory ``= value``."""

    record: Expression
    slot: int
    value: Expression


@dataclass(frozen=True, slots=True)
class NewRecord:
    """Space for a record on the stack."""

    variable: Variable
    slots: int


@dataclass(frozen=True, slots=True)
class Allocate:
    """Memory for an array until the function returns, or the one that it allocates for."""

    variable: Variable
    count: Expression
    zero: bool


@dataclass(frozen=True, slots=True)
class For:
    """``for variable in range(start, stop, step)``; a step that is no constant is positive."""

    variable: Variable
    start: Expression
    stop: Expression
    step: Expression
    body: Sequence["Statement"]


@dataclass(frozen=True, slots=True)
class EndlessLoop:
    """A loop that only ``break`` and ``return`` leave."""

    body: Sequence["Statement"]


@dataclass(frozen=True, slots=True)
class If:
    """A branch."""

    test: Expression
    body: Sequence["Statement"]
    orelse: Sequence["Statement"]


@dataclass(frozen=True, slots=True)
class Break:
    """Leave the innermost loop."""


@dataclass(frozen=True, slots=True)
class Continue:
    """Go on with the next pass of the innermost loop."""


@dataclass(frozen=True, slots=True)
class Return:
    """Return from the function."""

    value: Expression | None


@dataclass(frozen=True, slots=True)
class Do:
    """Evaluate a call without a result that is used."""

    call: Expression


Statement: TypeAlias = (
    Assign
    | StoreElement
    | StoreSlot
    | NewRecord
    | Allocate
    | For
    | EndlessLoop
    | If
    | Break
    | Continue
    | Return
    | Do
)


@dataclass(eq=False, slots=True)
class TypedFunction:
    """A specialised function.

    Attributes
    ----------
    name : str
        Its name in Python.
    where : str
        Its file and line.
    parameters : list of Variable
        Its parameters.
    result : NumberType, Pointer or None
        Type of its value.
    body : list of Statement
        Its statements.
    separate : bool
        Whether it is compiled by itself; others become part of those that call them.
    frame : str
        Where its arrays are allocated: ``""`` nowhere, ``own`` until it returns, ``caller`` in the
        frame of the function that calls it, passed as the last argument.
    """

    name: str
    where: str
    parameters: list[Variable] = field(default_factory=list)
    result: Kind | None = None
    body: list[Statement] = field(default_factory=list)
    separate: bool = False
    frame: str = ""


def integer(value: int) -> Constant:
    """Return an integer constant."""
    return Constant(value, int64)


def real(value: float) -> Constant:
    """Return a real constant."""
    return Constant(value, float64)


TRUE, FALSE = Constant(True, boolean), Constant(False, boolean)
