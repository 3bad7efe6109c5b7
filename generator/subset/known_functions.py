"""Functions of Python and NumPy that the solver language knows."""

import ast
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.subset import typed_tree as tree
from mbdgen.subset import types
from mbdgen.subset.translated_values import (
    ArrayValue,
    LazyArray,
    NumberValue,
    StaticValue,
    TupleValue,
    Value,
    type_of,
)
from mbdgen.subset.typed_tree import Expression

if TYPE_CHECKING:
    from mbdgen.subset.translate_calls import CallTranslator

Named = dict[Any, ast.expr]
Builtin = Callable[["CallTranslator", list[Value], Named, ast.AST], Value]


def _number(t: "CallTranslator", value: Value, node: ast.AST) -> Expression:
    if not isinstance(value, NumberValue):
        t.refuse(node, f"a number is needed, not {type_of(value)}")
    return value.expression


def _len(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
    (value,) = given
    if isinstance(value, ArrayValue | LazyArray):
        return NumberValue(value.shape[0])
    return NumberValue(tree.integer(len(t.items(value, node))))


def _abs(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
    (value,) = given
    if isinstance(value, NumberValue):
        return NumberValue(_magnitude(value.expression))
    array = t.lazy(value, node)
    return t.elementwise([array], lambda x: _magnitude(x[0]), array.item, node)


def _magnitude(x: Expression) -> Expression:
    if isinstance(x, tree.Constant):
        return tree.Constant(abs(x.value), x.type)
    assert x.type is not None
    return tree.Mathematical("abs", (x,), x.type)


def _largest(name: str) -> Builtin:
    """Return `max` or `min`: the first of equal arguments, as in Python."""

    def largest(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
        members = given if len(given) > 1 else list(t.items(given[0], node))
        parts = [_number(t, x, node) for x in members]
        kind = types.int64
        if any(x.type == types.float64 for x in parts):
            kind = types.float64
        parts = [t.as_type(x, kind) for x in parts]
        if all(isinstance(x, tree.Constant) for x in parts):
            pick = max if name == "max" else min
            held = pick(x.value for x in parts if isinstance(x, tree.Constant))
            return NumberValue(tree.Constant(held, kind))
        found = parts[0]
        for part in parts[1:]:
            found, other = t.let(found), t.let(part)
            assert found.type is not None
            test = tree.Compare(">" if name == "max" else "<", other, found)
            found = tree.Choice(test, other, found, found.type)
        return NumberValue(found)

    return largest


def _conversion(kind: types.NumberType) -> Builtin:
    def convert(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
        return NumberValue(t.as_type(_number(t, given[0], node), kind))

    return convert


def _mathematical(name: str, kind: types.NumberType = types.float64) -> Builtin:
    def apply(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
        def of(x: Any) -> Expression:
            return tree.Mathematical(name, tuple(t.as_type(y, types.float64) for y in x), kind)

        if all(isinstance(x, NumberValue) for x in given):
            return NumberValue(of([_number(t, x, node) for x in given]))
        return t.elementwise(given, of, kind, node)

    return apply


def _floor(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
    """Translate `math.floor`, an integer."""
    x = t.as_type(_number(t, given[0], node), types.float64)
    floor = tree.Mathematical("floor", (x,), types.float64)
    return NumberValue(tree.Convert(floor, types.int64))


def _is_finite(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
    def of(x: Any) -> Expression:
        held = t.as_type(x[0], types.float64)
        return tree.Compare("<", tree.Mathematical("abs", (held,), types.float64), INFINITY)

    if isinstance(given[0], NumberValue):
        return NumberValue(of([given[0].expression]))
    return t.elementwise(given, of, types.boolean, node)


INFINITY = tree.real(math.inf)


def _isnan(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
    x = t.let(t.as_type(_number(t, given[0], node), types.float64))
    return NumberValue(tree.Compare("!=", x, x))


def _shape(t: "CallTranslator", value: Value, node: ast.AST) -> list[Expression]:
    if isinstance(value, NumberValue):
        return [value.expression]
    return [_number(t, x, node) for x in t.items(value, node)]


def _item(t: "CallTranslator", given: list[Value], named: Named, index: int) -> types.NumberType:
    held = given[index] if len(given) > index else None
    if held is None and "dtype" in named:
        held = t.value(named["dtype"])
    if held is None:
        return types.float64
    return _NUMBERS[held.value] if isinstance(held, StaticValue) else types.float64


_NUMBERS: dict[Any, types.NumberType] = {
    np.int64: types.int64,
    np.int32: types.int32,
    np.uint32: types.uint32,
    int: types.int64,
    np.float64: types.float64,
    float: types.float64,
    np.uint64: types.int64,
    bool: types.boolean,
    np.bool_: types.boolean,
}


def _new(zero: bool) -> Builtin:
    def new(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
        return t.allocate(_item(t, given, named, 1), _shape(t, given[0], node), zero)

    return new


def _filled(
    t: "CallTranslator", shape: Value, number: Value, item: types.NumberType, node: ast.AST
) -> Value:
    array = t.allocate(item, _shape(t, shape, node), zero=False)
    t.fill(array, number, False, node)
    return array


def _full(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
    number = _number(t, given[1], node)
    item = _item(t, given, named, 2) if len(given) > 2 or "dtype" in named else number.type
    assert isinstance(item, types.NumberType)
    return _filled(t, given[0], given[1], item, node)


def _ones(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
    return _filled(t, given[0], NumberValue(tree.real(1.0)), _item(t, given, named, 1), node)


def _eye(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
    n = _number(t, given[0], node)
    array = t.allocate(types.float64, (n, n), zero=True)

    def one(indices: Any) -> None:
        at = t.offset(array, [indices[0], indices[0]])
        t.emit(tree.StoreElement(array.address, at, tree.real(1.0)))

    t.each(array.shape[:1], one)
    return array


def _array(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
    if isinstance(given[0], ArrayValue | LazyArray):
        return t.copied(given[0], node)
    if all(isinstance(x, TupleValue) for x in t.items(given[0], node)):
        return _table(t, given[0], node)
    members = [_number(t, x, node) for x in t.items(given[0], node)]
    whole = all(x.type == types.int64 for x in members)
    array = t.allocate(
        types.int64 if whole else types.float64, (tree.integer(len(members)),), zero=False
    )
    for k, x in enumerate(members):
        t.emit(tree.StoreElement(array.address, tree.integer(k), t.as_type(x, array.item)))
    return array


def _table(t: "CallTranslator", rows: Value, node: ast.AST) -> Value:
    """Translate an array of two axes, by rows."""
    held = [t.items(row, node) for row in t.items(rows, node)]
    shape = tree.integer(len(held)), tree.integer(len(held[0]))
    array = t.allocate(types.float64, shape, zero=False)
    for k, x in enumerate(x for row in held for x in row):
        number = t.as_type(_number(t, x, node), types.float64)
        t.emit(tree.StoreElement(array.address, tree.integer(k), number))
    return array


def _contiguous(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
    value = given[0]
    if isinstance(value, ArrayValue) and value.strides is None:
        return value
    return t.copied(value, node)


def _dot(t: "CallTranslator", given: list[Value], named: Named, node: ast.AST) -> Value:
    return t.product(given[0], given[1], node)


# Methods of arrays.
def _copy(t: "CallTranslator", array: Value, given: list[Value], node: ast.AST) -> Value:
    return t.copied(array, node)


def _contiguous_array(t: "CallTranslator", array: Value, node: ast.AST) -> ArrayValue:
    if isinstance(array, LazyArray):
        return t.materialise(array)
    if not isinstance(array, ArrayValue) or array.strides is not None:
        t.refuse(node, "the array has to be contiguous here")
    return array


def _ravel(t: "CallTranslator", array: Value, given: list[Value], node: ast.AST) -> Value:
    held = _contiguous_array(t, array, node)
    count: Expression = tree.integer(1)
    for size in held.shape:
        count = t.times(count, size)
    return ArrayValue(held.item, held.address, (t.let(count),))


def _reshape(t: "CallTranslator", array: Value, given: list[Value], node: ast.AST) -> Value:
    held = _contiguous_array(t, array, node)
    sizes = given if len(given) > 1 else list(t.items(given[0], node))
    shape = tuple(t.let(_number(t, x, node)) for x in sizes)
    return ArrayValue(held.item, held.address, shape)


def _view(t: "CallTranslator", array: Value, given: list[Value], node: ast.AST) -> Value:
    (kind,) = given
    if not isinstance(array, ArrayValue) or not isinstance(kind, StaticValue):
        t.refuse(node)
    item = _NUMBERS[kind.value]
    address = tree.Behind(array.address, tree.integer(0), types.Pointer(item))
    return ArrayValue(item, t.let(address), array.shape, array.strides)


def _reduction(name: str) -> Callable[["CallTranslator", Value, list[Value], ast.AST], Value]:
    def reduce(t: "CallTranslator", array: Value, given: list[Value], node: ast.AST) -> Value:
        held = t.lazy(array, node)
        item = types.boolean if name in ("all", "any") else held.item
        start: dict[str, tree.Constant] = {
            "all": tree.TRUE,
            "any": tree.FALSE,
            "sum": tree.Constant(0 if item == types.int64 else 0.0, item),
            "max": tree.real(-math.inf),
            "min": INFINITY,
        }
        total = t.fresh("total", item)
        t.emit(tree.Assign(total, start[name]))

        def add(indices: Any) -> None:
            x = t.let(held.at(indices))
            if name in ("all", "any"):
                word = "and" if name == "all" else "or"
                new = t.both(word, total, t.as_type(x, types.boolean))
            elif name == "sum":
                new = tree.Binary("+", total, x, item)
            else:
                # As in NumPy, a value that is not a number is the result.
                kept = tree.Compare(">=" if name == "max" else "<=", total, x)
                new = tree.Choice(kept, total, x, item)
                new = tree.Choice(tree.Compare("!=", total, total), total, new, item)
            t.emit(tree.Assign(total, new))

        t.each(held.shape, add)
        return NumberValue(t.let(total))

    return reduce


def _fill(t: "CallTranslator", array: Value, given: list[Value], node: ast.AST) -> Value:
    assert isinstance(array, ArrayValue)
    t.fill(array, given[0], False, node)
    return TupleValue(())


METHODS: dict[str, Callable[["CallTranslator", Value, list[Value], ast.AST], Value]] = {
    "copy": _copy,
    "ravel": _ravel,
    "reshape": _reshape,
    "view": _view,
    "fill": _fill,
    **{name: _reduction(name) for name in ("all", "any", "sum", "max", "min")},
}

BUILTINS: dict[Any, Builtin] = {
    len: _len,
    abs: _abs,
    np.abs: _abs,
    math.fabs: _abs,
    max: _largest("max"),
    min: _largest("min"),
    int: _conversion(types.int64),
    np.int64: _conversion(types.int64),
    np.uint64: _conversion(types.int64),
    float: _conversion(types.float64),
    np.float64: _conversion(types.float64),
    bool: _conversion(types.boolean),
    math.floor: _floor,
    np.floor: _mathematical("floor"),
    np.rint: _mathematical("rint"),
    math.isfinite: _is_finite,
    np.isfinite: _is_finite,
    math.isnan: _isnan,
    np.isnan: _isnan,
    np.zeros: _new(True),
    np.empty: _new(False),
    np.full: _full,
    np.ones: _ones,
    np.eye: _eye,
    np.array: _array,
    np.ascontiguousarray: _contiguous,
    np.dot: _dot,
    **{
        getattr(module, name): _mathematical(name)
        for module in (math, np)
        for name in ("sqrt", "sin", "cos", "tan", "exp", "log", "sinh", "cosh", "tanh", "copysign")
    },
    **{
        getattr(math, name): _mathematical(name)
        for name in ("asin", "acos", "atan", "atan2", "pow", "hypot", "expm1", "log1p")
    },
    np.arcsin: _mathematical("asin"),
    np.arccos: _mathematical("acos"),
    np.arctan: _mathematical("atan"),
    np.arctan2: _mathematical("atan2"),
    np.hypot: _mathematical("hypot"),
}
