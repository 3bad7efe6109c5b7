"""Translation of expressions on numbers, names, fields and elements."""

import ast
from types import ModuleType
from typing import Any

import numpy as np

from mbdgen.subset import typed_tree as tree
from mbdgen.subset import types
from mbdgen.subset.translated_values import (
    ArrayValue,
    LazyArray,
    NoValue,
    NumberValue,
    RecordAt,
    RecordValue,
    StaticValue,
    TupleValue,
    Value,
    field_at,
    fields_of,
    record_class,
    type_of,
)
from mbdgen.subset.translator import Translator
from mbdgen.subset.typed_tree import Expression

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Pow: "**",
}
RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_FOLDED: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


class ExpressionTranslator(Translator):
    """Translator of expressions."""

    def value(self, node: ast.expr) -> Value:
        """Translate an expression."""
        match node:
            case ast.Constant(value=held):
                return self.static(held, node)
            case ast.Name(id=name):
                return self.name(name, node)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Subscript():
                return self.subscript(node)
            case ast.BinOp(left=left, op=op, right=right):
                a, b = self.in_order(left, right)
                return self.operate(op, a, b, node)
            case ast.UnaryOp():
                return self.unary(node)
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self.comparison(left, ops, others, node)
            case ast.BoolOp():
                return self.logical(node)
            case ast.IfExp():
                return self.choice(node)
            case ast.Tuple(elts=nodes) | ast.List(elts=nodes):
                given = self.arguments(nodes)
                parts = (self.materialise(x) if isinstance(x, LazyArray) else x for x in given)
                return TupleValue(tuple(parts))
            case ast.Call():
                return self.call(node)
        self.refuse(node)

    def call(self, node: ast.Call) -> Value:
        """Translate a call."""
        raise NotImplementedError

    def in_order(self, left: ast.expr, right: ast.expr) -> tuple[Value, Value]:
        """Translate two operands; the first is evaluated before the statements of the second."""
        a = self.value(left)
        here = len(self.block)
        b = self.value(right)
        if len(self.block) > here and isinstance(a, NumberValue) and _reads(a.expression):
            later = self.block[here:]
            del self.block[here:]
            a = NumberValue(self.let(a.expression))
            self.block += later
        return a, b

    def arguments(self, nodes: list[ast.expr]) -> list[Value]:
        """Translate arguments, with ``*tuple`` taken apart."""
        found: list[Value] = []
        for node in nodes:
            here = len(self.block)
            new = (
                list(self.items(self.value(node.value), node))
                if isinstance(node, ast.Starred)
                else [self.value(node)]
            )
            if len(self.block) > here:
                later = self.block[here:]
                del self.block[here:]
                found = [
                    NumberValue(self.let(x.expression))
                    if isinstance(x, NumberValue) and _reads(x.expression)
                    else x
                    for x in found
                ]
                self.block += later
            found += new
        return found

    def items(self, value: Value, node: ast.AST) -> tuple[Value, ...]:
        """Return the members of a tuple or record."""
        raise NotImplementedError

    def static(self, held: Any, node: ast.AST) -> Value:
        """Return a value known when the function is specialised."""
        if isinstance(held, bool | np.bool_):
            return NumberValue(tree.Constant(bool(held), types.boolean))
        if isinstance(held, int | np.integer):
            return NumberValue(tree.integer(int(held)))
        if isinstance(held, float | np.floating):
            return NumberValue(tree.real(float(held)))
        if held is None:
            return NoValue()
        if isinstance(held, np.ndarray) and held.dtype in (np.float64, np.int64):
            item = types.float64 if held.dtype == np.float64 else types.int64
            table = tree.ConstantTable(tuple(held.ravel().tolist()), types.Pointer(item))
            return ArrayValue(item, table, tuple(map(tree.integer, held.shape)))
        if isinstance(held, tuple):
            parts = tuple(self.static(x, node) for x in held)
            cls = type(held)
            return TupleValue(parts) if cls is tuple else RecordValue(cls, parts)
        return StaticValue(held)

    def name(self, name: str, node: ast.AST) -> Value:
        """Translate a name."""
        if name in self.named:
            return self.named[name]
        if name in self.source.stores:
            self.refuse(node, f"'{name}' may have no value here")
        try:
            held = self.source.names[name]
        except KeyError:
            self.refuse(node, f"the name '{name}' is not defined")
        return self.static(held, node)

    def attribute(self, node: ast.Attribute) -> Value:
        """Translate ``value.name``."""
        owner, name = self.value(node.value), node.attr
        if isinstance(owner, StaticValue):
            if not hasattr(owner.value, name) or not isinstance(owner.value, ModuleType | type):
                self.refuse(node, f"{owner.value!r} has no '{name}' here")
            return self.static(getattr(owner.value, name), node)
        if isinstance(owner, RecordAt | RecordValue):
            names = record_class(owner)._fields
            if name not in names:
                self.refuse(node, f"the record has no '{name}'")
            index = names.index(name)
            return owner.fields[index] if isinstance(owner, RecordValue) else field_at(owner, index)
        return self.array_attribute(owner, name, node)

    def array_attribute(self, owner: Value, name: str, node: ast.Attribute) -> Value:
        """Translate an attribute of an array."""
        raise NotImplementedError

    def subscript(self, node: ast.Subscript) -> Value:
        """Translate ``value[index]``."""
        raise NotImplementedError

    # Numbers.
    def number(self, node: ast.expr) -> Expression:
        """Translate an expression that must be a number."""
        found = self.value(node)
        if not isinstance(found, NumberValue):
            self.refuse(node, f"a number is needed, not {type_of(found)}")
        return found.expression

    def truth(self, value: Value, node: ast.AST) -> Expression:
        """Return a value as a truth value."""
        if isinstance(value, NoValue):
            return tree.FALSE
        if isinstance(value, TupleValue):
            return tree.Constant(bool(value.items), types.boolean)
        if not isinstance(value, NumberValue):
            self.refuse(node, f"{type_of(value)} is no condition")
        return self.as_type(value.expression, types.boolean)

    def operate(self, op: ast.operator, a: Value, b: Value, node: ast.AST) -> Value:
        """Translate an operation on two values."""
        if isinstance(a, NumberValue) and isinstance(b, NumberValue):
            return NumberValue(self.binary(OPERATORS[type(op)], a.expression, b.expression, node))
        if isinstance(a, TupleValue) and isinstance(b, TupleValue) and isinstance(op, ast.Add):
            return TupleValue(a.items + b.items)
        return self.operate_arrays(op, a, b, node)

    def operate_arrays(self, op: ast.operator, a: Value, b: Value, node: ast.AST) -> Value:
        """Translate an operation on arrays."""
        raise NotImplementedError

    def binary(self, operator: str, a: Expression, b: Expression, node: ast.AST) -> Expression:
        """Return an operation on two numbers."""
        kind = types.int64
        if operator == "/" or types.float64 in (a.type, b.type):
            kind = types.float64
        if operator == "**":
            if kind == types.int64:
                return self.whole_power(a, b, node)
            arguments = self.as_type(a, types.float64), self.as_type(b, types.float64)
            return tree.Mathematical("pow", arguments, types.float64)
        if operator in ("//", "%") and kind == types.float64:
            self.refuse(node, "quotients are rounded down for integers only")
        if operator in "&|^" and a.type == b.type == types.boolean:
            kind = types.boolean
        if operator in ("&", "|", "^", "<<", ">>") and kind == types.float64:
            self.refuse(node, "bits are those of integers")
        a, b = self.as_type(a, kind), self.as_type(b, kind)
        if isinstance(a, tree.Constant) and isinstance(b, tree.Constant) and operator in _FOLDED:
            if not (operator in ("//", "%") and b.value == 0):
                return tree.Constant(_FOLDED[operator](a.value, b.value), kind)
        if kind == types.int64 and operator in "+-" and b == tree.integer(0):
            return a
        return tree.Binary(operator, a, b, kind)

    def whole_power(self, a: Expression, b: Expression, node: ast.AST) -> Expression:
        """Return a power of integers with a small constant exponent."""
        if not isinstance(b, tree.Constant) or not 1 <= b.value <= 4:
            self.refuse(node, "exponents of integers are 1 to 4")
        factor = self.let(a)
        found = factor
        for _ in range(int(b.value) - 1):
            found = self.binary("*", found, factor, node)
        return found

    def unary(self, node: ast.UnaryOp) -> Value:
        """Translate ``-x``, ``+x``, ``not x``."""
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            test = self.truth(value, node)
            if isinstance(test, tree.Constant):
                return NumberValue(tree.Constant(not test.value, types.boolean))
            return NumberValue(tree.Not(test))
        if isinstance(node.op, ast.UAdd):
            return value
        if not isinstance(node.op, ast.USub):
            self.refuse(node)
        return self.negative(value, node)

    def negative(self, value: Value, node: ast.AST) -> Value:
        """Return a value with the other sign."""
        if not isinstance(value, NumberValue):
            return self.operate_arrays(ast.USub(), value, value, node)  # type: ignore[arg-type]
        expression = value.expression
        if expression.type == types.boolean:
            expression = self.as_type(expression, types.int64)
        if isinstance(expression, tree.Constant):
            return NumberValue(tree.Constant(-expression.value, expression.type))
        assert expression.type is not None
        return NumberValue(tree.Negative(expression, expression.type))

    def comparison(
        self, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr], node: ast.Compare
    ) -> Value:
        """Translate one or several comparisons."""
        found: Expression | None = None
        nodes = [left, *others]
        for k, op in enumerate(ops):
            if isinstance(op, ast.Is | ast.IsNot):
                test = self.identical(nodes[k], nodes[k + 1], op)
            elif isinstance(op, ast.In | ast.NotIn):
                test = self.contained(nodes[k], nodes[k + 1], op, node)
            else:
                a, b = self.in_order(nodes[k], nodes[k + 1])
                if not (isinstance(a, NumberValue) and isinstance(b, NumberValue)):
                    self.refuse(node, "only numbers are compared")
                test = self.compare(op, a.expression, b.expression, node)
            found = test if found is None else self.both("and", found, test)
        assert found is not None
        return NumberValue(found)

    def identical(self, left: ast.expr, right: ast.expr, op: ast.cmpop) -> Expression:
        """Translate ``is``: known when the function is specialised."""
        a, b = self.value(left), self.value(right)
        same = type_of(a) == type_of(b)
        return tree.Constant(same == isinstance(op, ast.Is), types.boolean)

    def contained(
        self, left: ast.expr, right: ast.expr, op: ast.cmpop, node: ast.AST
    ) -> Expression:
        """Translate ``in``: one of the members of a tuple."""
        x = self.let(self.number(left))
        found: Expression = tree.FALSE
        for member in self.items(self.value(right), node):
            if not isinstance(member, NumberValue):
                self.refuse(node, "only numbers are compared")
            found = self.both("or", found, self.compare(ast.Eq(), x, member.expression, node))
        return found if isinstance(op, ast.In) else tree.Not(found)

    def compare(self, op: ast.cmpop, a: Expression, b: Expression, node: ast.AST) -> Expression:
        """Return a comparison of two numbers."""
        if type(op) not in RELATIONS:
            self.refuse(node)
        kind = types.float64 if types.float64 in (a.type, b.type) else types.int64
        a, b, relation = self.as_type(a, kind), self.as_type(b, kind), RELATIONS[type(op)]
        if isinstance(a, tree.Constant) and isinstance(b, tree.Constant):
            return tree.Constant(_FOLDED[relation](a.value, b.value), types.boolean)
        return tree.Compare(relation, a, b)

    def both(self, operator: str, a: Expression, b: Expression) -> Expression:
        """Return ``a and b`` or ``a or b`` of truth values."""
        for one, other in ((a, b), (b, a)):
            if isinstance(one, tree.Constant):
                if bool(one.value) == (operator == "and"):
                    return other
                if one is a:
                    return one
        return tree.Logical(operator, a, b)

    def logical(self, node: ast.BoolOp) -> Value:
        """Translate ``and`` and ``or`` of conditions; later ones may not be evaluated."""
        operator = "and" if isinstance(node.op, ast.And) else "or"
        found = self.truth(self.value(node.values[0]), node)
        for other in node.values[1:]:
            if isinstance(found, tree.Constant) and bool(found.value) != (operator == "and"):
                break
            with self.nested() as body:
                test = self.truth(self.value(other), other)
            if body:
                variable = self.fresh("test", types.boolean)
                self.emit(tree.Assign(variable, found))
                body.append(tree.Assign(variable, test))
                run = variable if operator == "and" else tree.Not(variable)
                self.emit(tree.If(run, body, []))
                found = variable
            else:
                found = self.both(operator, found, test)
        return NumberValue(found)

    def choice(self, node: ast.IfExp) -> Value:
        """Translate ``a if test else b``; only one of them is evaluated."""
        test = self.truth(self.value(node.test), node.test)
        if isinstance(test, tree.Constant):
            return self.value(node.body if test.value else node.orelse)
        with self.nested() as body:
            yes = self.value(node.body)
            if isinstance(yes, LazyArray):
                yes = self.materialise(yes)
        with self.nested() as orelse:
            no = self.value(node.orelse)
            if isinstance(no, LazyArray):
                no = self.materialise(no)
        kind = self.join(type_of(yes), type_of(no), node)
        if not body and not orelse and isinstance(kind, types.NumberType):
            assert isinstance(yes, NumberValue)
            assert isinstance(no, NumberValue)
            a, b = self.as_type(yes.expression, kind), self.as_type(no.expression, kind)
            return NumberValue(tree.Choice(test, a, b, kind))
        name = f"choice of line {node.lineno}:{node.col_offset}"
        self.joined[name] = kind
        with self.nested() as more:
            self.assign(name, yes, node)
        body += more
        with self.nested() as more:
            self.assign(name, no, node)
        orelse += more
        self.emit(tree.If(test, body, orelse))
        return self.named[name]

    def members(self, value: Value) -> tuple[Value, ...] | None:
        """Return the members of a record, or None."""
        return fields_of(value) if isinstance(value, RecordAt | RecordValue) else None


def _reads(expression: Expression) -> bool:
    """Return whether the value of an expression depends on when it is evaluated."""
    match expression:
        case tree.Constant() | tree.RecordField() | tree.FunctionAddress() | tree.ConstantTable():
            return False
        case tree.Variable():
            return not expression.fixed
        case tree.ArrayElement() | tree.FunctionCall() | tree.AddressCall():
            return True
        case tree.Behind(address, index):
            return _reads(address) or _reads(index)
        case tree.Choice(test, yes, no):
            return _reads(test) or _reads(yes) or _reads(no)
        case tree.Mathematical(_, arguments):
            return any(map(_reads, arguments))
        case tree.Binary(_, left, right) | tree.Compare(_, left, right):
            return _reads(left) or _reads(right)
        case tree.Logical(_, left, right):
            return _reads(left) or _reads(right)
        case tree.Not(x) | tree.Negative(x) | tree.Convert(x) | tree.Bits(x):
            return _reads(x)
    return True
