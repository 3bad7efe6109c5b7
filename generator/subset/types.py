"""Types of the solver language: numbers, arrays, records (NamedTuples), functions at addresses.

``int64``, ``float64`` and ``boolean`` are numbers; ``float64[::1]`` is a contiguous vector,
``float64[:, ::1]`` a matrix stored by rows, ``float64[:]`` a vector with any stride. A call makes a
signature: ``int64(float64, float64[::1])`` returns an integer.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True)
class NumberType:
    """A number: a 64-bit integer, a double, or a truth value.

    Attributes
    ----------
    name : str
        ``int``, ``real`` or ``bool``.
    """

    name: str

    def __call__(self, *arguments: "Type") -> "Signature":
        """Return the signature of a function with this result."""
        return Signature(self, arguments)

    def __getitem__(self, axes: slice | tuple[slice, ...]) -> "Array":
        """Return a type of arrays: ``float64[:, ::1]``."""
        parts = axes if isinstance(axes, tuple) else (axes,)
        return Array(self, len(parts), parts[-1].step == 1)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Array:
    """An array of numbers.

    Attributes
    ----------
    item : NumberType
        Type of its elements.
    ndim : int
        Number of axes.
    contiguous : bool
        Whether elements are stored by rows without gaps; otherwise each axis has a stride.
    """

    item: NumberType
    ndim: int
    contiguous: bool

    def __call__(self, *arguments: "Type") -> "Signature":
        """Return the signature of a function with this result."""
        return Signature(self, arguments)

    def __str__(self) -> str:
        return f"{self.item}[{self.ndim}{'' if self.contiguous else ', strided'}]"


@dataclass(frozen=True)
class Pointer:
    """The address of the first of some numbers."""

    item: NumberType

    def __str__(self) -> str:
        return f"{self.item}*"


@dataclass(frozen=True)
class RecordType:
    """A record: a NamedTuple class with the types of its fields."""

    kind: type
    fields: tuple["Type", ...]

    def __str__(self) -> str:
        return f"{self.kind.__name__}({', '.join(map(str, self.fields))})"


@dataclass(frozen=True)
class Tuple:
    """A tuple."""

    items: tuple["Type", ...]

    def __call__(self, *arguments: "Type") -> "Signature":
        """Return the signature of a function with this result."""
        return Signature(self, arguments)

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.items))})"


@dataclass(frozen=True)
class Nothing:
    """The type of ``None``: what a procedure returns."""

    def __call__(self, *arguments: "Type") -> "Signature":
        """Return the signature of a procedure."""
        return Signature(self, arguments)

    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True)
class Signature:
    """Types of the result and of the arguments of a function."""

    result: "Type"
    arguments: tuple["Type", ...]

    @property
    def args(self) -> tuple["Type", ...]:
        """Types of the arguments."""
        return self.arguments

    def __str__(self) -> str:
        return f"{self.result}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class FunctionPointer:
    """A function called by its address."""

    signature: Signature

    def __str__(self) -> str:
        return f"address of {self.signature}"


@dataclass(frozen=True)
class StaticType:
    """A value known when a function is specialised: another function, a module, a string."""

    value: Any

    def __str__(self) -> str:
        return getattr(self.value, "__qualname__", None) or repr(self.value)


Type: TypeAlias = (
    NumberType | Array | Pointer | RecordType | Tuple | Nothing | FunctionPointer | StaticType
)

int64, float64, boolean = NumberType("int"), NumberType("real"), NumberType("bool")
int32, uint32 = NumberType("int32"), NumberType("uint32")
"""Only in arrays; their elements are read as ``int64``."""
void = Nothing()


def CPointer(item: NumberType) -> Pointer:
    """Return the type of an address of numbers."""
    return Pointer(item)


def NamedTuple(fields: Any, kind: type) -> RecordType:
    """Return the type of a record with fields of these types."""
    return RecordType(kind, tuple(fields))


def NamedUniTuple(field: "Type", count: int, kind: type) -> RecordType:
    """Return the type of a record whose fields have one type."""
    return RecordType(kind, (field,) * count)


def UniTuple(item: "Type", count: int) -> Tuple:
    """Return the type of a tuple whose members have one type."""
    return Tuple((item,) * count)


def slots(kind: "Type") -> int:
    """Return the number of eight-byte slots of a value of a type in memory."""
    match kind:
        case Array(_, ndim, contiguous):
            return 1 + ndim * (1 if contiguous else 2)
        case RecordType(_, fields):
            return sum(map(slots, fields))
        case Tuple(items):
            return sum(map(slots, items))
        case StaticType() | Nothing():
            return 0
    return 1
