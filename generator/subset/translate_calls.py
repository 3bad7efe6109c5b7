"""Translation of calls: of functions of the solver language, at addresses, and of built-in ones."""

import ast
from types import FunctionType
from typing import Any

from mbdgen.subset import typed_tree as tree
from mbdgen.subset import types
from mbdgen.subset.decorators import Declared, Inlined
from mbdgen.subset.known_functions import BUILTINS, METHODS
from mbdgen.subset.scope import Intrinsic
from mbdgen.subset.translate_arrays import ArrayTranslator
from mbdgen.subset.translated_values import (
    ArrayValue,
    FunctionValue,
    LazyArray,
    NoValue,
    NumberValue,
    PointerValue,
    RecordValue,
    StaticValue,
    TupleValue,
    Value,
    assemble,
    kinds,
    type_of,
)
from mbdgen.subset.typed_tree import Expression


class CallTranslator(ArrayTranslator):
    """Translator of calls."""

    def call(self, node: ast.Call) -> Value:
        """Translate a call."""
        named = {x.arg: x.value for x in node.keywords}
        if isinstance(node.func, ast.Attribute):
            owner = self.value(node.func.value)
            if isinstance(owner, ArrayValue | LazyArray):
                method = METHODS.get(node.func.attr)
                if method is None:
                    self.refuse(node, f"arrays have no '{node.func.attr}' here")
                return method(self, owner, self.arguments(node.args), node)
        function = self.value(node.func)
        given = self.arguments(node.args)
        if isinstance(function, FunctionValue):
            return self.call_address(function.signature, function.address, given, node)
        if isinstance(function, NumberValue):
            self.refuse(node, "a number is not called")
        if not isinstance(function, StaticValue):
            self.refuse(node)
        return self.apply(function.value, given, named, node)

    def apply(
        self, function: Any, given: list[Value], named: dict[Any, ast.expr], node: ast.Call
    ) -> Value:
        """Translate a call of a static function."""
        try:
            builtin = BUILTINS.get(function)
        except TypeError:
            builtin = None
        if builtin is not None:
            return builtin(self, given, named, node)
        if isinstance(function, Intrinsic):
            found: Value = function.emit(self, given, node)
            return found
        if isinstance(function, Declared):
            return self.call_declared(function, self.complete(function, given, named, node), node)
        if isinstance(function, Inlined):
            given = self.complete(function, given, named, node)
            return self.call_inlined(function.source, given, node)
        if isinstance(function, FunctionType):
            given = self.complete(function, given, named, node)
            return self.call_inlined(function, given, node)
        if isinstance(function, type) and hasattr(function, "_fields"):
            given += [self.value(named[x]) for x in function._fields[len(given) :]]
            parts = tuple(self.materialise(x) if isinstance(x, LazyArray) else x for x in given)
            return RecordValue(function, parts)
        self.refuse(node, f"{function!r} is no function of the solver language")

    def complete(
        self, function: Any, given: list[Value], named: dict[Any, ast.expr], node: ast.Call
    ) -> list[Value]:
        """Return arguments with those given by name at their places, and defaults."""
        if not named and not getattr(getattr(function, "source", function), "__defaults__", None):
            return given
        source = getattr(function, "source", function)
        names = source.__code__.co_varnames[: source.__code__.co_argcount]
        defaults = dict(zip(reversed(names), reversed(source.__defaults__ or ()), strict=False))
        found = list(given)
        for name in names[len(given) :]:
            if name in named:
                found.append(self.value(named[name]))
            elif name in defaults:
                found.append(self.static(defaults[name], node))
            else:
                self.refuse(node, f"the argument '{name}' is missing")
        return found

    def call_declared(self, function: Declared, given: list[Value], node: ast.AST) -> Value:
        """Translate a call of a function with declared types."""
        wanted = function.signature.arguments
        if len(given) != len(wanted):
            self.refuse(node, f"{len(wanted)} arguments are needed")
        made = self.program.specialise(function.source, wanted, True, function.signature.result)
        cast = [self.cast(x, kind, node) for x, kind in zip(given, wanted, strict=True)]
        return self.call_function(made, cast, node)

    def call_inlined(self, function: FunctionType, given: list[Value], node: ast.AST) -> Value:
        """Translate a call of a function that takes the types of its arguments."""
        given = [self.materialise(x) if isinstance(x, LazyArray) else x for x in given]
        made = self.program.specialise(function, [type_of(x) for x in given])
        return self.call_function(made, given, node)

    def call_function(self, made: tree.TypedFunction, given: list[Value], node: ast.AST) -> Value:
        """Emit a call of a specialised function."""
        arguments = [part for x in given for part in self.passed(x, node)]
        if made.frame == "caller":
            self.frame = True
        return self.emitted(
            self.program.result_of(made),
            arguments,
            lambda parts, kind: tree.FunctionCall(made, tuple(parts), kind),
        )

    def emitted(self, result: types.Type, arguments: list[Expression], call: Any) -> Value:
        """Emit a call, and return its result: a number, or what it stores in a record."""
        if isinstance(result, types.Nothing):
            self.emit(tree.Do(call(arguments, None)))
            return NoValue()
        if isinstance(result, types.NumberType | types.Pointer):
            return assemble(result, iter([self.let(call(arguments, result))]))
        parts = list(kinds(result))
        variable = self.fresh("found", tree.SLOTS, fixed=True)
        self.emit(tree.NewRecord(variable, len(parts)))
        self.emit(tree.Do(call([*arguments, variable], None)))
        values = (self.let(tree.RecordField(variable, k, kind)) for k, kind in enumerate(parts))
        return assemble(result, values)

    def call_address(
        self,
        signature: types.Signature,
        address: Expression,
        given: list[Value],
        node: ast.AST,
    ) -> Value:
        """Emit a call of a function at an address."""
        wanted = signature.arguments
        if len(given) != len(wanted):
            self.refuse(node, f"{len(wanted)} arguments are needed")
        cast = [self.cast(x, kind, node) for x, kind in zip(given, wanted, strict=True)]
        arguments = [part for x in cast for part in self.passed(x, node)]
        return self.emitted(
            signature.result,
            arguments,
            lambda parts, kind: tree.AddressCall(address, tuple(parts), kind),
        )

    def address_of(self, held: Any, signature: types.Signature, node: ast.AST) -> Expression:
        """Return the address of a static function."""
        source = getattr(held, "source", held)
        if not isinstance(source, FunctionType):
            self.refuse(node, f"{held!r} has no address")
        made = self.program.specialise(source, signature.arguments, True, signature.result)
        return tree.FunctionAddress(made)

    def array_attribute(self, owner: Value, name: str, node: ast.Attribute) -> Value:
        """Translate an attribute of an array."""
        if isinstance(owner, PointerValue) and name == "data":
            return NumberValue(tree.Convert(owner.expression, types.int64))
        if isinstance(owner, LazyArray):
            owner = self.materialise(owner)
        if not isinstance(owner, ArrayValue):
            self.refuse(node, f"{type_of(owner)} has no '{name}'")
        if name == "ctypes":
            return PointerValue(owner.address, owner.item)
        if name == "shape":
            return TupleValue(tuple(map(NumberValue, owner.shape)))
        if name == "ndim":
            return NumberValue(tree.integer(len(owner.shape)))
        if name == "size":
            count: Expression = tree.integer(1)
            for size in owner.shape:
                count = self.times(count, size)
            return NumberValue(count)
        if name == "T":
            strides = self.strides_of(owner)
            if len(owner.shape) == 1:
                return owner
            return ArrayValue(owner.item, owner.address, owner.shape[::-1], strides[::-1])
        self.refuse(node, f"arrays have no '{name}' here")
