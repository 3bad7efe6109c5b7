"""Values of expressions while a function is translated: numbers, arrays, records, static values."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from mbdgen.subset import typed_tree as tree
from mbdgen.subset import types
from mbdgen.subset.typed_tree import Expression


@dataclass(frozen=True, slots=True)
class NumberValue:
    """A number."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class PointerValue:
    """The address of numbers."""

    expression: Expression
    item: types.NumberType


@dataclass(frozen=True, slots=True)
class ArrayValue:
    """An array: address, length of each axis, and strides unless it is contiguous."""

    item: types.NumberType
    address: Expression
    shape: tuple[Expression, ...]
    strides: tuple[Expression, ...] | None = None


@dataclass(frozen=True, slots=True)
class LazyArray:
    """An array of which any element can be computed: the value of an expression on arrays."""

    item: types.NumberType
    shape: tuple[Expression, ...]
    at: Callable[[Sequence[Expression]], Expression]


@dataclass(frozen=True, slots=True)
class RecordAt:
    """A record in memory."""

    type: types.RecordType
    address: Expression
    slot: int = 0


@dataclass(frozen=True, slots=True)
class RecordValue:
    """A record of values."""

    kind: type
    fields: tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class TupleValue:
    """A tuple."""

    items: tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function at an address."""

    signature: types.Signature
    address: Expression


@dataclass(frozen=True, slots=True)
class StaticValue:
    """An object known when the function is specialised."""

    value: Any


@dataclass(frozen=True, slots=True)
class NoValue:
    """``None``."""


Value: TypeAlias = (
    NumberValue
    | PointerValue
    | ArrayValue
    | LazyArray
    | RecordAt
    | RecordValue
    | TupleValue
    | FunctionValue
    | StaticValue
    | NoValue
)


class IdenticalStatic(types.StaticType):
    """A static type that is equal only for the same object."""

    __slots__ = ()

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, types.StaticType) and self.value is other.value


def type_of(value: Value) -> types.Type:
    """Return the type of a value."""
    match value:
        case NumberValue(expression):
            assert expression.type is not None
            return expression.type
        case PointerValue(_, item):
            return types.Pointer(item)
        case ArrayValue(item, _, shape, strides):
            return types.Array(item, len(shape), strides is None)
        case LazyArray(item, shape, _):
            return types.Array(item, len(shape), True)
        case RecordAt(kind, _, _):
            return kind
        case RecordValue(kind, fields):
            return types.RecordType(kind, tuple(map(type_of, fields)))
        case TupleValue(items):
            return types.Tuple(tuple(map(type_of, items)))
        case FunctionValue(signature, _):
            return types.FunctionPointer(signature)
        case StaticValue(held):
            return IdenticalStatic(held)
        case NoValue():
            return types.void


def kinds(kind: types.Type) -> Iterator[tree.Kind]:
    """Yield the types of the slots of a value."""
    match kind:
        case types.Array(item, ndim, contiguous):
            yield types.Pointer(item)
            yield from (types.int64,) * (ndim if contiguous else 2 * ndim)
        case types.RecordType(_, parts) | types.Tuple(parts):
            for part in parts:
                yield from kinds(part)
        case types.FunctionPointer():
            yield types.int64
        case types.StaticType() | types.Nothing():
            return
        case _:
            yield kind


def assemble(kind: types.Type, parts: Iterator[Expression]) -> Value:
    """Return the value of a type that consists of these numbers and addresses."""
    match kind:
        case types.Array(item, ndim, contiguous):
            address = next(parts)
            shape = tuple(next(parts) for _ in range(ndim))
            strides = None if contiguous else tuple(next(parts) for _ in range(ndim))
            return ArrayValue(item, address, shape, strides)
        case types.RecordType(cls, fields):
            return RecordValue(cls, tuple(assemble(x, parts) for x in fields))
        case types.Tuple(items):
            return TupleValue(tuple(assemble(x, parts) for x in items))
        case types.FunctionPointer(signature):
            return FunctionValue(signature, next(parts))
        case types.Pointer(item):
            return PointerValue(next(parts), item)
        case types.StaticType(held):
            return StaticValue(held)
        case types.Nothing():
            return NoValue()
        case _:
            return NumberValue(next(parts))


def field_at(record: RecordAt, index: int) -> Value:
    """Return a field of a record in memory."""
    slot = record.slot + sum(map(types.slots, record.type.fields[:index]))
    kind = record.type.fields[index]
    if isinstance(kind, types.RecordType):
        return RecordAt(kind, record.address, slot)
    parts = (tree.RecordField(record.address, slot + k, part) for k, part in enumerate(kinds(kind)))
    return assemble(kind, parts)


def fields_of(value: RecordAt | RecordValue) -> tuple[Value, ...]:
    """Return the fields of a record."""
    if isinstance(value, RecordValue):
        return value.fields
    return tuple(field_at(value, k) for k in range(len(value.type.fields)))


def record_class(value: RecordAt | RecordValue) -> Any:
    """Return the NamedTuple class of a record."""
    return value.kind if isinstance(value, RecordValue) else value.type.kind


def parts_of(value: Value) -> list[Expression]:
    """Return the numbers and addresses that a value consists of."""
    match value:
        case NumberValue(expression) | PointerValue(expression, _):
            return [expression]
        case ArrayValue(_, address, shape, strides):
            return [address, *shape, *(strides or ())]
        case RecordAt() | RecordValue():
            return [part for held in fields_of(value) for part in parts_of(held)]
        case TupleValue(items):
            return [part for held in items for part in parts_of(held)]
        case FunctionValue(_, address):
            return [address]
        case StaticValue() | NoValue():
            return []
    raise TypeError(value)
