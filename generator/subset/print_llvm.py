"""Printer of typed trees for LLVM."""

import struct
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, ClassVar

from mbdgen.subset import typed_tree as tree
from mbdgen.subset import types
from mbdgen.subset.typed_tree import Expression, Statement, TypedFunction, Variable

_KINDS = {"int": "i64", "real": "double", "bool": "i1", "int32": "i32", "uint32": "i32"}
_REAL_OPERATORS = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_INTEGER_OPERATORS = {
    **{"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"},
    **{"<<": "shl", ">>": "ashr"},
}
_REAL_RELATIONS = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "une"}
_INTEGER_RELATIONS = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}
_INTRINSICS = {
    **{"sqrt": "sqrt", "sin": "sin", "cos": "cos", "exp": "exp", "log": "log", "pow": "pow"},
    **{"floor": "floor", "rint": "rint", "copysign": "copysign"},
}
_ELEMENT, _SLOT = "!tbaa !3", "!tbaa !4"
_METADATA = """
!0 = !{!"mbdgen"}
!1 = !{!"element", !0}
!2 = !{!"slot", !0}
!3 = !{!1, !1, i64 0}
!4 = !{!2, !2, i64 0}
"""
"""Records are never written where elements of arrays are: what is read of them stays valid."""

_FRAME = """
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare void @free(ptr)
define internal noalias ptr @frame_allocate(ptr %frame, i64 %count, i1 %zero) noinline nounwind {
  %less = mul i64 %count, 8
  %size = add i64 %less, 16
  br i1 %zero, label %zeros, label %any
zeros:
  %z = call ptr @calloc(i64 1, i64 %size)
  br label %link
any:
  %m = call ptr @malloc(i64 %size)
  br label %link
link:
  %p = phi ptr [%z, %zeros], [%m, %any]
  %before = load ptr, ptr %frame
  store ptr %before, ptr %p
  store ptr %p, ptr %frame
  %data = getelementptr inbounds i8, ptr %p, i64 16
  ret ptr %data
}
define internal void @frame_free(ptr %frame) noinline nounwind {
  %first = load ptr, ptr %frame
  br label %head
head:
  %p = phi ptr [%first, %0], [%next, %body]
  %done = icmp eq ptr %p, null
  br i1 %done, label %end, label %body
body:
  %next = load ptr, ptr %p
  call void @free(ptr %p)
  br label %head
end:
  ret void
}
"""

FREE_FRAME = _FRAME.replace("internal void @frame_free", 'void @"mbdgen.frame_free"')
"""A module with a function that frees what was allocated in a frame."""


def kind_of(kind: tree.Kind | None) -> str:
    """Return the LLVM type of a value."""
    if kind is None:
        return "void"
    return "ptr" if isinstance(kind, types.Pointer) else _KINDS[kind.name]


def item_of(kind: tree.Kind) -> str:
    """Return the LLVM type of an element of an array."""
    return "i8" if kind == types.boolean else kind_of(kind)


class Unit:
    """One separately compiled function with those that are part of it.

    Attributes
    ----------
    text : str
        The module in LLVM IR.
    symbol : str
        Symbol of the function: its name and a hash of all of it.
    needs : list of Unit
        Units whose symbols it calls.
    """

    def __init__(self, function: TypedFunction, units: "Units") -> None:
        self.outside: dict[str, None] = {}
        self.needs: dict[str, Unit] = {}
        self._inside: dict[TypedFunction, str] = {}
        self._texts: list[str] = []
        self._units = units
        self.frames = False
        text = _Printer(function, self, "@{symbol}").text()
        whole = "\n".join([*self.outside, _FRAME if self.frames else "", *self._texts, text])
        whole += _METADATA
        self.key = sha256(whole.encode()).hexdigest()[:24]
        self.symbol = f"mbdgen.{function.name}.{self.key}"
        self.text = whole.replace("@{symbol}", f'@"{self.symbol}"')

    def symbol_of(self, function: TypedFunction) -> str:
        """Return the symbol by which a function is called."""
        if function.separate:
            unit = self._units.of(function)
            self.needs[unit.symbol] = unit
            result, kinds = kind_of(function.result), list(parameter_kinds(function))
            self.outside[f'declare {result} @"{unit.symbol}"({", ".join(kinds)})'] = None
            return f'@"{unit.symbol}"'
        if function not in self._inside:
            name = f'@"{function.name}.{len(self._inside)}"'
            self._inside[function] = name
            self._texts.append(_Printer(function, self, name).text())
        return self._inside[function]


def parameter_kinds(function: TypedFunction) -> Iterator[str]:
    """Yield the LLVM types of parameters."""
    yield from (kind_of(x.type) for x in function.parameters)
    if function.frame == "caller":
        yield "ptr"


class Units:
    """Units by function."""

    def __init__(self) -> None:
        # Functions are equal to themselves only, and stay alive as keys.
        self._known: dict[TypedFunction, Unit] = {}

    def of(self, function: TypedFunction) -> Unit:
        """Return the unit of a function."""
        if function not in self._known:
            self._known[function] = Unit(function, self)
        return self._known[function]


class _Printer:
    """Printer of one function."""

    def __init__(self, function: TypedFunction, unit: Unit, name: str) -> None:
        self.function, self.unit, self.symbol = function, unit, name
        self.entry: list[str] = []
        self.lines: list[str] = []
        self.values: dict[str, str] = {}
        self.cells: dict[str, str] = {}
        self.label = "start"
        self.count = 0
        self.closed = False
        self.loops: list[tuple[str, str]] = []

    def text(self) -> str:
        """Return the text of the function."""
        function = self.function
        given = []
        for k, parameter in enumerate(function.parameters):
            self.values[parameter.name] = f"%a{k}"
            given.append(f"{kind_of(parameter.type)} %a{k}")
        if function.frame:
            self.unit.frames = True
            if function.frame == "caller":
                given.append("ptr %frame")
            else:
                self.entry += ["%frame = alloca ptr", "store ptr null, ptr %frame"]
        self.block(function.body)
        if not self.closed:
            if function.result is None:
                self.leave("ret void")
            else:
                self.lines.append("unreachable")
        linkage = "" if function.separate else "internal "
        hint = "" if function.separate else " inlinehint"
        head = f"define {linkage}{kind_of(function.result)} {self.symbol}({', '.join(given)})"
        body = [*self.entry, "br label %start", "start:", *self.lines]
        return "\n".join([f"{head} nounwind{hint} {{", *body, "}", ""])

    # Instructions.
    def fresh(self) -> str:
        self.count += 1
        return f"%x{self.count}"

    def add(self, code: str) -> str:
        """Emit an instruction and return the name of its result."""
        name = self.fresh()
        self.lines.append(f"{name} = {code}")
        return name

    def begin(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.label, self.closed = label, False

    def go(self, label: str) -> None:
        """Emit a jump unless the block has ended."""
        if not self.closed:
            self.lines.append(f"br label %{label}")
        self.closed = True

    def leave(self, code: str) -> None:
        if self.function.frame == "own":
            self.lines.append("call void @frame_free(ptr %frame)")
        self.lines.append(code)
        self.closed = True

    def new_label(self, name: str) -> str:
        self.count += 1
        return f"{name}{self.count}"

    # Statements.
    def block(self, statements: Sequence[Statement]) -> None:
        """Print statements up to one that leaves the block."""
        for statement in statements:
            if self.closed:
                return
            self.statement(statement)

    def statement(self, x: Statement) -> None:
        match x:
            case tree.Assign(variable, value):
                self.assign(variable, value)
            case tree.StoreElement(address, index, value):
                self.store(address, index, value)
            case tree.StoreSlot(record, slot, value):
                place = self.behind(record, tree.integer(slot), "i64")
                held, kind = self.value(value), kind_of(value.type)
                if kind == "i1":
                    held, kind = self.add(f"zext i1 {held} to i64"), "i64"
                self.lines.append(f"store {kind} {held}, ptr {place}, {_SLOT}")
            case tree.NewRecord(variable, slots):
                name = f"%r{len(self.entry)}"
                self.entry.append(f"{name} = alloca [{slots} x i64], align 16")
                self.values[variable.name] = name
            case tree.Allocate(variable, count, zero):
                n = self.value(count)
                call = f"call ptr @frame_allocate(ptr %frame, i64 {n}, i1 {str(zero).lower()})"
                self.values[variable.name] = self.add(call)
            case tree.For():
                self.loop(x)
            case tree.EndlessLoop(body):
                head, end = self.new_label("loop"), self.new_label("end")
                self.go(head)
                self.begin(head)
                self.loops.append((head, end))
                self.block(body)
                self.loops.pop()
                self.go(head)
                self.begin(end)
            case tree.If(test, body, orelse):
                self.branch(test, body, orelse)
            case tree.Break():
                self.go(self.loops[-1][1])
            case tree.Continue():
                self.go(self.loops[-1][0])
            case tree.Return(value):
                if value is None:
                    self.leave("ret void")
                else:
                    held = self.value(value)
                    self.leave(f"ret {kind_of(value.type)} {held}")
            case tree.Do(call):
                self.value(call)

    def assign(self, variable: Variable, value: Expression) -> None:
        held = self.value(value)
        if variable.fixed:
            self.values[variable.name] = held
            return
        kind = kind_of(variable.type)
        if variable.name not in self.cells:
            cell = f"%v{len(self.cells)}"
            self.entry.append(f"{cell} = alloca {kind}")
            self.cells[variable.name] = cell
        self.lines.append(f"store {kind} {held}, ptr {self.cells[variable.name]}")

    def store(self, address: Expression, index: Expression, value: Expression) -> None:
        kind = item_of(value.type or types.int64)
        held = self.value(value)
        if kind == "i8":
            held = self.add(f"zext i1 {held} to i8")
        place = self.behind(address, index, kind)
        self.lines.append(f"store {kind} {held}, ptr {place}, {_ELEMENT}")

    def loop(self, x: tree.For) -> None:
        """Print a loop with a counter."""
        start, stop, step = self.value(x.start), self.value(x.stop), self.value(x.step)
        down = isinstance(x.step, tree.Constant) and x.step.value < 0
        head, body, following, end = map(self.new_label, ("for", "body", "next", "end"))
        before = self.label
        self.go(head)
        self.begin(head)
        counter, after = self.fresh(), self.fresh()
        self.lines.append(f"{counter} = phi i64 [{start}, %{before}], [{after}, %{following}]")
        test = self.add(f"icmp {'sgt' if down else 'slt'} i64 {counter}, {stop}")
        self.lines.append(f"br i1 {test}, label %{body}, label %{end}")
        self.begin(body)
        self.values[x.variable.name] = counter
        self.loops.append((following, end))
        self.block(x.body)
        self.loops.pop()
        self.go(following)
        self.begin(following)
        self.lines.append(f"{after} = add nsw i64 {counter}, {step}")
        self.go(head)
        self.begin(end)

    def branch(
        self, test: Expression, body: Sequence[Statement], orelse: Sequence[Statement]
    ) -> None:
        yes, no, end = map(self.new_label, ("then", "else", "end"))
        held = self.value(test)
        self.lines.append(f"br i1 {held}, label %{yes}, label %{no if orelse else end}")
        self.begin(yes)
        self.block(body)
        open_end = not self.closed
        self.go(end)
        if orelse:
            self.begin(no)
            self.block(orelse)
            open_end = open_end or not self.closed
            self.go(end)
        if open_end or not orelse:
            self.begin(end)

    # Expressions.
    def value(self, x: Expression) -> str:
        """Print an expression; return its value."""
        return str(self._writers[type(x)](self, x))

    def behind(self, address: Expression, index: Expression, kind: str) -> str:
        held = self.value(address)
        if isinstance(index, tree.Constant) and index.value == 0:
            return held
        return self.add(f"getelementptr inbounds {kind}, ptr {held}, i64 {self.value(index)}")

    def _constant(self, x: tree.Constant) -> str:
        if x.type == types.float64:
            bits = struct.unpack(">Q", struct.pack(">d", float(x.value)))[0]
            return f"0x{bits:016X}"
        if x.type == types.boolean:
            return "true" if x.value else "false"
        return str(int(x.value))

    def _variable(self, x: Variable) -> str:
        if x.name in self.values:
            return self.values[x.name]
        if x.name not in self.cells:
            cell = f"%v{len(self.cells)}"
            self.entry.append(f"{cell} = alloca {kind_of(x.type)}")
            self.cells[x.name] = cell
        return self.add(f"load {kind_of(x.type)}, ptr {self.cells[x.name]}")

    def _table(self, x: tree.ConstantTable) -> str:
        assert isinstance(x.type, types.Pointer)
        kind = item_of(x.type.item)
        constants = (tree.Constant(y, x.type.item) for y in x.values)
        numbers = ", ".join(f"{kind} {self._constant(y)}" for y in constants)
        name = f"@table.{sha256(numbers.encode()).hexdigest()[:12]}"
        array = f"[{len(x.values)} x {kind}] [{numbers}]"
        self.unit.outside[f"{name} = private unnamed_addr constant {array}"] = None
        return name

    def _load(self, x: tree.ArrayElement) -> str:
        kind = item_of(x.type)
        place = self.behind(x.address, x.index, kind)
        held = self.add(f"load {kind}, ptr {place}, {_ELEMENT}")
        return self.add(f"trunc i8 {held} to i1") if kind == "i8" else held

    def _field(self, x: tree.RecordField) -> str:
        place = self.behind(x.record, tree.integer(x.slot), "i64")
        kind = kind_of(x.type)
        if kind == "i1":
            held = self.add(f"load i64, ptr {place}, {_SLOT}")
            return self.add(f"trunc i64 {held} to i1")
        return self.add(f"load {kind}, ptr {place}, {_SLOT}")

    def _behind(self, x: tree.Behind) -> str:
        item = x.type.item if isinstance(x.type, types.Pointer) else types.int64
        kind = "i64" if item.name == "slot" else item_of(item)
        return self.behind(x.address, x.index, kind)

    def _binary(self, x: tree.Binary) -> str:
        a, b = self.value(x.left), self.value(x.right)
        if x.type == types.float64:
            return self.add(f"{_REAL_OPERATORS[x.operator]} double {a}, {b}")
        if x.operator in ("//", "%"):
            return self._floor_division(x.operator, a, b)
        return self.add(f"{_INTEGER_OPERATORS[x.operator]} {kind_of(x.type)} {a}, {b}")

    def _floor_division(self, operator: str, a: str, b: str) -> str:
        """Print a division of integers, rounded down as in Python."""
        rest = self.add(f"srem i64 {a}, {b}")
        other_sign = self.add(f"xor i64 {rest}, {b}")
        negative = self.add(f"icmp slt i64 {other_sign}, 0")
        some = self.add(f"icmp ne i64 {rest}, 0")
        down = self.add(f"and i1 {negative}, {some}")
        if operator == "%":
            more = self.add(f"select i1 {down}, i64 {b}, i64 0")
            return self.add(f"add i64 {rest}, {more}")
        quotient = self.add(f"sdiv i64 {a}, {b}")
        less = self.add(f"sext i1 {down} to i64")
        return self.add(f"add i64 {quotient}, {less}")

    def _compare(self, x: tree.Compare) -> str:
        a, b = self.value(x.left), self.value(x.right)
        if x.left.type == types.float64:
            return self.add(f"fcmp {_REAL_RELATIONS[x.operator]} double {a}, {b}")
        return self.add(f"icmp {_INTEGER_RELATIONS[x.operator]} {kind_of(x.left.type)} {a}, {b}")

    def _logical(self, x: tree.Logical) -> str:
        more, end = self.new_label("more"), self.new_label("end")
        first = self.value(x.left)
        before = self.label
        yes, no = (more, end) if x.operator == "and" else (end, more)
        self.lines.append(f"br i1 {first}, label %{yes}, label %{no}")
        self.begin(more)
        second = self.value(x.right)
        after = self.label
        self.go(end)
        self.begin(end)
        known = "false" if x.operator == "and" else "true"
        return self.add(f"phi i1 [{known}, %{before}], [{second}, %{after}]")

    def _not(self, x: tree.Not) -> str:
        return self.add(f"xor i1 {self.value(x.operand)}, true")

    def _negative(self, x: tree.Negative) -> str:
        held = self.value(x.operand)
        if x.type == types.float64:
            return self.add(f"fneg double {held}")
        return self.add(f"sub i64 0, {held}")

    def _choice(self, x: tree.Choice) -> str:
        test = self.value(x.test)
        if _simple(x.yes) and _simple(x.no):
            kind = kind_of(x.type)
            a, b = self.value(x.yes), self.value(x.no)
            return self.add(f"select i1 {test}, {kind} {a}, {kind} {b}")
        yes, no, end = map(self.new_label, ("yes", "no", "end"))
        self.lines.append(f"br i1 {test}, label %{yes}, label %{no}")
        found = []
        for label, part in ((yes, x.yes), (no, x.no)):
            self.begin(label)
            found.append(f"[{self.value(part)}, %{self.label}]")
            self.go(end)
        self.begin(end)
        return self.add(f"phi {kind_of(x.type)} {', '.join(found)}")

    def _convert(self, x: tree.Convert) -> str:
        held = self.value(x.operand)
        source, target = kind_of(x.operand.type), kind_of(x.type)
        code = {
            ("i32", "i64"): "zext" if x.operand.type == types.uint32 else "sext",
            ("i64", "i32"): "trunc",
            ("i64", "double"): "sitofp",
            ("double", "i64"): "fptosi",
            ("i1", "double"): "uitofp",
            ("i1", "i64"): "zext",
            ("ptr", "i64"): "ptrtoint",
            ("i64", "ptr"): "inttoptr",
        }[source, target]
        return self.add(f"{code} {source} {held} to {target}")

    def _bits(self, x: tree.Bits) -> str:
        held = self.value(x.operand)
        return self.add(f"bitcast {kind_of(x.operand.type)} {held} to {kind_of(x.type)}")

    def _mathematical(self, x: tree.Mathematical) -> str:
        given = [self.value(y) for y in x.arguments]
        if x.name == "abs" and x.type == types.int64:
            symbol = "llvm.abs.i64"
            self.unit.outside[f"declare i64 @{symbol}(i64, i1)"] = None
            return self.add(f"call i64 @{symbol}(i64 {given[0]}, i1 false)")
        name = {"abs": "llvm.fabs.f64"}.get(x.name) or (
            f"llvm.{_INTRINSICS[x.name]}.f64" if x.name in _INTRINSICS else x.name
        )
        kinds = ", ".join(["double"] * len(given))
        self.unit.outside[f"declare double @{name}({kinds})"] = None
        return self.add(f"call double @{name}({', '.join(f'double {y}' for y in given)})")

    def _call(self, x: tree.FunctionCall) -> str:
        symbol = self.unit.symbol_of(x.function)
        given = [f"{kind_of(y.type)} {self.value(y)}" for y in x.arguments]
        if x.function.frame == "caller":
            given.append("ptr %frame")
        return self._called(kind_of(x.type), symbol, given)

    def _call_address(self, x: tree.AddressCall) -> str:
        address = self.add(f"inttoptr i64 {self.value(x.address)} to ptr")
        given = [f"{kind_of(y.type)} {self.value(y)}" for y in x.arguments]
        return self._called(kind_of(x.type), address, given)

    def _called(self, kind: str, callee: str, given: Sequence[str]) -> str:
        code = f"call {kind} {callee}({', '.join(given)})"
        if kind == "void":
            self.lines.append(code)
            return ""
        return self.add(code)

    def _function_address(self, x: tree.FunctionAddress) -> str:
        symbol = self.unit.symbol_of(x.function)
        return self.add(f"ptrtoint ptr {symbol} to i64")

    _writers: ClassVar[dict[type, Any]] = {
        tree.Constant: _constant,
        tree.Variable: _variable,
        tree.ConstantTable: _table,
        tree.ArrayElement: _load,
        tree.RecordField: _field,
        tree.Behind: _behind,
        tree.Binary: _binary,
        tree.Compare: _compare,
        tree.Logical: _logical,
        tree.Not: _not,
        tree.Negative: _negative,
        tree.Choice: _choice,
        tree.Convert: _convert,
        tree.Bits: _bits,
        tree.Mathematical: _mathematical,
        tree.FunctionCall: _call,
        tree.AddressCall: _call_address,
        tree.FunctionAddress: _function_address,
    }


def _simple(x: Expression) -> bool:
    """Return whether an expression costs nothing and may be evaluated in vain."""
    return isinstance(x, tree.Constant | tree.Variable)
