"""Printed code: short lines, unique names that shadow nothing, nothing undefined, same value."""

import ast
import builtins
import math
from typing import Any

import pytest
import sympy

from mbdgen import Model
from mbdgen.emit.python_printer import PythonPrinter
from mbdgen.emit.schedule import RESERVED, schedule
from mbdgen.joints.base import Joint
from mbdgen.symbolic.derive.sympy_conversion import Converter
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from tests.unit.compiler.printed import assert_same_numbers, plain_module, text_of
from tests.unit.compiler.samples import SAMPLES

x, y = sympy.symbols("x y", real=True)
EXPRESSIONS = (
    x - (y - 3),
    x - (y + 3) - (x - y),
    x / (y / x) / (x * y),
    -(x + y) * -(x - y) / -y,
    -(x**2) - (-y) ** 3,
    2 - -y * 3,
    -2 * (x + 1) ** -2,
    sympy.sqrt(x**2 + 1) * sympy.sin(-x) - 1e-7,
    sympy.Piecewise((x + 1, x - y < 2), (-y, True)) * -x,
    sympy.Min(x, -y) - sympy.Max(x + y, -2),
    sympy.sign(x - 2) * sympy.Abs(-y),
    sympy.atan2(x + y, x - y) ** 2,
)


def run(expr: Any, **inputs: float) -> float:
    builder = GraphBuilder()
    root = Converter(builder).node(expr)
    code = schedule(builder.finish(), [root], PythonPrinter())
    known: dict[str, Any] = {"math": math, **inputs}
    for name, text in code.assignments:
        known[name] = eval(text, known)
    return float(eval(code.results[0], known))


@pytest.mark.parametrize("expr", EXPRESSIONS, ids=str)
def test_brackets_keep_the_value_bit_for_bit(expr: Any) -> None:
    builder = GraphBuilder()
    root = Converter(builder).node(expr)
    for at in ({"x": 0.8, "y": 0.3}, {"x": -0.8, "y": 2.3}, {"x": 3.3, "y": -1.7}):
        assert run(expr, **at) == evaluate(builder.finish(), [root], at)[0]


def test_shared_results_are_computed_once() -> None:
    builder = GraphBuilder()
    converter = Converter(builder)
    roots = [converter.node(sympy.sin(x + y) ** 2), converter.node(sympy.sin(x + y) * 3)]
    code = schedule(builder.finish(), roots, PythonPrinter())
    assert sum("sin" in text for _, text in code.assignments) == 1
    assert not any("sin" in text for text in code.results)
    assert code.operations == 4


@pytest.mark.parametrize("label", ["out", "m", "lambda", "two words", "x", "abs", "s" * 40])
def test_label_that_is_no_usable_name(label: str) -> None:
    builder = GraphBuilder()
    x_node, y_node = builder.input("x"), builder.input("y")
    s = builder.add(x_node, y_node)
    builder.label(s, label)
    square = builder.mul(s, s)
    code = schedule(builder.finish(), [square], PythonPrinter())
    ((name, _),) = code.assignments
    assert name.isidentifier()
    assert name != label
    assert name not in RESERVED


def test_good_label_is_used() -> None:
    builder = GraphBuilder()
    s = builder.add(builder.input("x"), builder.input("y"))
    builder.label(s, "R_a_1_x")
    square = builder.mul(s, s)
    code = schedule(builder.finish(), [square], PythonPrinter())
    assert code.assignments == (("R_a_1_x", "x + y"),)


# --- whole modules --------------------------------------------------------------------------------


LOOPS = [str(("pendulum", "flat")), *(str((name, "loop")) for name in SAMPLES)]


@pytest.fixture(scope="module", params=[(n, k) for n in SAMPLES for k in ("flat", "loop")], ids=str)
def text(request: pytest.FixtureRequest) -> str:
    name, layout = request.param
    return text_of(SAMPLES[name](), layout=layout)


@pytest.mark.representatives(
    id=[
        "('pendulum', 'flat')",
        "('pendulum', 'loop')",
        "('n_four_bar', 'loop')",
        "('bricard', 'loop')",
    ]
)
def test_lines_are_short(text: str) -> None:
    long = [line for line in text.split("\n") if len(line) > 100]
    assert not long, long[:3]
    assert not [line for line in text.split("\n") if line != line.rstrip()]
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@pytest.mark.representatives(
    id=[
        "('pendulum', 'flat')",
        "('pendulum', 'loop')",
        "('n_four_bar', 'loop')",
        "('bricard', 'loop')",
    ]
)
def test_names_are_assigned_once_and_before_their_use(text: str) -> None:
    tree = ast.parse(text)
    known = set(dir(builtins)) | {"__name__", "__file__"}
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            known |= {a.asname or a.name for a in node.names}
        if isinstance(node, ast.FunctionDef):
            known.add(node.name)
        if isinstance(node, ast.Assign):
            known |= {t.id for t in node.targets if isinstance(t, ast.Name)}
    for function in (n for n in tree.body if isinstance(n, ast.FunctionDef)):
        parameters = {a.arg for a in function.args.args}
        check_names(function.body, {*known, *parameters, "options"}, parameters, function.name)


def check_names(body: list[Any], known: set[str], own: set[str], where: str) -> None:
    """Walk statements in order."""
    for statement in body:
        if isinstance(statement, ast.For):
            own.add(statement.target.id)
            check_names(statement.body, known | own, own, where)
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                assert node.id in known | own, f"{where}: {node.id} is not defined"
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                assert node.id not in own, f"{where}: {node.id} is assigned twice"
                assert node.id not in dir(builtins), f"{where}: {node.id} hides a function"
                own.add(node.id)


class Sneaky(Joint):
    """A joint whose author names results like the variables of the kernels."""

    name = "sneaky"

    def equations(self, a: Any, b: Any) -> list[Any]:
        d = b.r - a.r
        found = [a.tape.name(n, e) for n, e in zip(("out", "m", "row"), d, strict=True)]
        extra = a.tape.name("q", found[0] * found[1])
        last = a.tape.name("s", extra * found[2])
        return [found[0] + extra**2, found[1] + last, found[2] * extra]


class Plain(Joint):
    """The same with names that nobody uses."""

    name = "sneaky"

    def equations(self, a: Any, b: Any) -> list[Any]:
        d = b.r - a.r
        found = [a.tape.name(n, e) for n, e in zip(("one", "two", "three"), d, strict=True)]
        extra = a.tape.name("four", found[0] * found[1])
        last = a.tape.name("five", extra * found[2])
        return [found[0] + extra**2, found[1] + last, found[2] * extra]


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["flat", "loop"])
def test_names_of_a_joint_cannot_break_the_code(layout: str) -> None:
    def model(joint: type[Joint]) -> Model:
        m = Model("sneaky")
        one = m.body("one", 1, (1, 1, 1))
        two = m.body("two", 1, (1, 1, 1), position=(1, 0, 0))
        m.add("link", joint, one.at(0.1, 0.2, 0.3), two.at(0, 0.4, 0))
        m.add("other", joint, one.at(0.1, 0.2, 0.3), two.at(0, 0.4, 0))
        return m

    modules = [plain_module(text_of(model(j), layout=layout)) for j in (Sneaky, Plain)]
    assert_same_numbers(*modules, 1e-15)


@pytest.mark.representatives(id="np")
@pytest.mark.parametrize("name", ["np", "values", "x1", "x4", "out", "p", "e", "system"])
def test_parameter_with_an_awkward_name(name: str) -> None:
    def model(parameter: str) -> Model:
        m = Model("awkward")
        symbol = m.parameter(parameter, 1.7)
        x = symbol**2 + sympy.sin(symbol)
        m.body("rod", symbol, (1, 1, sympy.sqrt(symbol)), position=(x, 0, 0))
        m.force("push", m.bodies["rod"], force=(symbol * m.t, 0, symbol))
        return m

    for layout in ("flat", "loop"):
        modules = [plain_module(text_of(model(n), layout=layout)) for n in (name, "plain")]
        for module, n in zip(modules, (name, "plain"), strict=True):
            module.system.set(**{n: 2.3})
        assert_same_numbers(*modules, 1e-15)
