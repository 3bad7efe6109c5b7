"""Machine code of Numba: kept by contents, healed, and made where nobody else can write."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from numba import float64, njit

from mbdgen.runtime.program import cache_folders, numba_cache
from mbdgen.runtime.program.cache_entries import as_entry, read_entry

SOURCE = """
from numba import njit, float64
from mbdgen.runtime.program.numba_cache import ours
def function(x):
    return {factor} * x
with ours():
    compiled = njit(float64(float64), cache=True)(function)
misses = sum(compiled.stats.cache_misses.values())
"""


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.core.config.CACHE_DIR", "")
    for kept in (
        numba_cache.folder_of,
        numba_cache._own,
        cache_folders._usable,
        cache_folders.temporary_cache,
    ):
        kept.cache_clear()


def loaded(path: Path) -> tuple[float, int]:
    """Return a value of the function of a file, and how often it was compiled."""
    numba_cache._own.cache_clear()
    space: dict[str, Any] = {"__name__": "kept_code", "__file__": str(path)}
    exec(compile(path.read_text(), str(path), "exec"), space)
    return space["compiled"](1.0), space["misses"]


def test_sources_are_compared_by_contents(tmp_path: Path) -> None:
    path = tmp_path / "law.py"
    path.write_text(SOURCE.format(factor=2.0))
    assert loaded(path) == (2.0, 1)
    assert loaded(path) == (2.0, 0)
    ahead = time.time() + 1e6  # a wrong clock compiles nothing again
    os.utime(path, (ahead, ahead))
    assert loaded(path) == (2.0, 0)
    path.write_text(SOURCE.format(factor=3.0))  # rsync, tar: new contents with an old date
    os.utime(path, (1e9, 1e9))
    assert loaded(path) == (3.0, 1)


def test_what_others_contain_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "law.py"
    path.write_text(SOURCE.format(factor=2.0))
    assert loaded(path)[1] == 1
    monkeypatch.setattr(numba_cache, "shared_sources", lambda: "after an update")
    assert loaded(path)[1] == 1
    assert loaded(path)[1] == 0


@pytest.mark.parametrize("kind", ["nbc", "nbi"])
@pytest.mark.parametrize("left", [0, 20, -1])
def test_damaged_files_heal(kind: str, left: int, tmp_path: Path) -> None:
    path = tmp_path / "law.py"
    path.write_text(SOURCE.format(factor=2.0))
    assert loaded(path) == (2.0, 1)
    (file,) = (tmp_path / "__pycache__").glob(f"*.{kind}")
    content = bytearray(file.read_bytes())
    if left < 0:
        content[len(content) // 2] ^= 4
    file.write_bytes(content if left < 0 else content[:left])
    assert loaded(path) == (2.0, 1)
    assert loaded(path) == (2.0, 0)


def test_what_an_earlier_version_has_left_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "law.py"
    path.write_text(SOURCE.format(factor=2.0))
    assert loaded(path) == (2.0, 1)
    (file,) = (tmp_path / "__pycache__").glob("*.nbi")
    here = numba_cache.__name__.encode()
    content = read_entry(file)
    assert here in content
    file.write_bytes(as_entry(file, content.replace(here, here[:-1] + b"_")))  # it has moved since
    assert loaded(path) == (2.0, 1)
    assert loaded(path) == (2.0, 0)


def test_functions_of_others_are_as_ever(tmp_path: Path) -> None:
    path = tmp_path / "other.py"
    path.write_text(
        "from numba import njit, float64\n@njit(float64(float64), cache=True)\n"
        "def function(x):\n    return 2 * x\n"
    )
    space: dict[str, Any] = {"__name__": "other", "__file__": str(path)}
    exec(compile(path.read_text(), str(path), "exec"), space)
    assert not isinstance(space["function"]._cache._cache_file, numba_cache.SoundFiles)
    assert njit(float64(float64))(lambda x: x + 1.0)(1.0) == 2.0


def test_where_the_package_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    path = tmp_path / "code" / "law.py"
    path.parent.mkdir()
    path.write_text(SOURCE.format(factor=2.0))
    original = numba_cache._is_writable
    barred = [path.parent]

    def writable(folder: Path) -> bool:
        return not any(folder.is_relative_to(x) for x in barred) and original(folder)

    monkeypatch.setattr(numba_cache, "_is_writable", writable)
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path / "cache"))
    assert loaded(path) == (2.0, 1)
    assert loaded(path) == (2.0, 0)
    assert list((tmp_path / "cache").rglob("*.nbc"))
    barred.append(tmp_path / "cache")
    numba_cache.folder_of.cache_clear()
    assert loaded(path) == (2.0, 1)
    assert sum("temporary folder" in r.message for r in caplog.records) == 1


@pytest.mark.skipif(os.name == "nt", reason="permissions are others there")
def test_folders_that_others_can_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir(mode=0o700)
    assert cache_folders.why_untrusted(mine) == ""
    monkeypatch.setenv("MBDGEN_CACHE", str(mine))
    assert cache_folders.cache_folder() == mine
    mine.chmod(0o777)
    assert "everybody can write" in cache_folders.why_untrusted(mine)
    cache_folders._usable.cache_clear()
    assert cache_folders.cache_folder() != mine
    assert cache_folders.cache_folder().stat().st_mode & 0o077 == 0
    assert sum("everybody can write" in r.message for r in caplog.records) == 1
    mine.chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: 4321)
    if mine.stat().st_uid:
        assert "belongs to another user" in cache_folders.why_untrusted(mine)


@pytest.mark.skipif(os.name == "nt", reason="permissions are others there")
def test_entries_that_others_could_write_are_made_anew(tmp_path: Path) -> None:
    from mbdgen.runtime.program.cache_entries import DamagedEntry, read_entry, write_entry

    path = tmp_path / "types" / "a.json"
    write_entry(path, b"{}")
    assert read_entry(path) == b"{}"
    path.chmod(0o666)
    with pytest.raises(DamagedEntry, match="everybody can write"):
        read_entry(path)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="root and permissions are others there")
def test_a_run_where_nothing_can_be_written(tmp_path: Path) -> None:
    """No home, a package that cannot be written: it runs, and one warning tells."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("needs another user")
    environment = {**os.environ, "HOME": "/nonexistent", "MBDGEN_THREADS": "1"}
    environment.pop("MBDGEN_CACHE", None)
    other = f"setpriv --reuid=65534 --clear-groups --regid=65534 {sys.executable}".split()

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [*other, *words], env=environment, cwd="/", capture_output=True, text=True
        )

    if run("-c", "import jinja2, numba, sympy, typer").returncode != 0:
        pytest.skip("another user cannot start this Python, or not import what is installed")
    done = run("-m", "mbdgen", "run", "pendulum", "--t", "0.1", "-q")
    assert done.returncode == 0, done.stderr
