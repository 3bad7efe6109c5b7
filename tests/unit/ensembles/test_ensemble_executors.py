"""The same blocks on other people's executors: threads, processes, a cluster of processes."""

import dataclasses
import shutil
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbdgen import EnsembleResult, load, simulate_many
from mbdgen.errors import BuildError, OptionError
from mbdgen.runtime.ensembles import remote
from mbdgen.runtime.system.system import System

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
TABLE = {"L": np.linspace(0.5, 2.0, 9)}


def sweep(system: System, executor: Executor | None = None) -> EnsembleResult:
    return simulate_many(
        system, (0, 0.2), TABLE, h=2e-3, series="all", executor=executor, workers=2
    )


@contextmanager
def cluster() -> Iterator[Executor]:
    """Two processes of a local cluster, as they would be two machines."""
    distributed = pytest.importorskip("distributed", reason="needs the extra dask")
    options: dict[str, Any] = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with (
        distributed.LocalCluster(**options, dashboard_address=None) as local,
        distributed.Client(local) as client,
    ):
        yield client.get_executor()


def processes() -> Executor:
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [lambda: ThreadPoolExecutor(2), processes, cluster],
    ids=["threads", "processes", "dask"],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_an_executor_changes_no_bit(make: Any) -> None:
    system = load("pendulum", backend="c")
    system.set(m=3.0)
    system.v0[:] = 0.0
    expected = sweep(system)
    with make() as executor:
        found = sweep(system, executor)
    assert found.success and len(found) == 9
    for name in expected.keys():
        np.testing.assert_array_equal(found[name], expected[name])
    np.testing.assert_array_equal(found.counters, expected.counters)
    np.testing.assert_array_equal(found.numbers, expected.numbers)


@pytest.mark.slow
def test_a_machine_without_the_module_gets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another machine has neither the path nor the compiled code."""
    system = load("pendulum", backend="c")
    module = remote.module_of(system)
    assert sorted(Path(name).suffix for name, _ in module.files) == [".c", ".h", ".py"]
    elsewhere = dataclasses.replace(module, path="/nowhere/at/all/pendulum.py")
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path))
    monkeypatch.setattr(remote, "module_of", lambda system: elsewhere)
    monkeypatch.setattr("mbdgen.runtime.ensembles.parallel.module_of", lambda system: elsewhere)
    with ThreadPoolExecutor(1) as executor:
        found = sweep(system, executor)
    np.testing.assert_array_equal(found["tip"], sweep(system)["tip"])
    assert len(list(tmp_path.glob("modules/*/pendulum.c"))) == 1


class Broken(Executor):
    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_exception(RuntimeError("the cable is out"))
        return future


def test_what_cannot_be_sent_or_computed(tmp_path: Path) -> None:
    system = load("pendulum", backend="c")
    with pytest.raises(BuildError, match="the cable is out"):
        sweep(system, Broken())
    with pytest.raises(BuildError, match="the cable is out"):
        out = tmp_path / "a.parquet"
        simulate_many(system, (0, 1), TABLE, executor=Broken(), out=out)
    assert list(tmp_path.iterdir()) == []
    nowhere = System(dataclasses.replace(system.data, source=None), system.kernels)
    with pytest.raises(OptionError, match="comes from no file"):
        sweep(nowhere, Broken())
