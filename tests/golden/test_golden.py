"""The committed modules in `generated/` are what the compiler writes today, byte for byte.

After a deliberate change of the generated code: ``pytest tests/golden --update-golden``, then read
the difference with ``git diff generated`` before committing it. ``mbdgen build NAME`` in the
project's root writes the same files.
"""

from pathlib import Path

import pytest
import sympy

from mbdgen.language.read import read
from tests.unit.compiler.printed import assert_same_numbers, plain_module, text_of

FOLDER = Path(__file__).parents[2] / "generated"
VERSION = Path(__file__).with_name("sympy_version.txt")
OPTIONS = {
    "pendulum": {},
    "n_four_bar": {},
    "bricard": {"layout": "loop"},
    "slider_crank": {},
}
each = pytest.mark.parametrize("name", OPTIONS)


def written_now(name: str) -> str:
    return text_of(read(name), **OPTIONS[name])


def minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


@each
def test_text(name: str, request: pytest.FixtureRequest) -> None:
    path = FOLDER / f"{name}.py"
    text = written_now(name)
    if request.config.getoption("--update-golden"):
        path.write_text(text, "utf-8")
        VERSION.write_text(minor(sympy.__version__) + "\n", "utf-8")
    recorded = VERSION.read_text("utf-8").strip()
    if minor(sympy.__version__) != recorded:
        pytest.skip(f"texts are those of SymPy {recorded}, this is {sympy.__version__}")
    assert path.read_bytes() == text.encode(), f"run: pytest tests/golden --update-golden, {name}"


@each
def test_numbers(name: str) -> None:
    """Whatever the version of SymPy, the committed module computes the same."""
    golden = plain_module((FOLDER / f"{name}.py").read_text("utf-8"))
    assert_same_numbers(golden, plain_module(written_now(name)), 1e-12)


def test_all_golden_modules_are_committed() -> None:
    lines = (FOLDER.parent / ".gitignore").read_text("utf-8").split("\n")
    for name in OPTIONS:
        assert f"!/generated/{name}.py" in lines
