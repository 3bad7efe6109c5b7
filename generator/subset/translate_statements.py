"""Translation of statements."""

import ast
from collections.abc import Sequence

from mbdgen.subset import typed_tree as tree
from mbdgen.subset import types
from mbdgen.subset.translate_calls import CallTranslator
from mbdgen.subset.translated_values import (
    ArrayValue,
    LazyArray,
    NoValue,
    NumberValue,
    PointerValue,
    StaticValue,
    TupleValue,
    Value,
    kinds,
    parts_of,
    type_of,
)
from mbdgen.subset.translator import Again
from mbdgen.subset.typed_tree import Expression


class FunctionTranslator(CallTranslator):
    """Translator of one function for one set of types."""

    def translate(self, arguments: Sequence[types.Type], separate: bool) -> tree.TypedFunction:
        """Return the specialised function.

        Parameters
        ----------
        arguments : sequence of Type
            Types of the arguments.
        separate : bool
            Whether it is compiled by itself.
        """
        node, made = self.source.node, self.function
        names = [x.arg for x in (*node.args.posonlyargs, *node.args.args)]
        if len(names) != len(arguments) or node.args.vararg or node.args.kwarg:
            self.refuse(node, f"it is called with {len(arguments)} arguments")
        made.separate = separate
        made.body = self.block
        for name, kind in zip(names, arguments, strict=True):
            value = self.parameters(name, kind)
            if self.source.stores[name] > 1:
                self.assign(name, value, node)
            else:
                self.named[name] = value
        self.statements(node.body)
        if "return" in self.joined and self.result_type != self.joined["return"]:
            self.result_type = self.joined["return"]
        wanted = self.result_type if self.declared is None else self.declared
        if not isinstance(wanted, types.Nothing) and not _returns(self.block):
            self.refuse(node, f"it may end without a result, and {wanted} is wanted")
        self.result_type = wanted
        if isinstance(self.result_type, types.NumberType | types.Pointer):
            made.result = self.result_type
        if self.frame:
            inside = not separate or any(
                isinstance(part, types.Pointer) for part in kinds(self.result_type)
            )
            made.frame = "caller" if inside else "own"
        return made

    def statements(self, nodes: Sequence[ast.stmt]) -> None:
        """Translate statements up to one that leaves the block."""
        for node in nodes:
            self.statement(node)
            if isinstance(node, ast.Return | ast.Break | ast.Continue):
                return

    def statement(self, node: ast.stmt) -> None:
        """Translate a statement."""
        match node:
            case ast.Assign(targets=[target], value=value):
                self.assignment(target, value)
            case ast.Assign(targets=targets, value=value):
                held = self.steady(self.value(value))
                for target in targets:
                    self.store(target, held, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.assignment(target, value)
            case ast.AugAssign():
                self.augmented(node)
            case ast.For():
                self.for_loop(node)
            case ast.While():
                self.while_loop(node)
            case ast.If():
                self.branch(node)
            case ast.Return():
                self.returned(node)
            case ast.Break():
                self.emit(tree.Break())
            case ast.Continue():
                self.emit(tree.Continue())
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value=value):
                self.discard(self.value(value))
            case ast.Assert():
                pass
            case _:
                self.refuse(node)

    def discard(self, value: Value) -> None:
        """Evaluate a call whose value is not used."""
        if isinstance(value, NumberValue) and isinstance(
            value.expression, tree.FunctionCall | tree.AddressCall
        ):
            self.emit(tree.Do(value.expression))

    # Assignment.
    def assignment(self, target: ast.expr, node: ast.expr) -> None:
        """Assign the value of an expression."""
        if isinstance(target, ast.Tuple):
            if isinstance(node, ast.Tuple) and len(node.elts) == len(target.elts):
                given = tuple(self.steady(self.value(x)) for x in node.elts)
            else:
                given = self.items(self.steady(self.value(node)), node)
            if len(given) != len(target.elts):
                self.refuse(node, f"{len(target.elts)} values are needed")
            for name, value in zip(target.elts, given, strict=True):
                self.store(name, value, node)
            return
        self.store(target, self.value(node), node)

    def store(self, target: ast.expr, value: Value, node: ast.expr) -> None:
        """Assign a value to a name, an element or a part of an array."""
        if isinstance(target, ast.Tuple):
            for name, part in zip(target.elts, self.items(value, node), strict=True):
                self.store(name, part, node)
            return
        if isinstance(target, ast.Name) and target.id == "_":
            return
        if isinstance(target, ast.Name):
            self.assign(target.id, value, target)
            return
        if not isinstance(target, ast.Subscript):
            self.refuse(target)
        place = self.place(target)
        if isinstance(place, ArrayValue):
            self.fill(place, value, self.same_root(target, node), target)
            return
        address, index, item = place
        if not isinstance(value, NumberValue):
            self.refuse(target, f"an element of an array is no {type_of(value)}")
        # The value is computed before the element's index in Python, which nothing here can tell.
        self.emit(tree.StoreElement(address, index, self.as_type(value.expression, item)))

    @staticmethod
    def same_root(target: ast.expr, node: ast.expr) -> bool:
        """Return whether a name of the target occurs in an expression: arrays may overlap."""
        used = {x.id for x in ast.walk(target) if isinstance(x, ast.Name)}
        return any(isinstance(x, ast.Name) and x.id in used for x in ast.walk(node))

    def augmented(self, node: ast.AugAssign) -> None:
        """Translate ``x += y`` and the like."""
        if isinstance(node.target, ast.Name):
            old = self.value(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
            if isinstance(old, ArrayValue):
                self.increase(old, node)
                return
            new = self.operate(node.op, old, self.value(node.value), node)
            self.assign(node.target.id, new, node)
            return
        if not isinstance(node.target, ast.Subscript):
            self.refuse(node)
        place = self.place(node.target)
        if isinstance(place, ArrayValue):
            self.increase(place, node)
            return
        address, index, item = place
        address, index = self.let(address), self.let(index)
        change = self.value(node.value)
        old = NumberValue(self.load(address, index, item))
        new = self.operate(node.op, old, change, node)
        assert isinstance(new, NumberValue)
        self.emit(tree.StoreElement(address, index, self.as_type(new.expression, item)))

    def increase(self, array: ArrayValue, node: ast.AugAssign) -> None:
        """Translate ``x += y`` for arrays."""
        array = ArrayValue(
            array.item,
            self.let(array.address),
            tuple(map(self.let, array.shape)),
            None if array.strides is None else tuple(map(self.let, array.strides)),
        )
        change = self.value(node.value)
        if isinstance(change, ArrayValue | LazyArray) and self.same_root(node.target, node.value):
            change = self.materialise(change) if isinstance(change, LazyArray) else change
        self.fill(array, self.operate(node.op, array, change, node), False, node)

    # Control.
    def for_loop(self, node: ast.For) -> None:
        """Translate a loop over numbers, elements or the members of a tuple."""
        if node.orelse:
            self.refuse(node, "a loop has no else")
        call = node.iter
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.keywords:
            if call.func.id == "range":
                self.range_loop(node, call)
                return
            if call.func.id == "enumerate" and isinstance(node.target, ast.Tuple):
                index, target = node.target.elts
                self.element_loop(node, self.steady(self.value(call.args[0])), target, index)
                return
        over = self.steady(self.value(node.iter))
        if isinstance(over, ArrayValue):
            self.element_loop(node, over, node.target, None)
            return
        for member in self.items(over, node):
            if any(isinstance(x, ast.Break | ast.Continue) for x in ast.walk(node)):
                self.refuse(node, "a loop over a tuple is unrolled, and cannot be left")
            self.store(node.target, member, node.iter)
            self.statements(node.body)

    def range_loop(self, node: ast.For, call: ast.Call) -> None:
        """Translate a loop over ``range``."""
        given = [self.as_type(self.number(x), types.int64) for x in call.args]
        start: Expression = tree.integer(0)
        stop, step = given[0], start if len(given) > 2 else tree.integer(1)
        if len(given) > 1:
            start, stop = given[0], given[1]
        if len(given) > 2:
            step = self.let(given[2])  # positive, unless it is a constant
        counter = self.fresh("k", types.int64, fixed=True)
        start, stop = self.let(start), self.let(stop)
        with self.nested() as body:
            self.store(node.target, NumberValue(counter), node.iter)
            self.statements(node.body)
        self.emit(tree.For(counter, start, stop, step, body))

    def element_loop(
        self, node: ast.For, array: Value, target: ast.expr, index: ast.expr | None
    ) -> None:
        """Translate a loop over the elements of a vector or the rows of a table."""
        if not isinstance(array, ArrayValue):
            self.refuse(node.iter, f"a loop does not run over {type_of(array)}")
        counter = self.fresh("k", types.int64, fixed=True)
        with self.nested() as body:
            if index is not None:
                self.store(index, NumberValue(counter), node.iter)
            self.store(target, self.element(array, [counter]), node.iter)
            self.statements(node.body)
        self.emit(tree.For(counter, tree.integer(0), array.shape[0], tree.integer(1), body))

    def while_loop(self, node: ast.While) -> None:
        """Translate a loop with a condition."""
        if node.orelse:
            self.refuse(node, "a loop has no else")
        with self.nested() as body:
            test = self.truth(self.value(node.test), node.test)
            if test != tree.TRUE:
                self.emit(tree.If(tree.Not(test), [tree.Break()], []))
            self.statements(node.body)
        self.emit(tree.EndlessLoop(body))

    def branch(self, node: ast.If) -> None:
        """Translate a branch; one whose condition is known disappears."""
        test = self.truth(self.value(node.test), node.test)
        if isinstance(test, tree.Constant):
            self.statements(node.body if test.value else node.orelse)
            return
        with self.nested() as body:
            self.statements(node.body)
        with self.nested() as orelse:
            self.statements(node.orelse)
        self.emit(tree.If(test, body, orelse))

    def returned(self, node: ast.Return) -> None:
        """Translate a return."""
        value: Value = NoValue() if node.value is None else self.value(node.value)
        if isinstance(value, LazyArray):
            value = self.materialise(value)
        kind = type_of(value)
        if self.declared is not None:
            wanted = self.declared
        else:
            known = self.joined.get("return")
            wanted = kind if known is None else self.join(known, kind, node)
            self.joined["return"] = wanted
            if known is not None and wanted != known:
                raise Again
        self.result_type = wanted
        if isinstance(wanted, types.Nothing):
            self.emit(tree.Return(None))
            return
        value = self.cast(value, wanted, node)
        if isinstance(value, NumberValue | PointerValue):
            self.emit(tree.Return(value.expression))
            return
        if isinstance(value, StaticValue):
            self.refuse(node, "a function returns numbers, arrays and records")
        if not self.function.parameters or self.function.parameters[-1].name != "result":
            self.function.parameters.append(tree.Variable("result", tree.SLOTS, True))
        result = self.function.parameters[-1]
        for k, part in enumerate([self.let(x) for x in parts_of(value)]):
            self.emit(tree.StoreSlot(result, k, part))
        self.emit(tree.Return(None))

    def items(self, value: Value, node: ast.AST) -> tuple[Value, ...]:
        """Return the members of a tuple or a record, or the elements of known number."""
        if isinstance(value, TupleValue):
            return value.items
        found = self.members(value)
        if found is None:
            self.refuse(node, f"{type_of(value)} is not taken apart")
        return found


__all__ = ["Again", "FunctionTranslator"]


def _returns(block: Sequence[tree.Statement]) -> bool:
    """Return whether a block always ends with a return."""
    match block[-1] if block else None:
        case tree.Return():
            return True
        case tree.If(_, body, orelse):
            return _returns(body) and _returns(orelse)
        case tree.EndlessLoop(body):
            return not _breaks(body)
    return False


def _breaks(block: Sequence[tree.Statement]) -> bool:
    """Return whether a block leaves the loop around it."""
    for statement in block:
        match statement:
            case tree.Break():
                return True
            case tree.If(_, body, orelse):
                if _breaks(body) or _breaks(orelse):
                    return True
    return False
