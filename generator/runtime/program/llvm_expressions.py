"""Translation of expressions of printed functions to LLVM IR, one line per operation."""

import ast
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

import numpy as np

from mbdgen import interface
from mbdgen.errors import BuildError

REAL, INT, TRUTH, ADDRESS = "double", "i64", "i1", "ptr"
ARGUMENTS = {name: INT if name == "m" else REAL for name in interface.ARGUMENTS}
"""Arguments of every kernel: `t` is a number, the others are arrays of these types."""
PARAMETERS = ", ".join(f"{REAL if x == 't' else ADDRESS} %{x}" for x in ARGUMENTS)
"""Parameter list of a kernel in LLVM IR."""

_INTRINSICS = ("sin", "cos", "sqrt", "exp", "log", "pow", "floor")
_FROM_C = ("tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh")
_OPERATORS: dict[type, tuple[str, str]] = {
    ast.Add: ("fadd", "add"),
    ast.Sub: ("fsub", "sub"),
    ast.Mult: ("fmul", "mul"),
}
_RELATIONS: dict[type, tuple[str, str]] = {
    ast.Lt: ("olt", "slt"),
    ast.LtE: ("ole", "sle"),
    ast.Gt: ("ogt", "sgt"),
    ast.GtE: ("oge", "sge"),
    ast.Eq: ("oeq", "eq"),
    ast.NotEq: ("une", "ne"),
}


@dataclass(frozen=True)
class Callee:
    """A function called by printed functions.

    Attributes
    ----------
    symbol : str
        Its symbol.
    result : str
        Type of its result, or ``void``.
    kinds : tuple of str
        Types of its arguments.
    """

    symbol: str
    result: str
    kinds: tuple[str, ...]

    @property
    def declaration(self) -> str:
        """Its declaration in LLVM IR."""
        return f"declare {self.result} @{self.symbol}({', '.join(self.kinds)})"


KERNEL_KINDS = tuple(REAL if x == "t" else ADDRESS for x in ARGUMENTS)


@dataclass(frozen=True)
class Value:
    """A value in LLVM IR: its text and type."""

    text: str
    kind: str


class Expressions:
    """Translator of the expressions of one function.

    Names assigned once are SSA values; others (sums) are in memory, and LLVM assigns registers.
    """

    def __init__(
        self, function: ast.FunctionDef, callees: Mapping[str, Callee], constants: Mapping[str, Any]
    ) -> None:
        self.function = function
        self.callees = callees
        self.constants = constants
        self.lines: list[str] = []
        self.entry: list[str] = []
        self.outside: dict[str, None] = {}  # lines before the function, each once
        self.named: dict[str, Value] = {"t": Value("%t", REAL)}
        self.cells: dict[str, Value] = {}
        self.label = "entry"
        self.count = 0

    def refuse(self, node: ast.AST) -> NoReturn:
        """Raise an error that quotes code which cannot be compiled."""
        text = ast.unparse(node).partition("\n")[0][:80]
        raise BuildError(
            f"The kernel '{self.function.name}' contains '{text}', which cannot be compiled.",
            "Build the module again; a module that was changed by hand may not go beyond what "
            "mbdgen prints.",
        )

    def fresh(self) -> str:
        """Return an unused name."""
        self.count += 1
        return f"%.{self.count}"

    def add(self, code: str, kind: str) -> Value:
        """Emit an instruction and return its result."""
        name = self.fresh()
        self.lines.append(f"{name} = {code}")
        return Value(name, kind)

    def begin(self, label: str) -> None:
        """Begin a basic block."""
        self.lines.append(f"{label[1:]}:")
        self.label = label[1:]

    def value(self, node: ast.expr) -> Value:
        """Emit an expression and return its result."""
        write = self._writers.get(type(node))
        if write is None:
            self.refuse(node)
        found: Value = write(self, node)
        return found

    def _constant(self, node: ast.Constant) -> Value:
        return self._number(node.value, node)

    def _number(self, value: object, node: ast.AST) -> Value:
        if isinstance(value, float):
            bits = struct.unpack(">Q", struct.pack(">d", value))[0]
            return Value(f"0x{bits:016X}", REAL)
        if isinstance(value, int):
            return Value(str(value), INT)
        self.refuse(node)

    def _name(self, node: ast.Name) -> Value:
        if node.id in self.named:
            return self.named[node.id]
        if node.id in self.cells:
            cell = self.cells[node.id]
            return self.add(f"load {cell.kind}, ptr {cell.text}", cell.kind)
        if node.id in ARGUMENTS:
            return Value(f"%{node.id}", ADDRESS)
        return self._number(self.constants.get(node.id), node)

    def _attribute(self, node: ast.Attribute) -> Value:
        named = {"math.nan": np.nan, "math.inf": np.inf}
        return self._number(named.get(ast.unparse(node)), node)

    def _subscript(self, node: ast.Subscript) -> Value:
        pointer = self.element_pointer(node)
        return self.add(f"load {pointer.kind}, ptr {pointer.text}", pointer.kind)

    def element_pointer(self, node: ast.Subscript) -> Value:
        """Return the address of an array element, with its type."""
        if not isinstance(node.value, ast.Name):
            self.refuse(node)
        array = node.value.id
        if array in ARGUMENTS and not isinstance(node.slice, ast.Tuple):
            kind, base, index = ARGUMENTS[array], f"%{array}", self.value(node.slice)
        elif isinstance(node.slice, ast.Tuple):
            kind, base, index = REAL, *self._in_table(array, node.slice)
        else:
            self.refuse(node)
        code = f"getelementptr inbounds {kind}, ptr {base}, i64 {index.text}"
        return Value(self.add(code, ADDRESS).text, kind)

    def _in_table(self, name: str, subscript: ast.Tuple) -> tuple[str, Value]:
        """Return a table of the module, and the row-major index of an entry."""
        table = self.constants.get(name)
        if not isinstance(table, np.ndarray):
            self.refuse(subscript)
        row, column = (self.value(x) for x in subscript.elts)
        numbers = ", ".join(f"double {self._number(float(x), subscript).text}" for x in table.flat)
        kind = f"[{table.size} x double]"
        self.outside[f"@{name} = private unnamed_addr constant {kind} [{numbers}]"] = None
        first = self.add(f"mul i64 {row.text}, {table.shape[1]}", INT)
        return f"@{name}", self.add(f"add i64 {first.text}, {column.text}", INT)

    def _unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return self._number(-node.operand.value, node)  # type: ignore[operator]
        x = self.value(node.operand)
        if isinstance(node.op, ast.USub):
            return self.add(f"fneg double {self.real(x).text}", REAL)
        if isinstance(node.op, ast.Not):
            return self.add(f"xor i1 {self.truth(x).text}, true", TRUTH)
        self.refuse(node)

    def _binary(self, node: ast.BinOp) -> Value:
        return self.operation(node.op, self.value(node.left), self.value(node.right), node)

    def operation(self, op: ast.operator, a: Value, b: Value, node: ast.AST) -> Value:
        """Emit a sum, a difference, a product or a quotient."""
        if isinstance(op, ast.Div):
            return self.add(f"fdiv double {self.real(a).text}, {self.real(b).text}", REAL)
        if type(op) not in _OPERATORS:
            self.refuse(node)
        real, whole = _OPERATORS[type(op)]
        if REAL in (a.kind, b.kind):
            return self.add(f"{real} double {self.real(a).text}, {self.real(b).text}", REAL)
        a, b = self._whole(a), self._whole(b)
        return self.add(f"{whole} i64 {a.text}, {b.text}", INT)

    def real(self, x: Value) -> Value:
        """Convert a value to a real number."""
        if x.kind == REAL:
            return x
        return self.add(f"sitofp i64 {self._whole(x).text} to double", REAL)

    def truth(self, x: Value) -> Value:
        """Convert a value to a truth value, as Python does in conditions."""
        if x.kind == TRUTH:
            return x
        if x.kind == INT:
            return self.add(f"icmp ne i64 {x.text}, 0", TRUTH)
        return self.add(f"fcmp une double {x.text}, 0.0", TRUTH)

    def _whole(self, x: Value) -> Value:
        return x if x.kind == INT else self.add(f"zext i1 {x.text} to i64", INT)

    def _compare(self, node: ast.Compare) -> Value:
        if len(node.ops) > 1 or type(node.ops[0]) not in _RELATIONS:
            self.refuse(node)
        real, whole = _RELATIONS[type(node.ops[0])]
        a, b = self.value(node.left), self.value(node.comparators[0])
        if a.kind == b.kind == INT:
            return self.add(f"icmp {whole} i64 {a.text}, {b.text}", TRUTH)
        return self.add(f"fcmp {real} double {self.real(a).text}, {self.real(b).text}", TRUTH)

    def _either(self, node: ast.BoolOp) -> Value:
        word = "or" if isinstance(node.op, ast.Or) else "and"
        found = self.truth(self.value(node.values[0]))
        for other in node.values[1:]:
            following = self.truth(self.value(other))
            found = self.add(f"{word} i1 {found.text}, {following.text}", TRUTH)
        return found

    def _choice(self, node: ast.IfExp) -> Value:
        """Evaluate one branch only, because the other may be an expensive function."""
        yes, no, end = (self.fresh() for _ in range(3))
        test = self.truth(self.value(node.test))
        self.lines.append(f"br i1 {test.text}, label {yes}, label {no}")
        found = []
        for label, part in ((yes, node.body), (no, node.orelse)):
            self.begin(label)
            value = self.real(self.value(part))
            found.append(f"[{value.text}, %{self.label}]")
            self.lines.append(f"br label {end}")
        self.begin(end)
        return self.add(f"phi double {', '.join(found)}", REAL)

    def call(self, node: ast.Call) -> Value:
        """Emit a call of a mathematical or a printed function."""
        name, given = ast.unparse(node.func), [self.value(x) for x in node.args]
        if name in self.callees:
            return self._call_of(self.callees[name], given)
        real = [self.real(x).text for x in given]
        if name in ("min", "max") and len(real) == 2:
            a, b = real
            is_so = self.add(f"fcmp {'olt' if name == 'min' else 'ogt'} double {b}, {a}", TRUTH)
            return self.add(f"select i1 {is_so.text}, double {b}, double {a}", REAL)
        if name == "float" and len(real) == 1:
            return Value(real[0], REAL)
        function = name.removeprefix("math.")
        if name == "abs" or function in _INTRINSICS:
            symbol = "llvm.fabs.f64" if name == "abs" else f"llvm.{function}.f64"
        elif function in _FROM_C:
            symbol = function
        else:
            self.refuse(node)
        return self._call_of(
            Callee(symbol, REAL, (REAL,) * len(real)), [Value(x, REAL) for x in real]
        )

    def _call_of(self, callee: Callee, given: list[Value]) -> Value:
        self.outside[callee.declaration] = None
        texts = ", ".join(f"{k} {x.text}" for k, x in zip(callee.kinds, given, strict=True))
        code = f"call {callee.result} @{callee.symbol}({texts})"
        if callee.result == "void":
            self.lines.append(code)
            return Value("", "void")
        return self.add(code, callee.result)

    _writers: ClassVar[dict[type, Any]] = {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Subscript: _subscript,
        ast.UnaryOp: _unary,
        ast.BinOp: _binary,
        ast.Compare: _compare,
        ast.BoolOp: _either,
        ast.IfExp: _choice,
        ast.Call: call,
    }
