"""Machine code of printed functions against Python, which runs the same text; when it is made."""

import ast
import ctypes
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest
from numpy.typing import NDArray

from mbdgen import build, load
from mbdgen.emit.python_printer import PythonPrinter
from mbdgen.errors import BuildError
from mbdgen.runtime.program import machine_code, object_code
from mbdgen.runtime.program.function_addresses import address_of
from mbdgen.runtime.program.llvm_expressions import KERNEL_KINDS
from tests.unit.compiler.printed import plain_module, random_arguments

ROUND_OFF = 1e-14  # Python's functions are those of C; LLVM may know a constant one more exactly

FUNCTIONS = '''
import math
import numpy as np

SHAPES_PLACES = np.array([[0.25, 1.0], [0.5, -2.0], [0.75, 3.0]])


def add_all(t, q, v, a, lam, w, p, m, out):
    """Add what the element 'e' states: "everything"."""
    for e in range(m[0]):
        j = m[1] + 2*e
        x = q[j]
        y = v[j + 1]
        sum_0 = 0.0
        if x < -1.0 or y >= 40.0:
            continue  # an element that does not act
        for k in range(3):
            xi = SHAPES_PLACES[k, 0]
            weight = SHAPES_PLACES[k, 1]
            sum_0 += xi*weight*x
        acts = (1.0 if x > 0.0 else y)
        if not acts > -3.0:
            continue
        # contributions
        out[m[2] + e] += sum_0/y - p[0]
        out[m[2] + e] -= math.sin(x) + math.cos(x)*math.tan(x) + math.atan2(y, x)
        out[m[2] + e] += math.exp(-x)*math.log(1.5 + y*y) + math.sqrt(abs(x)) + math.pow(y*y, 0.3)
        out[m[2] + e] += math.sinh(x) - math.cosh(x) + math.tanh(y) + math.atan(y)
        out[m[2] + e] += math.asin(0.5*math.sin(x)) + math.acos(0.5*math.cos(y))
        out[m[2] + e] += min(x, y) - 2.0*max(x, y) + float((x > 0.0) - (x < 0.0))
        out[m[2] + e] += (math.sqrt(x) if x > 0.0 else (y if x == y else -y)) + w[2]*2
        passed = (x > 0.5 if y > 0.0 else x < -0.1)  # a condition on a condition, as a number
        out[m[2] + e] += (y if passed else (x if m[0] and not passed else 1.0))


def residual(t, q, v, a, lam, w, p, m, out):
    """Write it all."""
    for i in range(2*m[0]):
        out[i] = 0.0
    add_all(t, q, v, a, lam, w, p, m, out)
    x = t + q[0]
    if not abs(x) > 1e-9:
        return 1
    out[m[0]] = math.nan if x > 100.0 else x
    return 0
'''


def module_of(text: str, folder: Path, name: str = "printed") -> ModuleType:
    path = folder / f"{name}.py"
    path.write_text(text, "utf-8")
    module = ModuleType(name)
    module.__file__ = str(path)
    exec(compile(text, str(path), "exec"), module.__dict__)
    return module


def machine(kernel: object) -> Any:
    """A kernel that takes what Python's function of the same text takes."""
    kinds = (ctypes.c_double, *[ctypes.c_void_p] * (len(KERNEL_KINDS) - 1))
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(address_of(kernel))
    return lambda t, *arrays: function(t, *(x.ctypes.data for x in arrays))


def assert_alike(found: NDArray[np.float64], expected: NDArray[np.float64]) -> None:
    worst = np.abs(found - expected).max(initial=0.0)
    assert worst <= ROUND_OFF * max(1.0, np.abs(expected).max(initial=0.0))


@pytest.mark.parametrize("t", [0.3, 1e3, -0.25])
def test_everything_that_is_printed(t: float, tmp_path: Path) -> None:
    module = module_of(FUNCTIONS, tmp_path)
    kernel = machine_code.compile_functions(vars(module), ("residual",))["residual"]
    q = np.array([0.25, 1.4, -0.7, 2.0, -0.2, 0.9, -1.5, 3.0, 0.6, 1.0])
    v = np.array([0.0, 1.7, 0.0, -2.5, 0.0, 0.9, 0.0, -0.6, 0.0, 50.0])
    given = (q, v, 0 * q, 0 * q, np.array([0.0, 0.0, 0.5]), np.array([0.125]), np.array([5, 0, 0]))
    one, two = [0.0] * 10, np.zeros(10)
    status = module.residual(t, *(x.tolist() for x in given), one)
    assert status == machine(kernel)(t, *given, two) == (1 if t == -0.25 else 0)
    assert np.isnan(one[5]) == np.isnan(two[5]) == (t == 1e3)
    assert_alike(np.nan_to_num(two), np.nan_to_num(np.array(one)))
    assert np.count_nonzero(one[:5]) == 3  # two of them do not act


@pytest.mark.representatives(
    id=[
        "loop-cantilever-arguments1",
        "loop-torque_free_body-arguments2",
        "flat-torque_free_body-arguments2",
    ]
)
@pytest.mark.parametrize(
    ("model", "arguments"),
    [
        ("flexible_pendulum", {"elements": 2}),
        ("cantilever", {"elements": 2, "kind": "omar"}),
        ("torque_free_body", {}),
    ],
)
@pytest.mark.parametrize("layout", ["loop", "flat"])
def test_kernels_of_models(
    model: str, arguments: dict[str, Any], layout: str, tmp_path: Path
) -> None:
    path = build(model, tmp_path, layout=layout, **arguments)
    plain, system = plain_module(path.read_text("utf-8")), load(path)
    given = random_arguments(system)
    sizes = {"matrix": len(system.work.values), "rates": 2 * system.n, "energies": 3}
    sizes |= {"outputs": len(system.names.outputs), "residual": system.n}
    for name, size in sizes.items():
        found, expected = np.ones(size), np.ones(size)
        arrays = (*given[1:], system.work.p, system.work.m)
        assert machine(getattr(system.kernels, name))(given[0], *arrays, found) == 0
        assert getattr(plain, name)(given[0], *arrays, expected) == 0
        assert_alike(found, expected)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of what is compiled from now on, with an empty cache, as if in a new process."""
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path / "cache"))
    names: list[str] = []
    original = machine_code._parsed

    def counting(name: str, code: str) -> ast.FunctionDef:
        names.append(name)
        return original(name, code)

    monkeypatch.setattr(machine_code, "_parsed", counting)
    return names


@pytest.mark.slow
def test_meshes_share_their_machine_code(made: list[str]) -> None:
    load("flexible_pendulum", elements=4, layout="loop")
    made.clear()
    load("flexible_pendulum", elements=6, layout="loop")
    assert made == []


def test_other_tables_are_other_code(made: list[str], tmp_path: Path) -> None:
    for place in ("0.25", "0.375"):
        made.clear()
        module = module_of(FUNCTIONS.replace("[[0.25, 1.0]", f"[[{place}, 1.0]"), tmp_path)
        machine_code.compile_functions(vars(module), ("residual",))
    assert made == ["add_all", "residual"]


def test_damaged_code_is_made_again(made: list[str], tmp_path: Path) -> None:
    """Half a file would end the process."""
    module = module_of(FUNCTIONS.replace("1.5 +", "1.75 +"), tmp_path)
    machine_code.compile_functions(vars(module), ("residual",))
    assert made == ["add_all", "residual"]
    files = sorted((tmp_path / "cache" / "machine").iterdir())
    assert len(files) == 2
    for file, left in zip(files, (0, 100), strict=True):
        file.write_bytes(file.read_bytes()[:left])
        assert object_code._read(file.stem) is None


@pytest.mark.parametrize(
    "line", ["x = q[0]**2.0", "while x: x = 0.0", "x = y", "x = open(q)", "x = q[0] if q else 1.0"]
)
def test_what_nobody_prints(line: str, tmp_path: Path) -> None:
    text = f"def residual(t, q, v, a, lam, w, p, m, out):\n    {line}\n    return 0\n"
    with pytest.raises(BuildError, match="kernel 'residual'"):
        machine_code.compile_functions(vars(module_of(text, tmp_path)), ("residual",))


def test_a_kernel_that_does_not_end_with_its_status(tmp_path: Path) -> None:
    head = "def residual(t, q, v, a, lam, w, p, m, out):\n"
    text = f"{head}    if q[0] > 0.0:\n        return 1\n    out[0] = 1.0\n"
    with pytest.raises(BuildError, match="'residual' returns a number, but not at its end"):
        machine_code.compile_functions(vars(module_of(text, tmp_path)), ("residual",))


def test_the_word_return_in_a_name_returns_nothing(tmp_path: Path) -> None:
    """A body may be called `return_spring`: its function has no status."""
    text = FUNCTIONS.replace("sum_0", "return_sum").replace("1.5 +", "2.5 +")
    callees: dict[str, str] = {}
    original = machine_code.llvm_module

    def listening(function: Any, symbol: str, called: Any, numbers: Any) -> str:
        callees.update({name: callee.result for name, callee in called.items()})
        return original(function, symbol, called, numbers)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MBDGEN_CACHE", str(tmp_path / "cache"))
        patch.setattr(machine_code, "llvm_module", listening)
        machine_code.compile_functions(vars(module_of(text, tmp_path)), ("residual",))
    assert callees == {"add_all": "void"}


def test_namesakes_in_a_module_are_refused(tmp_path: Path) -> None:
    text = f"{FUNCTIONS}{FUNCTIONS[FUNCTIONS.index('def residual') :]}"
    with pytest.raises(BuildError, match="defines the function 'residual' twice"):
        machine_code.compile_functions(vars(module_of(text, tmp_path)), ("residual",))


def test_namesakes_in_a_process_keep_their_own_code(tmp_path: Path) -> None:
    """Two models of one name and the same functions by name, with other contents."""
    given = [np.array([0.25] * 10), *[np.ones(10)] * 4, np.array([0.125]), np.array([0, 0, 0])]
    kernels = []
    for k, factor in enumerate(("1.0", "3.0")):
        folder = tmp_path / str(k)
        folder.mkdir()
        module = module_of(FUNCTIONS.replace("x = t + q[0]", f"x = {factor}*q[0]"), folder)
        kernels.append(machine_code.compile_functions(vars(module), ("residual",))["residual"])
    for kernel, expected in [*zip(kernels, (0.25, 0.75), strict=True), (kernels[0], 0.25)]:
        out = np.zeros(10)
        assert machine(kernel)(0.5, *given, out) == 0 and out[0] == expected


class OtherLLVM:
    """llvmlite with another function."""

    def __init__(self, what: str, error: Exception) -> None:
        self._what, self._error = what, error

    def __getattr__(self, name: str) -> Any:
        if name == self._what:
            raise self._error
        return getattr(llvm, name)


@pytest.mark.parametrize(
    ("what", "error"),
    [
        ("create_pass_builder", AttributeError("no attribute 'create_pass_builder'")),
        ("create_pipeline_tuning_options", TypeError("unexpected keyword 'speed_level'")),
    ],
)
def test_another_llvm_is_slower(
    what: str,
    error: Exception,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(object_code, "llvm", OtherLLVM(what, error))
    object_code._warn_of_slow_code.cache_clear()
    for factor in (f"1.{len(what)} +", f"2.{len(what)} +"):
        module = module_of(FUNCTIONS.replace("1.5 +", factor), tmp_path)
        kernel = machine_code.compile_functions(vars(module), ("residual",))["residual"]
    given = [np.array([0.25] * 10), *[np.ones(10)] * 4, np.array([0.125]), np.array([0, 0, 0])]
    assert machine(kernel)(0.5, *given, np.zeros(10)) == 0
    assert [r.levelname for r in caplog.records] == ["WARNING"]
    assert str(error) in caplog.text and "0.50" in caplog.text


def test_an_llvm_that_reads_nothing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path / "cache"))
    error = RuntimeError("LLVM IR parsing error")
    monkeypatch.setattr(object_code, "llvm", OtherLLVM("parse_assembly", error))
    module = module_of(FUNCTIONS.replace("1.5 +", "1.03125 +"), tmp_path)
    with pytest.raises(BuildError, match=r"llvmlite .* cannot compile"):
        machine_code.compile_functions(vars(module), ("residual",))


def test_every_function_that_is_printed_is_known(tmp_path: Path) -> None:
    """Printer and compiler list functions apart: they must not drift."""
    two = {"atan2", "pow", "min", "max"}
    lines = [
        f"    out[{k}] = {word}({'0.5, 0.25' if name in two else '0.5'})\n"
        for k, (name, word) in enumerate(PythonPrinter.functions.items())
    ]
    head = "import math\n\n\ndef residual(t, q, v, a, lam, w, p, m, out):\n"
    text = f"{head}{''.join(lines)}    return 0\n"
    module = module_of(text, tmp_path)
    kernel = machine_code.compile_functions(vars(module), ("residual",))["residual"]
    one, found = [0.0] * len(lines), np.zeros(len(lines))
    given = [np.zeros(1)] * 7
    assert module.residual(0.0, *given, one) == machine(kernel)(0.0, *given, found) == 0
    assert_alike(found, np.array(one, float))
