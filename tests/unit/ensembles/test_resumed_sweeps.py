"""A sweep that was killed or interrupted goes on; its members are those of one that was not."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbdgen import EnsembleResult, load, simulate_many
from mbdgen.errors import BuildError, OptionError
from mbdgen.language.read import read
from mbdgen.runtime.ensembles import ensemble_simulation, sweep_identity, unfinished_sweep
from mbdgen.runtime.ensembles.worker import Worker
from mbdgen.runtime.system.system import System

pytest.importorskip("pyarrow.parquet")
pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")

LENGTHS = np.r_[np.linspace(0.5, 2, 298), 0.0, 1e-6]  # the last two fail
RUN: dict[str, Any] = {"h": 1e-2, "workers": 1}
SPAN = (0.0, 2.0)


@pytest.fixture(scope="module")
def system() -> System:
    return load("pendulum", backend="c")


@pytest.fixture(scope="module")
def whole(system: System, tmp_path_factory: pytest.TempPathFactory) -> EnsembleResult:
    out = tmp_path_factory.mktemp("whole") / "a.parquet"
    found = simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=out)
    assert found.failed.tolist() == [298, 299] and found.resumed == 0
    return found


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the members that are computed from now on."""
    seen: list[int] = []
    run = Worker.run

    def counted(self: Worker, members: Any, values: Any) -> Any:
        seen.extend(range(members.first, members.first + len(members)))
        return run(self, members, values)

    monkeypatch.setattr(Worker, "run", counted)
    return seen


def assert_same(found: EnsembleResult, whole: EnsembleResult) -> None:
    for name in whole.keys():
        np.testing.assert_array_equal(found[name], whole[name])
    np.testing.assert_array_equal(found.status, whole.status)
    np.testing.assert_array_equal(found.counters, whole.counters)
    np.testing.assert_array_equal(found.numbers, whole.numbers)
    assert found.messages == whole.messages
    assert found.path is not None and whole.path is not None
    import pyarrow.parquet as parquet

    tables = [parquet.read_table(path).to_pandas() for path in (found.path, whole.path)]
    assert tables[0].equals(tables[1])
    assert [p.name for p in found.path.parent.iterdir()] == [found.path.name]


def interrupt(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Let Ctrl-C be pressed when so many blocks are finished."""

    @contextmanager
    def bar(*_: Any) -> Iterator[Any]:
        calls = iter(range(10_000))

        def report(_: float) -> None:
            if next(calls) == after:
                raise KeyboardInterrupt

        yield report

    monkeypatch.setattr(ensemble_simulation, "progress_bar", bar)


@pytest.mark.slow
def test_a_killed_sweep_goes_on(
    system: System, whole: EnsembleResult, computed: list[int], tmp_path: Path
) -> None:
    script = f"""
import time
import numpy as np
from mbdgen import load, simulate_many
from mbdgen.runtime.ensembles.unfinished_sweep import Unfinished
put = Unfinished.put
def slow(*given):
    put(*given)
    time.sleep(0.05)
Unfinished.put = slow
lengths = np.r_[np.linspace(0.5, 2, 298), 0.0, 1e-6]
simulate_many(load("pendulum", backend="c"), {SPAN}, {{"L": lengths}}, h=1e-2, workers=1,
              out={str(tmp_path / "a.parquet")!r})
"""
    process = subprocess.Popen([sys.executable, "-c", script])
    kept, deadline = tmp_path / "a.parquet.unfinished", time.monotonic() + 60
    while not (kept.is_file() and kept.stat().st_size > 40_000) and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert kept.is_file() and not (tmp_path / "a.parquet").exists()
    with pytest.raises(OptionError, match="resume"):  # not begun anew by mistake
        simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=tmp_path / "a.parquet")
    for forgotten in tmp_path.glob(".mbdgen-*.tmp"):  # later processes clear it away
        forgotten.unlink()
    found = simulate_many(
        system, SPAN, {"L": LENGTHS}, **RUN, out=tmp_path / "a.parquet", resume=True
    )
    assert 0 < found.resumed < 300 and len(computed) == 300 - found.resumed
    assert_same(found, whole)


def test_an_interrupted_sweep_goes_on_from_its_file(
    system: System,
    whole: EnsembleResult,
    computed: list[int],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    out = tmp_path / "a.parquet"
    for after in (20, 30):
        with monkeypatch.context() as patched:
            interrupt(patched, after)
            part = simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=out, resume=True)
        assert (part.status == -102).any() and list(tmp_path.iterdir()) == [out]
    before = int((part.status != -102).sum())
    computed.clear()
    found = simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=out, resume=True)
    assert found.resumed == before and len(computed) == 300 - before
    assert_same(found, whole)
    computed.clear()
    again = simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=out, resume=True)
    assert again.resumed == 300 and not computed
    assert_same(again, whole)
    assert again.summary()["steps"] == whole.summary()["steps"]


@pytest.mark.slow
def test_a_block_that_was_begun_is_finished(
    system: System, whole: EnsembleResult, computed: list[int], tmp_path: Path
) -> None:
    """Blocks have three members; of one the first two are known, of another none is whole."""
    out, parts = tmp_path / "a.parquet", []
    put = unfinished_sweep.Unfinished.put

    def cut(self: Any, first: int, values: Any, outcome: Any) -> None:
        if first == 150:
            outcome.status[2:] = -102
        if first not in (30, 270):
            put(self, first, values, outcome)
        parts.append(first)
        if len(parts) == 95:
            os._exit(9)

    child = os.fork()
    if not child:
        unfinished_sweep.Unfinished.put = cut  # type: ignore[method-assign]
        simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=out)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    for forgotten in tmp_path.glob(".mbdgen-*.tmp"):
        forgotten.unlink()
    found = simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=out, resume=True)
    assert computed[:7] == [30, 31, 32, 152, 270, 271, 272] and found.resumed == 300 - len(computed)
    assert_same(found, whole)


class Broken(Executor):
    """Computes the first blocks, and breaks."""

    def __init__(self) -> None:
        self.left = 10

    def submit(self, call: Any, /, *given: Any, **more: Any) -> Any:
        from concurrent.futures import Future

        future: Future[Any] = Future()
        self.left -= 1
        if self.left < 0:
            future.set_exception(RuntimeError("the cluster is gone"))
        else:
            future.set_result(call(*given, **more))
        return future


@pytest.mark.slow
def test_what_an_executor_computed_before_it_broke_is_kept(
    system: System, whole: EnsembleResult, tmp_path: Path
) -> None:
    out = tmp_path / "a.parquet"
    with pytest.raises(BuildError, match="the cluster is gone"):
        simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=out, executor=Broken())
    assert [p.name for p in tmp_path.iterdir()] == ["a.parquet.unfinished"]
    found = simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=out, resume=True)
    assert found.resumed > 0
    assert_same(found, whole)


@pytest.mark.parametrize(
    ("change", "culprit"),
    [
        ({"parameters": {"L": LENGTHS + 1e-3}}, "its table of parameters"),
        ({"parameters": {"L": LENGTHS[:40]}}, "its number of members '300', not '40'"),
        ({"parameters": {"m": LENGTHS + 1}}, "its list of varied parameters 'L', not 'm'"),
        ({"method": "rk4"}, "its method 'newmark"),
        ({"h": 2e-2}, r"its step h = '0.01', not '0.02'"),
        ({"every": 2}, "its set of instants"),
        ({"span": (0.0, 1.0)}, "its time span '0 to 2 s', not '0 to 1 s'"),
        ({"series": "tip.x"}, "its list of series"),
        ({"beta": 0.3}, "its set of options"),
        ({"v0": {"rod.x": np.zeros(300)}}, "its set of initial values"),
        ({"system": "double_pendulum", "parameters": {"L1": LENGTHS}}, "its model 'pendulum'"),
    ],
)
@pytest.mark.parametrize("unfinished_one", [False, True])
def test_files_of_other_sweeps_are_refused_by_name(
    system: System,
    whole: EnsembleResult,
    change: dict[str, Any],
    culprit: str,
    unfinished_one: bool,
    tmp_path: Path,
) -> None:
    out = tmp_path / "a.parquet"
    if unfinished_one:
        with pytest.raises(BuildError):
            simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=out, executor=Broken())
    else:
        assert whole.path is not None
        shutil.copy(whole.path, out)
    before = {p: p.read_bytes() for p in tmp_path.iterdir()}
    given = {"system": system, "span": SPAN, "parameters": {"L": LENGTHS}, **RUN, **change}
    with pytest.raises(OptionError, match=culprit):
        simulate_many(**given, out=out, resume=True)
    assert {p: p.read_bytes() for p in tmp_path.iterdir()} == before


@pytest.mark.slow
def test_sweeps_of_other_equations_or_another_program_are_refused(
    system: System, whole: EnsembleResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same name, parameters and outputs, but more inertia; then another version of mbdgen."""
    assert whole.path is not None
    out = tmp_path / "a.parquet"
    shutil.copy(whole.path, out)
    before = out.read_bytes()
    heavier = read("pendulum")
    heavier.point_mass("weight", 1.0, position=(0, 0, -1), coordinates="point")
    given: Any = {"parameters": {"L": LENGTHS}, **RUN, "out": out, "resume": True}
    with pytest.raises(OptionError, match=r"another sweep: its set of equations '\w+', not '\w+'"):
        simulate_many(load(heavier, backend="c"), SPAN, **given)
    monkeypatch.setattr(sweep_identity, "__version__", "9.9.9")
    with pytest.raises(OptionError, match=r"its version of mbdgen '.+', not '9\.9\.9'"):
        simulate_many(system, SPAN, **given)
    assert out.read_bytes() == before


@pytest.mark.slow
def test_damaged_files(system: System, whole: EnsembleResult, tmp_path: Path) -> None:
    out, kept = tmp_path / "a.parquet", tmp_path / "a.parquet.unfinished"
    with pytest.raises(BuildError):
        simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=out, executor=Broken())
    content = kept.read_bytes()
    found = []
    for damaged in (content, content[:-1], content[: len(content) // 2], content + b"x" * 100):
        kept.write_bytes(damaged)
        result = simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=out, resume=True)
        assert_same(result, whole)
        found.append(result.resumed)
    assert found[0] == found[3] > found[1] > found[2] > 0
    flipped = bytearray(content)
    flipped[-100] ^= 1
    kept.write_bytes(flipped)
    assert (
        simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=out, resume=True).resumed == found[1]
    )
    for text, damaged_file in ((b"mbdgen", kept), (b"PAR1", out)):
        damaged_file.write_bytes(text)
        with pytest.raises(OptionError, match=r"no unfinished sweep|no Parquet file"):
            simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=out, resume=True)
        damaged_file.unlink()
    whole.to_parquet(out)
    with pytest.raises(OptionError, match="does not say which sweep"):
        simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, out=out, resume=True)
    with pytest.raises(OptionError, match="no file to resume from"):
        simulate_many(system, SPAN, {"L": LENGTHS}, **RUN, resume=True)
