"""Building: options and folders; nothing half-written stays behind."""

from pathlib import Path

import pytest
import sympy

from mbdgen import Model, build, compiler, load
from mbdgen.emit import module_files
from mbdgen.emit.table_literals import PrintedTables
from mbdgen.errors import BuildError, OptionError
from mbdgen.runtime.program.c_compiler import make_library
from tests.unit.errors.refused import is_empty, refused


@pytest.mark.parametrize("wrong", ["nothing", 5, None, ["numba"]])
@pytest.mark.parametrize("option", ["backend", "layout", "engine"])
def test_options(option: str, wrong: object, tmp_path: Path) -> None:
    with refused(option, kind=OptionError):
        build("pendulum", tmp_path, **{option: wrong})  # type: ignore[arg-type]
    assert is_empty(tmp_path)


@pytest.mark.parametrize("freeze", [["Q"], "L", 5, [5], None])
def test_parameters_to_freeze(freeze: object, tmp_path: Path) -> None:
    with refused(kind=OptionError):
        build("pendulum", tmp_path, freeze=freeze)  # type: ignore[arg-type]
    assert is_empty(tmp_path)


def test_all_parameters_can_be_frozen(tmp_path: Path) -> None:
    text = build("pendulum", tmp_path, freeze=["L", "m"]).read_text()
    assert "PARAMETERS = {\n}" in text


@pytest.mark.parametrize("out", [5, None, "a\0b", b"x"])
def test_folders_that_are_no_paths(out: object) -> None:
    with refused("not a folder", kind=OptionError):
        build("pendulum", out)  # type: ignore[arg-type]


def test_folders_that_cannot_be_made(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    for out in (file, file / "below"):
        with refused(str(out), kind=OptionError):
            build("pendulum", out)
    with refused("/proc/nothing", kind=OptionError):
        build("pendulum", "/proc/nothing")


def test_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MBDGEN_CACHE", "/proc/nothing")
    model = Model("uncached")
    model.point_mass("ball", 1.0)
    with refused("/proc/nothing", kind=OptionError):
        load(model)
    with pytest.raises(OptionError, match="Let MBDGEN_CACHE name another folder"):
        load(model)


def test_a_compiler_that_fails_silently(tmp_path: Path) -> None:
    with pytest.raises(BuildError) as caught:
        make_library(["false"], tmp_path / "a.c", tmp_path / "a.so", 0)
    assert caught.value.cause.endswith("(exit code 1).") and caught.value.remedy


@pytest.mark.parametrize(
    ("name", "value"), [("reduced", True), ("layout", "flat"), ("freeze", ["L"])]
)
def test_generated_modules_take_no_options(name: str, value: object, tmp_path: Path) -> None:
    path = build("pendulum", tmp_path)
    with refused("is a generated module", name, kind=OptionError):
        load(path, **{name: value})  # type: ignore[arg-type]


def test_a_failed_derivation_leaves_nothing(tmp_path: Path) -> None:
    model = Model("strange")
    ball = model.point_mass("ball", 1.0)
    model.force("push", ball, force=(sympy.gamma(ball.at().x), 0, 0))
    with refused("force 'push'", "gamma", kind=BuildError):
        build(model, tmp_path / "out")
    assert is_empty(tmp_path / "out")


def test_a_failed_write_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = build("pendulum", tmp_path)
    before = path.read_text()

    def full(file: object, **arrays: object) -> None:
        raise OSError(28, "No space left on device")

    tables = PrintedTables((), {"p": [1.0]})
    monkeypatch.setattr(compiler, "literal", lambda system, limit: tables)
    monkeypatch.setattr(module_files.np, "savez", full)
    with refused("pendulum", "No space left", kind=OptionError):
        build("pendulum", tmp_path, L=2.0)
    assert [p.name for p in tmp_path.iterdir()] == ["pendulum.py"]
    assert path.read_text() == before
