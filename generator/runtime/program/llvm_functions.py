"""Translation of printed functions to LLVM IR: a small subset of Python.

Numbers, array elements, sums, products, functions, conditionals, loops over elements and calls of
other printed functions. Numba supports all of Python; its analysis takes ten times as long as LLVM
then takes to generate machine code.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mbdgen.errors import BuildError
from mbdgen.runtime.program.llvm_expressions import (
    INT,
    PARAMETERS,
    REAL,
    Callee,
    Expressions,
    Value,
)


def llvm_module(
    function: ast.FunctionDef,
    symbol: str,
    callees: Mapping[str, Callee],
    constants: Mapping[str, Any],
) -> str:
    """Return an LLVM module with one function.

    Parameters
    ----------
    function : FunctionDef
        The printed function.
    symbol : str
        Symbol of the compiled function.
    callees : mapping
        Functions that it may call.
    constants : mapping
        Numbers and tables of the module by name.
    """
    return _Statements(function, callees, constants).module(symbol)


class _Statements(Expressions):
    """Translator of one function, statement by statement."""

    def __init__(
        self, function: ast.FunctionDef, callees: Mapping[str, Callee], constants: Mapping[str, Any]
    ) -> None:
        super().__init__(function, callees, constants)
        self.again: list[str] = []  # target of `continue` in every enclosing loop
        self.changing = _changing(function)
        returns = any(isinstance(x, ast.Return) for x in _statements_of(function.body))
        self.result = INT if returns else "void"

    def module(self, symbol: str) -> str:
        for statement in self.function.body:
            self.statement(statement)
        if self.result == "void":
            self.lines.append("ret void")
        elif not isinstance(self.function.body[-1], ast.Return):
            raise BuildError(
                f"The kernel '{self.function.name}' returns a number, but not at its end.",
                "Build the module again; every kernel ends with 'return 0'.",
            )
        head = f"define {self.result} @{symbol}({PARAMETERS}) {{"
        return "\n".join([*self.outside, head, "entry:", *self.entry, *self.lines, "}", ""])

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            self.store(node.targets[0], self.value(node.value))
        elif isinstance(node, ast.AugAssign):
            self.increase(node)
        elif isinstance(node, ast.For):
            self.loop(node)
        elif isinstance(node, ast.If) and not node.orelse:
            self.branch(node)
        elif isinstance(node, ast.Return) and node.value is not None:
            self.lines.append(f"ret i64 {self.value(node.value).text}")
        elif isinstance(node, ast.Continue):
            self.lines.append(f"br label {self.again[-1]}")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self.call(node.value)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            self.refuse(node)

    def increase(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Subscript):
            pointer, change = self.element_pointer(node.target), self.value(node.value)
            old = self.add(f"load {pointer.kind}, ptr {pointer.text}", pointer.kind)
            self.keep(pointer, self.operation(node.op, old, change, node))
        else:
            old, change = self.value(node.target), self.value(node.value)
            self.store(node.target, self.operation(node.op, old, change, node))

    def keep(self, pointer: Value, value: Value) -> None:
        """Emit a store of a value to memory."""
        if pointer.kind == REAL:
            value = self.real(value)
        self.lines.append(f"store {value.kind} {value.text}, ptr {pointer.text}")

    def store(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Subscript):
            self.keep(self.element_pointer(target), value)
        elif not isinstance(target, ast.Name):
            self.refuse(target)
        elif target.id not in self.changing:
            self.named[target.id] = value
        else:
            if target.id not in self.cells:
                cell = self.fresh()
                self.entry.append(f"{cell} = alloca {value.kind}")
                self.cells[target.id] = Value(cell, value.kind)
            self.keep(self.cells[target.id], value)

    def loop(self, node: ast.For) -> None:
        call, target = node.iter, node.target
        if not (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "range"
            and len(call.args) == 1
            and isinstance(target, ast.Name)
        ):
            self.refuse(node)
        last = self.value(call.args[0])
        before = self.label
        head, body, following, end = (self.fresh() for _ in range(4))
        self.lines.append(f"br label {head}")
        self.begin(head)
        index, more, after = self.fresh(), self.fresh(), self.fresh()
        self.lines.append(f"{index} = phi i64 [0, %{before}], [{after}, {following}]")
        self.lines.append(f"{more} = icmp slt i64 {index}, {last.text}")
        self.lines.append(f"br i1 {more}, label {body}, label {end}")
        self.begin(body)
        self.named[target.id] = Value(index, INT)
        self.again.append(following)
        for statement in node.body:
            self.statement(statement)
        self.again.pop()
        self.lines.append(f"br label {following}")
        self.begin(following)
        self.lines.append(f"{after} = add i64 {index}, 1")
        self.lines.append(f"br label {head}")
        self.begin(end)

    def branch(self, node: ast.If) -> None:
        """Emit a conditional exit from the loop or the function; its block ends there."""
        if not isinstance(node.body[-1], ast.Continue | ast.Return):
            self.refuse(node)
        yes, no = self.fresh(), self.fresh()
        test = self.truth(self.value(node.test))
        self.lines.append(f"br i1 {test.text}, label {yes}, label {no}")
        self.begin(yes)
        for statement in node.body:
            self.statement(statement)
        self.begin(no)


def _statements_of(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements and nested ones; not expressions, which are many more."""
    for node in body:
        yield node
        if isinstance(node, ast.For | ast.If):
            yield from _statements_of(node.body)


def _changing(function: ast.FunctionDef) -> frozenset[str]:
    """Return the names that are assigned more than once."""
    once: set[str] = set()
    more: set[str] = set()
    for node in _statements_of(function.body):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            (more if name in once else once).add(name)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            more.add(node.target.id)
    return frozenset(more)
