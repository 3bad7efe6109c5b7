"""Specialisation of functions: Python's syntax tree and the types of arguments to a typed tree."""

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import Any, NoReturn

from mbdgen.subset import typed_tree as tree
from mbdgen.subset import types
from mbdgen.subset.scope import Source, TranslationError, source_of
from mbdgen.subset.translated_values import (
    ArrayValue,
    FunctionValue,
    LazyArray,
    NoValue,
    NumberValue,
    PointerValue,
    RecordAt,
    RecordValue,
    StaticValue,
    TupleValue,
    Value,
    assemble,
    fields_of,
    kinds,
    parts_of,
    record_class,
    type_of,
)
from mbdgen.subset.typed_tree import Expression, Variable


class Again(Exception):
    """A variable has another type than it seemed: translate the function once more."""


class Program:
    """Specialised functions, each translated once for the types of its arguments."""

    def __init__(self) -> None:
        self._known: dict[tuple[FunctionType, tuple[types.Type, ...]], tree.TypedFunction] = {}
        self._results: dict[tree.TypedFunction, types.Type] = {}

    def specialise(
        self,
        function: FunctionType,
        arguments: Sequence[types.Type],
        separate: bool = False,
        result: types.Type | None = None,
    ) -> tree.TypedFunction:
        """Return a function for arguments of these types.

        Parameters
        ----------
        separate : bool
            Whether it is compiled by itself.
        result : Type, optional
            Type of its value, if it is declared.
        """
        key = function, tuple(arguments)
        if key not in self._known:
            from mbdgen.subset.translate_statements import FunctionTranslator

            joined: dict[str, types.Type] = {}
            while True:
                translator = FunctionTranslator(self, source_of(function), joined, result)
                try:
                    made = translator.translate(arguments, separate)
                    break
                except Again:
                    continue
            self._known[key] = made
            self._results[made] = translator.result_type
        return self._known[key]

    def result_of(self, function: tree.TypedFunction) -> types.Type:
        """Return the type of the value of a specialised function."""
        return self._results[function]


class Translator:
    """What all parts of the translation of one function share: blocks, variables, conversions."""

    def __init__(
        self,
        program: Program,
        source: Source,
        joined: dict[str, types.Type],
        declared: types.Type | None,
    ) -> None:
        self.program, self.source = program, source
        self.joined = joined
        self.declared = declared
        self.result_type: types.Type = types.void
        self.block: list[tree.Statement] = []
        self.named: dict[str, Value] = {}
        self.taken: dict[str, int] = {}
        self.frame = False
        self.function = tree.TypedFunction(source.node.name, source.where)

    # Errors.
    def refuse(self, node: ast.AST, reason: str = "") -> NoReturn:
        """Raise an error that quotes code outside the solver language."""
        text = ast.unparse(node).partition("\n")[0][:90]
        code = self.source.function.__code__
        line = getattr(node, "lineno", code.co_firstlineno)
        raise TranslationError(
            f"'{text}' in '{self.source.node.name}' ({code.co_filename}, line {line}) is outside "
            f"the solver language{': ' if reason else ''}{reason}.",
            "The page 'solver language' of the documents says what it consists of.",
        )

    # Blocks and variables.
    def emit(self, statement: tree.Statement) -> None:
        """Append a statement to the current block."""
        self.block.append(statement)

    @contextmanager
    def nested(self) -> Iterator[list[tree.Statement]]:
        """Collect statements into a new block."""
        outer, self.block = self.block, []
        try:
            yield self.block
        finally:
            self.block = outer

    def fresh(self, name: str, kind: tree.Kind, fixed: bool = False) -> Variable:
        """Return a new variable with a name that is not taken."""
        count, found = self.taken.get(name, 0), name
        while count and (found := f"{name}_{count}") in self.taken:
            count += 1
        self.taken[name] = count + 1
        self.taken.setdefault(found, 1)
        return Variable(found, kind, fixed)

    def let(self, expression: Expression, name: str = "x") -> Expression:
        """Return a constant or fixed variable with the value that an expression has now."""
        if isinstance(expression, tree.Constant | tree.ConstantTable) or (
            isinstance(expression, Variable) and expression.fixed
        ):
            return expression
        assert expression.type is not None
        variable = self.fresh(name, expression.type, fixed=True)
        self.emit(tree.Assign(variable, expression))
        return variable

    def steady(self, value: Value) -> Value:
        """Return a value that later assignments do not change."""
        match value:
            case StaticValue() | NoValue() | RecordAt():
                return value
            case LazyArray():
                return self.materialise(value)
        return self.rebuild(value, [self.let(part) for part in parts_of(value)])

    def rebuild(self, value: Value, parts: Sequence[Expression]) -> Value:
        """Return a value of the same structure with other numbers and addresses."""
        return assemble(type_of(value), iter(parts))

    def materialise(self, value: LazyArray) -> ArrayValue:
        """Return an array after computing all of its elements."""
        raise NotImplementedError

    # Numbers.
    @staticmethod
    def number_of(item: types.NumberType) -> types.NumberType:
        """Return the type of a number read from an array with these elements."""
        return types.int64 if item in (types.int32, types.uint32) else item

    def load(self, address: Expression, index: Expression, item: types.NumberType) -> Expression:
        """Return an element of an array, as a number to compute with."""
        return self.as_type(tree.ArrayElement(address, index, item), self.number_of(item))

    def as_type(self, expression: Expression, kind: types.Type) -> Expression:
        """Convert a number."""
        if expression.type == kind:
            return expression
        if isinstance(expression, tree.Constant) and isinstance(kind, types.NumberType):
            value = expression.value
            held = {"real": float, "bool": bool}.get(kind.name, int)(value)
            return tree.Constant(held, kind)
        assert isinstance(kind, types.NumberType | types.Pointer)
        if kind == types.boolean:
            zero = tree.Constant(
                0.0 if expression.type == types.float64 else 0, expression.type or types.int64
            )
            return tree.Compare("!=", expression, zero)
        return tree.Convert(expression, kind)

    def join(self, a: types.Type, b: types.Type, node: ast.AST) -> types.Type:
        """Return the type that can hold values of two types."""
        if a == b:
            return a
        match a, b:
            case types.NumberType(), types.NumberType():
                order = ["bool", "int", "real"]
                return max(a, b, key=lambda x: order.index(x.name))
            case types.Array(item, ndim, _), types.Array(other, count, _):
                if item == other and ndim == count:
                    return types.Array(item, ndim, False)
            case types.Tuple(left), types.Tuple(right):
                if len(left) == len(right):
                    pairs = zip(left, right, strict=True)
                    return types.Tuple(tuple(self.join(x, y, node) for x, y in pairs))
            case types.RecordType(cls, left), types.RecordType(other_cls, right):
                if cls is other_cls:
                    pairs = zip(left, right, strict=True)
                    return types.RecordType(cls, tuple(self.join(x, y, node) for x, y in pairs))
        self.refuse(node, f"a variable cannot hold both {a} and {b}")

    def cast(self, value: Value, kind: types.Type, node: ast.AST) -> Value:
        """Convert a value to a type that can hold it."""
        if isinstance(value, LazyArray):
            value = self.materialise(value)
        if type_of(value) == kind:
            return value
        match kind, value:
            case types.NumberType(), NumberValue(expression):
                return NumberValue(self.as_type(expression, kind))
            case types.Array(item, ndim, contiguous), ArrayValue() if (
                value.item == item and len(value.shape) == ndim
            ):
                if contiguous:
                    self.refuse(node, "the array has to be contiguous here")
                return ArrayValue(item, value.address, value.shape, self.strides_of(value))
            case types.RecordType(cls, fields), RecordAt() | RecordValue() if (
                record_class(value) is cls
            ):
                given = fields_of(value)
                pairs = zip(given, fields, strict=True)
                return RecordValue(cls, tuple(self.cast(x, f, node) for x, f in pairs))
            case types.Tuple(items), TupleValue(given) if len(items) == len(given):
                pairs = zip(given, items, strict=True)
                return TupleValue(tuple(self.cast(x, f, node) for x, f in pairs))
            case types.Pointer(item), ArrayValue() if value.item == item:
                return PointerValue(value.address, item)
            case types.FunctionPointer(signature), NumberValue(expression):
                return FunctionValue(signature, expression)
            case types.FunctionPointer(signature), FunctionValue(_, address):
                return FunctionValue(signature, address)
            case types.FunctionPointer(signature), StaticValue(held):
                return FunctionValue(signature, self.address_of(held, signature, node))
        self.refuse(node, f"{type_of(value)} is no {kind}")

    def address_of(self, held: Any, signature: types.Signature, node: ast.AST) -> Expression:
        """Return the address of a static function."""
        raise NotImplementedError

    def strides_of(self, array: ArrayValue) -> tuple[Expression, ...]:
        """Return the strides of an array, in elements."""
        if array.strides is not None:
            return array.strides
        strides: list[Expression] = [tree.integer(1)]
        for size in reversed(array.shape[1:]):
            strides.insert(0, self.let(self.times(strides[0], size)))
        return tuple(strides)

    def times(self, a: Expression, b: Expression) -> Expression:
        """Return a product of integers."""
        if a == tree.integer(1):
            return b
        if b == tree.integer(1):
            return a
        if isinstance(a, tree.Constant) and isinstance(b, tree.Constant):
            return tree.integer(int(a.value) * int(b.value))
        return tree.Binary("*", a, b, types.int64)

    def plus(self, a: Expression, b: Expression) -> Expression:
        """Return a sum of integers."""
        if a == tree.integer(0):
            return b
        if b == tree.integer(0):
            return a
        if isinstance(a, tree.Constant) and isinstance(b, tree.Constant):
            return tree.integer(int(a.value) + int(b.value))
        return tree.Binary("+", a, b, types.int64)

    def minus(self, a: Expression, b: Expression) -> Expression:
        """Return a difference of integers."""
        if b == tree.integer(0):
            return a
        if isinstance(a, tree.Constant) and isinstance(b, tree.Constant):
            return tree.integer(int(a.value) - int(b.value))
        return tree.Binary("-", a, b, types.int64)

    # Assignment of names.
    def assign(self, name: str, value: Value, node: ast.AST) -> None:
        """Assign a value to a name."""
        if isinstance(value, LazyArray):
            value = self.materialise(value)
        if isinstance(value, StaticValue | NoValue):
            held = self.named.get(name, value)
            if held != value and self.source.stores[name] > 1:
                self.refuse(node, "a name keeps one function, module or text")
            self.named[name] = value
            return
        if isinstance(value, RecordAt | FunctionValue) and self.source.stores[name] == 1:
            self.named[name] = value if isinstance(value, RecordAt) else self.steady(value)
            return
        kind = type_of(value)
        known = self.joined.get(name)
        wanted = kind if known is None else self.join(known, kind, node)
        if wanted != known:
            self.joined[name] = wanted
            if known is not None and name in self.named:
                raise Again
        if wanted != kind:
            value = self.cast(value, wanted, node)
        if name not in self.named:
            own = [
                self.fresh(name if k == 0 else f"{name}_{k}", part)
                for k, part in enumerate(kinds(wanted))
            ]
            self.named[name] = assemble(wanted, iter(own))
        targets, parts = parts_of(self.named[name]), parts_of(value)
        if len(parts) > 1:
            parts = [self.let(part) for part in parts]
        for target, part in zip(targets, parts, strict=True):
            assert isinstance(target, Variable)
            if target != part:
                self.emit(tree.Assign(target, part))

    def parameters(self, name: str, kind: types.Type) -> Value:
        """Declare the parameters that an argument of a type is passed by; return its value."""
        if isinstance(kind, types.RecordType):
            if types.slots(kind) == 0:
                return assemble(kind, iter(()))
            variable = self.fresh(name, tree.SLOTS, fixed=True)
            variable = Variable(variable.name, tree.SLOTS, True, kind)
            self.function.parameters.append(variable)
            return RecordAt(kind, variable)
        if isinstance(kind, types.Tuple):
            items = (self.parameters(f"{name}_{k}", x) for k, x in enumerate(kind.items))
            return TupleValue(tuple(items))
        parts = []
        for k, part in enumerate(kinds(kind)):
            parts.append(self.fresh(name if k == 0 else f"{name}_{k}", part, fixed=True))
        self.function.parameters += parts
        return assemble(kind, iter(parts))

    def passed(self, value: Value, node: ast.AST) -> list[Expression]:
        """Return the arguments by which a value is passed; see `parameters`."""
        match value:
            case RecordAt(kind, address, slot):
                if types.slots(kind) == 0:
                    return []
                if slot == 0:
                    return [address]
                return [tree.Behind(address, tree.integer(slot), tree.SLOTS)]
            case RecordValue():
                return self.packed(value)
            case TupleValue(items):
                return [part for x in items for part in self.passed(x, node)]
        return parts_of(value)

    def packed(self, value: RecordValue) -> list[Expression]:
        """Store a record of values in memory; return its address, if it has slots."""
        parts = parts_of(value)
        if not parts:
            return []
        variable = self.fresh("record", tree.SLOTS, fixed=True)
        self.emit(tree.NewRecord(variable, len(parts)))
        for k, part in enumerate(parts):
            self.emit(tree.StoreSlot(variable, k, part))
        return [variable]
