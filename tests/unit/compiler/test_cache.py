"""The cache: damaged, unwritable, interrupted, outdated, and used by two processes at once."""

import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sympy

from mbdgen import Model, build, cache, compiler
from mbdgen.build_options import BuildOptions
from mbdgen.digests import module_digest, type_digest
from mbdgen.emit.module_files import is_whole
from mbdgen.errors import BuildError, MbdgenError
from mbdgen.joints.base import Joint
from mbdgen.language.read import read
from mbdgen.symbolic.derive import derivation as derivation
from mbdgen.topology.specify import specify

MODEL = """
from mbdgen import Model
def model(mass=1.0):
    m = Model("swing")
    rod = m.body("rod", mass, (1, 1, 1), position=(1, 0, 0))
    m.revolute("pin", m.ground, rod, at=(0, 0, 0), axis=(0, 1, 0))
    return m
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for each test."""
    home = tmp_path / "cache"
    monkeypatch.setenv("MBDGEN_CACHE", str(home))
    return home


@pytest.fixture
def derivations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Titles of what is derived from now on, all of it in this process."""
    monkeypatch.setenv("MBDGEN_THREADS", "1")
    found: list[str] = []
    original = derivation.derive

    def counting(spec: Any, engine: Any, second: bool) -> Any:
        found.append(spec.title)
        return original(spec, engine, second)

    monkeypatch.setattr(derivation, "derive", counting)
    return found


def swing(mass: float = 1.0, arm: float = 1.0) -> Model:
    m = Model("swing")
    rod = m.body("rod", mass, (1, 1, 1), position=(arm, 0, 0))
    m.revolute("pin", m.ground, rod, at=(0, 0, 0), axis=(0, 1, 0))
    return m


@pytest.mark.slow
def test_each_type_is_derived_once(derivations: list[str], tmp_path: Path) -> None:
    build(swing(), tmp_path / "one")
    assert len(derivations) == 2
    build(swing(mass=2.0, arm=3.0), tmp_path / "two")
    assert len(derivations) == 2  # numbers are no structure
    chain = Model("chain")
    bodies = [chain.ground, *(chain.body(f"b{k}", 1, (1, 1, 1)) for k in range(20))]
    for k in range(20):
        chain.spherical(f"s{k}", bodies[k].at(), bodies[k + 1].at(k))
    build(chain, tmp_path / "three")
    assert len(derivations) == 4  # spherical to the ground and between bodies
    build(swing(), tmp_path / "four", engine="sympy", layout="loop")
    assert len(derivations) == 4


@pytest.mark.slow
def test_engines_do_not_share_entries(derivations: list[str], tmp_path: Path) -> None:
    pytest.importorskip("symengine")
    build(swing(), tmp_path)
    build(swing(), tmp_path, engine="symengine")
    assert len(derivations) == 4


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["", "{", "[]", '{"title": 1}', "null", "\x00\xff"])
def test_damaged_type_is_derived_again(
    damage: str, derivations: list[str], folder: Path, tmp_path: Path, caplog: Any
) -> None:
    text = build(swing(), tmp_path / "one").read_bytes()
    entries = sorted((folder / "types").iterdir())
    for entry in entries:
        entry.write_bytes(damage.encode("latin1"))
    with caplog.at_level(logging.WARNING):
        again = build(swing(), tmp_path / "two").read_bytes()
    assert again == text
    assert len(derivations) == 4
    assert sum("is damaged" in r.message for r in caplog.records) == 2
    build(swing(), tmp_path / "three")
    assert len(derivations) == 4  # and the entries are good again


@pytest.mark.representatives(id="0.99")
@pytest.mark.parametrize("cut", [0.1, 0.5, 0.99])
def test_damaged_module_in_the_cache_is_written_again(cut: float) -> None:
    options = BuildOptions()
    path = compiler.compile_cached(swing(), options).path
    text = path.read_text("utf-8")
    path.write_text(text[: int(cut * len(text))], "utf-8")
    report = compiler.compile_cached(swing(), options)
    assert report.path == path
    assert path.read_text("utf-8") == text


def test_damaged_module_of_the_user_has_a_clear_error(tmp_path: Path) -> None:
    path = build(swing(), tmp_path)
    text = path.read_text("utf-8")
    path.write_text(text.replace("np.array", "np.arrrray"), "utf-8")
    with pytest.raises(BuildError, match=r"cannot be loaded .*build it again"):
        compiler.load(path)


@pytest.mark.slow
def test_module_is_written_again_only_if_something_changed(tmp_path: Path) -> None:
    options = BuildOptions()
    first = compiler.compile_model(swing(), options, tmp_path)
    assert first.fresh
    stamp = first.path.stat().st_mtime_ns
    assert not compiler.compile_model(swing(), options, tmp_path).fresh
    assert first.path.stat().st_mtime_ns == stamp
    text = first.path.read_text("utf-8")
    for other in (swing(mass=2.0), swing(arm=2.0)):
        assert compiler.compile_model(other, options, tmp_path).fresh
        assert first.path.read_text("utf-8") != text
    assert compiler.compile_model(swing(), BuildOptions(layout="loop"), tmp_path).fresh
    assert compiler.compile_model(swing(), options, tmp_path).fresh
    assert first.path.read_text("utf-8") == text


def changed_models() -> list[Model]:
    """Models that differ from `swing` in one thing each."""
    found = []
    for k in range(9):
        m = Model("swing", gravity=(0, 0, -9.81 if k != 1 else 0))
        velocity = (0, 0, 1) if k == 2 else (0, 0, 0)
        rod = m.body(
            "rod" if k != 3 else "bar",
            1.0,
            (1, 1, 1),
            position=(1, 0, 0),
            velocity=velocity,
            fixed="x" if k == 4 else (),
        )
        m.revolute("pin" if k != 5 else "pivot", m.ground, rod, at=(0, 0, 0), axis=(0, 1, 0))
        if k == 6:
            m.output("tip", rod.at())
        if k == 7:
            m.parameter("unused", 1.0)
        if k == 8:
            m.force("push", rod, force=(sympy.sin(m.t), 0, 0))
        found.append(m)
    return found


def test_every_edit_of_the_model_is_noticed(tmp_path: Path) -> None:
    paths = {}
    for k, m in enumerate(changed_models()):
        specs = compiler.specify(m)
        paths[module_digest(m, specs, BuildOptions())] = k
    assert len(paths) == 9
    one, other = changed_models()[0], changed_models()[8]
    compiler.compile_model(one, BuildOptions(), tmp_path)
    assert compiler.compile_model(other, BuildOptions(), tmp_path).fresh


def test_edited_model_file(tmp_path: Path) -> None:
    path = tmp_path / "my_swing.py"
    path.write_text(MODEL)
    first = compiler.compile_cached(read(path), BuildOptions()).path
    path.write_text(MODEL.replace("(1, 0, 0)", "(2, 0, 0)"))
    assert compiler.compile_cached(read(path), BuildOptions()).path != first


def test_own_joint_is_part_of_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user edits the equations of a joint of his own: the type is derived again."""
    monkeypatch.syspath_prepend(tmp_path)
    digests = []
    for k, factor in enumerate((2, 3)):
        (tmp_path / f"mine{k}.py").write_text(
            "from mbdgen.joints.base import Joint\n"
            "class Mine(Joint):\n"
            "    name = 'mine'\n"
            f"    def equations(self, a, b): return [{factor} * (b.r - a.r)[0]]\n"
        )
        joint: type[Joint] = __import__(f"mine{k}").Mine
        joint.__module__ = f"mine{k}"
        m = Model("swing")
        rod = m.body("rod", 1.0, (1, 1, 1))
        m.add("link", joint, m.ground.at(), rod.at())
        spec = compiler.specify(m)[1]
        digests.append(type_digest(spec.key, "sympy"))
    assert digests[0] != digests[1]


def test_unwritable_cache_costs_only_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path / "file" / "cache"))
    with caplog.at_level(logging.WARNING):
        path = build(swing(), tmp_path / "out")
    assert path.is_file()
    assert any("cache cannot be written" in r.message for r in caplog.records)


def test_unwritable_cache_and_nowhere_to_put_the_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(MbdgenError, match="MBDGEN_CACHE"):
        compiler.compile_cached(swing(), BuildOptions())


def test_interrupted_write_leaves_the_old_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = build(swing(), tmp_path)
    text = path.read_text("utf-8")
    original = Path.write_text

    def interrupted(self: Path, data: str, *args: Any, **kwargs: Any) -> int:
        original(self, data[: len(data) // 2], *args, **kwargs)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build(swing(mass=2.0), tmp_path)
    monkeypatch.undo()
    assert path.read_text("utf-8") == text
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["swing.py"]


def test_interrupted_write_of_a_type_leaves_nothing(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build(swing(), tmp_path / "out")
    assert list((folder / "types").iterdir()) == []


@pytest.mark.slow
def test_two_processes_at_once(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "my_swing.py").write_text(MODEL)
    code = (
        "import sys; from mbdgen import build, load\n"
        "path = build('my_swing.py', out='out')\n"
        "print(path.read_text().count('def residual'))\n"
    )
    env = {**os.environ, "MBDGEN_CACHE": str(folder)}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out.strip(), err) == (0, "1", "")
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["swing.py"]
    assert len(list((folder / "types").iterdir())) == 2
    build(tmp_path / "my_swing.py", tmp_path / "alone")
    texts = [(tmp_path / d / "swing.py").read_bytes() for d in ("out", "alone")]
    assert texts[0] == texts[1]


def test_clean_counts_and_deletes(tmp_path: Path, folder: Path) -> None:
    build(swing(), tmp_path / "out")
    assert cache.clean().deleted == 2
    assert not folder.exists()
    assert cache.clean().deleted == 0


def test_any_change_of_a_module_is_noticed(tmp_path: Path) -> None:
    path = build(swing(), tmp_path)
    assert is_whole(path, [".py"])
    text = path.read_text()
    path.write_text(text.replace("out[0]", "out[1]", 1))
    assert not is_whole(path, [".py"])
    path.write_text(text[:-10])
    assert not is_whole(path, [".py"])
    assert not is_whole(tmp_path / "none.py", [".py"])


def beads(ends: tuple[int, int] = (0, 1), shown: int = 0, pulled: int = 0) -> Model:
    """Three equal point masses, whose elements differ in nothing but what they are attached to."""
    model = Model("beads")
    bodies = [model.point_mass(f"bead{k}", 1.0, position=(k, 0, 0)) for k in range(3)]
    rods = [
        model.distance(f"rod{k}", *(bodies[b].at() for b in pair), length=1.0)
        for k, pair in enumerate([(0, 2), ends])
    ]
    model.output("place", bodies[shown].at())
    model.output("pull", rods[pulled].force)
    return model


@pytest.mark.parametrize(
    "changed", [{"ends": (1, 0)}, {"ends": (1, 2)}, {"shown": 1}, {"pulled": 1}]
)
def test_what_an_element_is_attached_to_is_part_of_the_key(changed: dict[str, Any]) -> None:
    """Found by a random mechanism: the module of the other model was loaded."""
    options = BuildOptions()
    keys = {module_digest(model, specify(model), options) for model in (beads(), beads(**changed))}
    assert len(keys) == 2
