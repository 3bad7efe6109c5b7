"""Methods of a model as tools see them: signatures, documentation, completion, type checkers."""

import importlib
import importlib.util
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from mbdgen import Model, simulate
from mbdgen.errors import MbdgenError, ModelError
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.joints.revolute import Revolute
from mbdgen.language.method_signatures import documentation_of, settable
from mbdgen.language.methods.base import method_of
from mbdgen.language.methods.body_methods import BodyMethods
from mbdgen.language.registry import elements
from mbdgen.runtime import formulations, integrators
from mbdgen.runtime.methods.option_keywords import MethodOptions

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "tests" / "typing"
WRONG = (SCRIPTS / "wrong.py").read_text(encoding="utf-8").splitlines()
MISSPELT = [
    (line, word)
    for line, text in enumerate(WRONG, 1)
    for word in ("positon", "axs", "revolut", "metod")
    if re.search(rf"\b{word}\b", text)
]
"""Lines of ``wrong.py``, and the words there that do not exist."""
BODIES = [name for name in vars(BodyMethods) if not name.startswith("_")]
DOCUMENTED = sorted([*elements(), *BODIES])
FORMULA = re.compile(r"\.\. math::\s+\S")


def loaded(path: Path) -> ModuleType:
    """Import a file that is in no package."""
    spec = importlib.util.spec_from_file_location(f"loaded_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


# Each is what its class or function states.


def test_generated_files_are_current() -> None:
    """``python tasks.py methods`` would write the same."""
    for path, text in loaded(ROOT / ".ci" / "methods.py").files().items():
        assert path.read_text(encoding="utf-8") == text, path


@pytest.mark.parametrize("name", sorted(elements()))
def test_signatures_are_those_of_the_classes(name: str) -> None:
    """What is generated is a real method, with the ends, the fields and their defaults."""
    element = elements()[name]
    method = vars(Model.__mro__[1]).get(name) or getattr(Model, name)
    parameters = inspect.signature(method).parameters
    assert [*parameters][: 2 + len(element.ends)] == ["self", "name", *element.ends]
    for field in settable(element):
        given, default = parameters[field.name].default, field.default
        plain = isinstance(default, str | bool | int | float | tuple) or default is None
        required = given is inspect.Parameter.empty
        assert given == default if plain else required or given is None
        assert parameters[field.name].kind is inspect.Parameter.KEYWORD_ONLY
    assert inspect.getdoc(method) == documentation_of(element)


def test_keywords_are_the_options_of_all_methods() -> None:
    methods = map(integrators.method, integrators.known())
    others = map(formulations.formulation, formulations.known())
    stated = {option.name for owner in (*methods, *others) for option in owner.options}
    assert {*MethodOptions.__annotations__} == stated | {"preset"}


# ``help`` and completion.


@pytest.mark.parametrize("name", DOCUMENTED)
def test_help_says_everything(name: str) -> None:
    """Every parameter has its type and what it means; what states an equation shows it."""
    method = getattr(Model("m"), name)
    doc = inspect.getdoc(method) or ""
    for section in ("Parameters\n----------\n", "Returns\n-------\n"):
        assert section in doc
    listed = doc.partition("Parameters\n")[2].partition("\n\nReturns")[0]
    entries = re.split(r"\n(?=\S)", listed)[1:]
    said = {
        key: text for entry in entries for key in entry.partition(" : ")[0].split(", ")
        for text in [entry.partition("\n")[2]]
    }  # fmt: skip
    for key, parameter in inspect.signature(method).parameters.items():
        assert said.get(key, "").strip(), f"{name} does not say what {key} is"
        assert parameter.annotation is not inspect.Parameter.empty
    if name in elements() or name == "contacts":
        assert FORMULA.search(doc), f"{name} shows no equation"


def test_help_in_a_plain_python() -> None:
    code = "import mbdgen; help(mbdgen.Model('m').revolute)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "revolute(name: 'str', a: 'End', b: 'End', *, at: 'VectorLike | None'" in done.stdout
    assert r".. math:: r_b - r_a = 0, \qquad a_3 \cdot b_1 = 0" in done.stdout


def test_completion_knows_methods_and_measures() -> None:
    model = Model("m")
    assert {*elements(), *BODIES, "output", "parameter"} <= {*dir(model)}
    body = model.body("body", 1.0, (1, 1, 1))
    pin = model.revolute("pin", model.ground, body, at=(0, 0, 0), axis=(0, 0, 1))
    assert {"angle", "rate", "force", "torque", "load"} <= {*dir(pin)}
    assert {"at", "draw", "angle"} <= {*dir(body)}
    spring = model.spring("spring", model.ground, body.at(1, 0, 0))
    assert "tension" in dir(spring) and "load" not in dir(spring)


# Classes of users.


@dataclass(frozen=True)
class Halfway(Joint):
    """Twice the angle.

    .. math:: 2 x = h

    Attributes
    ----------
    height : scalar
        Place h.
    """

    name = "halfway"
    axis = True

    height: Any = 1.0

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        return [2 * a.e3.dot(b.r - a.r) - self.height]


def test_a_class_without_a_generated_method_is_documented_too() -> None:
    model = Model("m")
    method = method_of(model, Halfway)
    assert str(inspect.signature(method)).startswith("(name: 'str', a: 'End', b: 'End', *, at:")
    assert "height : scalar, default 1.0\n    Place h." in (inspect.getdoc(method) or "")
    body = model.body("body", 1.0, (1, 1, 1))
    method("it", model.ground, body, at=(0, 0, 0), axis=(0, 0, 1), height=0.5)
    assert model.attached["it"].element == Halfway(0.5)


def test_an_object_has_its_fields_already() -> None:
    model = Model("m")
    body = model.body("body", 1.0, (1, 1, 1))
    model.add("it", Halfway(height=0.5), model.ground, body, at=(0, 0, 0), axis=(0, 0, 1))
    model.add("same", Halfway, model.ground, body, at=(0, 0, 0), axis=(0, 0, 1), height=0.5)
    assert model.attached["it"].element == model.attached["same"].element == Halfway(0.5)
    turned = model.add("pin", Revolute(turns=2), model.ground, body, at=(0, 0, 0), axis=(0, 0, 1))
    assert turned.element.turns == 2
    with pytest.raises(ModelError, match="height of halfway 'bad'"):
        model.add("bad", Halfway("high"), model.ground, body, at=(0, 0, 0), axis=(0, 0, 1))
    with pytest.raises(ModelError, match="'twice' is given height beside"):
        model.add("twice", Halfway(0.5), model.ground, body, height=1.0)  # type: ignore[call-overload]


# Type checkers, and the same mistakes at run time.


def test_what_is_right_runs() -> None:
    right = loaded(SCRIPTS / "right.py")
    assert len(right.m.bodies) > 7 and {"pin", "above", "touch"} <= {*right.m.attached}


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        (lambda m: m.body("b", 1.0, positon=(0, 0, 0)), "Did you mean 'position'"),
        (lambda m: m.revolute("pin", m.ground, m.ground, axs=(0, 0, 1)), "Did you mean 'axis'"),
        (lambda m: m.revolut("pin"), "Did you mean .*'revolute'"),
        (lambda m: simulate("pendulum", (0, 1), metod="rk4"), "Did you mean 'method'"),
    ],
)
def test_what_is_wrong_is_told_when_it_runs(mistake: Callable[[Any], Any], told: str) -> None:
    with pytest.raises(MbdgenError, match=told):
        mistake(Model("m"))


def shape(folder: Path) -> Path:
    """Return a folder with the package as an installation has it."""
    loaded(ROOT / ".ci" / "check.py").installed_shape(folder)
    return folder


@pytest.mark.slow
def test_mypy_finds_four_mistakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mypy")
    monkeypatch.setenv("MYPYPATH", str(shape(tmp_path)))
    command = [sys.executable, "-m", "mypy", *map(str, SCRIPTS.glob("*.py"))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert len(lines) == len(MISSPELT) == 4, done.stdout + done.stderr
    for line, (number, word) in zip(lines, MISSPELT, strict=True):
        assert f"wrong.py:{number}: error: " in line and f'"{word}"' in line


@pytest.mark.slow
def test_pyright_finds_four_mistakes(tmp_path: Path) -> None:
    pytest.importorskip("pyright")
    folder = shape(tmp_path)
    for script in SCRIPTS.glob("*.py"):
        (folder / script.name).write_text(script.read_text("utf-8"), encoding="utf-8")
    (folder / "pyrightconfig.json").write_text('{"include": ["right.py", "wrong.py"]}')
    command = [sys.executable, "-m", "pyright", "--project", str(folder), "--outputjson"]
    done = subprocess.run(
        [*command, "--pythonpath", sys.executable], capture_output=True, text=True
    )
    if not done.stdout.startswith("{"):
        pytest.skip(f"pyright cannot be run: {done.stderr[-200:]}")
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == 2
    mistakes = [x for x in found["generalDiagnostics"] if x["severity"] == "error"]
    told = [(Path(x["file"]).name, x["range"]["start"]["line"] + 1) for x in mistakes]
    assert told == [("wrong.py", line) for line, _ in MISSPELT], done.stdout
    for mistake, (_, word) in zip(mistakes, MISSPELT, strict=True):
        assert f'"{word}"' in mistake["message"]


def test_importing_the_package_loads_no_model_language() -> None:
    """Generated methods cost nothing before a model is made."""
    code = "import sys, mbdgen; print([n for n in sys.modules if n.startswith('mbdgen.language')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
