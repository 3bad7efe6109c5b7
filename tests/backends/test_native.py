"""Bad luck with C: no compiler, a broken one, damaged libraries, folders, races; and C alone."""

import logging
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mbdgen import build, load
from mbdgen.emit.backends import find_backend
from mbdgen.errors import BuildError, MbdgenError, OptionError
from mbdgen.runtime.program import c_compiler, c_kernels
from mbdgen.runtime.system.module_loading import load_module

MODEL = "double_pendulum"
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"]
MAIN = """
#include <stdio.h>
#include <stdlib.h>
#define MBDGEN_TABLES
#include "{model}.h"
int main(int argc, char **argv)
{{
    double q[{n_q}], v[{n_q}], a[{n_q}], lam[{n_lam}], w[3] = {{1.1, 1.2, 1.3}}, out[{nnz}];
    const double *p = {model}_p;
    const int64_t *m = {model}_m;
    if ({model}_q0[0] != {q0} || {model}_v0[0] != {v0})
        return 2;
    for (int k = 0; k < {n_q}; ++k) {{
        q[k] = 0.1*k; v[k] = 0.2*k; a[k] = 0.3*k;
    }}
    for (int k = 0; k < {n_lam}; ++k)
        lam[k] = 0.4*k;
    {model}_residual(0.5, q, v, a, lam, w, p, m, out);
    for (int k = 0; k < {n}; ++k)
        printf("%a\\n", out[k]);
    {model}_matrix(0.5, q, v, a, lam, w, p, m, out);
    for (int k = 0; k < {nnz}; ++k)
        printf("%a\\n", out[k]);
    (void)argv;
    return argc != 1;
}}
"""


def any_compiler() -> bool:
    try:
        return bool(c_compiler.compiler())
    except BuildError:
        return False


needs_compiler = pytest.mark.skipif(not any_compiler(), reason="there is no C compiler")


@pytest.fixture
def module(tmp_path: Path) -> Path:
    """A module with C kernels that has not been imported yet."""
    return build(MODEL, tmp_path / "out", backend="c", layout="loop")


def libraries(module: Path) -> list[Path]:
    return sorted(module.parent.glob("__pycache__/*.so"))


def leftovers(module: Path) -> list[Path]:
    return [p for p in module.parent.rglob("*") if p.name.endswith(".tmp")]


def numbers(module: Path) -> np.ndarray:
    """Residual and matrix at the state of `MAIN`."""
    s = load_module(module).system
    k, i = np.arange(s.n_q), np.arange(s.n_lam)
    state = (0.5, 0.1 * k, 0.2 * k, 0.3 * k, 0.4 * i)
    return np.concatenate([s.residual(*state), s.matrix(*state, (1.1, 1.2, 1.3)).data])


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(c_compiler, "find_spec", lambda name: None)


def test_no_compiler(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_compiler(monkeypatch)
    with pytest.raises(BuildError, match=r"no C compiler.*ziglang.*--backend numba"):
        load_module(module)
    assert module.with_suffix(".c").is_file()


@needs_compiler
def test_no_compiler_is_needed_twice(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = numbers(module)
    no_compiler(monkeypatch)
    assert (numbers(module) == first).all()


def test_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_compiler.os, "name", "nt")
    with pytest.raises(BuildError, match=r"Windows.*numba"):
        c_compiler.compiler()


def test_ziglang_is_the_last_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    no_compiler(monkeypatch)
    monkeypatch.setattr(c_compiler, "find_spec", lambda name: object())
    assert c_compiler.compiler() == [sys.executable, "-m", "ziglang", "cc"]
    monkeypatch.setenv("CC", "ccache 'my cc'")
    assert c_compiler.compiler() == ["ccache", "my cc"]


def test_compiler_that_fails(module: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", script(tmp_path / "bad", "echo 'the moon is wrong' >&2; exit 3"))
    with pytest.raises(BuildError, match=r"exit code 3.*\n.*the moon is wrong") as caught:
        load_module(module)
    assert str(module.with_suffix(".c")) in caught.value.cause
    assert "kept" in caught.value.remedy and module.with_suffix(".c").is_file()
    assert not libraries(module) and not leftovers(module)


@pytest.mark.parametrize("text", ["exit 0", "kill -9 $$"])
def test_compiler_that_makes_nothing(
    text: str, module: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", script(tmp_path / "idle", text))
    with pytest.raises(BuildError, match="failed"):
        load_module(module)
    assert not libraries(module) and not leftovers(module)


def test_compiler_that_cannot_be_started(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/nowhere/cc -O3")
    with pytest.raises(BuildError, match=r"/nowhere/cc.*cannot be started.*CC"):
        load_module(module)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("part", [0.0, 0.5, 0.97])
def test_damaged_library_is_made_again(part: float, module: Path, tmp_path: Path) -> None:
    """In another process: a library that is in use must not be cut."""
    code = f"from mbdgen import load; load({str(module)!r}, backend='c')"
    subprocess.run([sys.executable, "-c", code], check=True)
    (library,) = libraries(module)
    whole = library.read_bytes()
    library.unlink()
    library.write_bytes(whole[: int(part * len(whole))])
    subprocess.run([sys.executable, "-c", code], check=True)
    assert len(library.read_bytes()) == len(whole)


@needs_compiler
def test_edited_source_is_compiled_again(module: Path) -> None:
    first = numbers(module)
    source = module.with_suffix(".c")
    source.write_text(source.read_text().replace("return 0;", "out[0] += 1.0;\n    return 0;", 1))
    assert numbers(module)[0] == first[0] + 1.0
    source.unlink()
    with pytest.raises(BuildError, match=r"cannot be read.*again"):
        load_module(module)


@needs_compiler
def test_folder_that_cannot_be_written(
    module: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    expected = numbers(module)
    shutil.rmtree(module.parent / "__pycache__")
    monkeypatch.setenv(
        "CC", shlex.join(c_compiler.compiler())
    )  # looking for one asks os.access too
    monkeypatch.setattr(c_kernels.os, "access", lambda path, mode: False)
    with caplog.at_level(logging.WARNING):
        found = numbers(module)
    assert "cannot be written" in caplog.text and not libraries(module)
    assert (found == expected).all()


@needs_compiler
@pytest.mark.skipif(os.name == "nt", reason="permissions are others there")
def test_libraries_that_others_could_have_written(
    module: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    expected = numbers(module)
    (library,) = libraries(module)
    assert not library.stat().st_mode & 0o022
    theirs = b"of somebody else, with a checksum"

    def replaced() -> None:
        library.unlink()  # this process has loaded it
        library.write_bytes(theirs)
        library.with_suffix(".sha256").write_text(c_kernels._checksum(library), "ascii")

    replaced()
    library.chmod(0o777)
    assert (numbers(module) == expected).all() and library.read_bytes() != theirs
    assert not library.stat().st_mode & 0o022
    replaced()
    library.parent.chmod(0o777)
    with caplog.at_level(logging.WARNING):
        assert (numbers(module) == expected).all()
    assert "everybody can write" in caplog.text and library.read_bytes() == theirs


@needs_compiler
def test_full_disk(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, *args: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        with pytest.raises(OptionError, match="No space left"):
            load_module(module)
    assert not libraries(module) and not leftovers(module)
    numbers(module)


def test_interrupted_compiler(
    module: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = 'while [ "$1" != "-o" ]; do shift; done; echo half > "$2"; sleep 60'
    environment = {**os.environ, "CC": script(tmp_path / "slow", text)}
    code = f"from mbdgen import load; load({str(module)!r}, backend='c')"
    process = subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 60
    while not leftovers(module) and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.wait(20) != 0
    assert not libraries(module) and not leftovers(module)


@pytest.mark.slow
@needs_compiler
def test_two_processes_at_once(module: Path) -> None:
    code = (
        "from mbdgen import load; import numpy as np\n"
        f"s = load({str(module)!r}, backend='c')\n"
        "print(abs(s.residual(0, s.q0, s.v0, 0*s.q0, np.ones(s.n_lam))).sum().hex())"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    texts = {process.communicate(timeout=120)[0] for process in processes}
    assert len(texts) == 1 and texts.pop().strip()
    assert len(libraries(module)) == 1 and not leftovers(module)


def test_error_reaches_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path))
    no_compiler(monkeypatch)
    with pytest.raises(MbdgenError, match="no C compiler"):
        load(MODEL, backend="c")


@pytest.mark.parametrize("layout", ["loop", "flat"])
@pytest.mark.parametrize("name", ["clang", "gcc"])
def test_c_alone(name: str, layout: str, tmp_path: Path) -> None:
    """A C program uses header and source, without warnings, and finds the numbers of Python."""
    if shutil.which(name) is None:
        pytest.skip(f"no {name}")
    path = build(MODEL, tmp_path, backend="c", layout=layout)
    expected = numbers(path)
    s = load_module(path).system
    text = MAIN.format(
        model=MODEL,
        n=s.n,
        n_q=s.n_q,
        n_lam=s.n_lam,
        nnz=len(s.work.indices),
        q0=s.data.tables.q0.tolist()[0],
        v0=s.data.tables.v0.tolist()[0],
    )
    main, program = tmp_path / "main.c", tmp_path / "main"
    main.write_text(text)
    flags = [*STRICT, "-O1", "-ffp-contract=off"]
    sources = [str(main), str(path.with_suffix(".c"))]
    subprocess.run([name, *flags, *sources, "-o", str(program), "-lm"], check=True)
    printed = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    assert [float.fromhex(line) for line in printed.split()] == expected.tolist()


@pytest.mark.representatives(id=["pendulum-loop", "andrews-loop"])
@needs_compiler
@pytest.mark.parametrize("layout", ["loop", "flat"])
@pytest.mark.parametrize("name", ["pendulum", "andrews", "bricard", "spinning_top"])
def test_no_warnings_and_no_long_lines(name: str, layout: str, tmp_path: Path) -> None:
    path = build(name, tmp_path, backend="c", layout=layout)
    for suffix in (".c", ".h"):
        assert max(map(len, path.with_suffix(suffix).read_text().splitlines())) <= 100
    line = [*c_compiler.compiler(), *STRICT, "-fsyntax-only", str(path.with_suffix(".c"))]
    done = subprocess.run(line, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def long_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module whose kernels are cut into parts of a few lines."""
    backend = find_backend("c")
    monkeypatch.setattr("mbdgen.emit.backends.c.BACKEND", replace(backend, part_size=40))
    return build(MODEL, tmp_path / "long", backend="c", layout="flat")


@pytest.mark.representatives(flags=[["-DCUT=1"]])
@needs_compiler
@pytest.mark.parametrize("flags", [[], ["-DCUT=1"], ["-DCUT=0"]])
def test_long_kernels(
    flags: list[str], long_module: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In parts or whole, compiled at once or kernel by kernel: the same bits, no warnings."""
    assert "#if CUT" in long_module.with_suffix(".c").read_text()
    expected = numbers(build(MODEL, tmp_path / "whole", backend="c", layout="flat"))
    command = [*c_compiler.compiler(), *STRICT, *flags]
    monkeypatch.setenv("CC", shlex.join(command))
    assert (numbers(long_module) == expected).all()
    assert not leftovers(long_module)
    line = [*command, "-fsyntax-only", str(long_module.with_suffix(".c"))]
    assert subprocess.run(line, capture_output=True).returncode == 0


def test_compiler_that_fails_in_one_unit(
    long_module: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other compilers are stopped, the message is shown, nothing is left."""
    text = 'case "$*" in *-DUNIT=3*) echo "unit three" >&2; exit 4;; *) exec sleep 60;; esac'
    monkeypatch.setenv("CC", script(tmp_path / "part", text))
    monkeypatch.setattr(c_compiler, "cores", lambda: 100)
    start = time.monotonic()
    with pytest.raises(BuildError, match=r"exit code 4.*\n.*unit three"):
        load_module(long_module)
    assert time.monotonic() - start < 30  # none of the sleeping ones was waited for
    assert not libraries(long_module) and not leftovers(long_module)
