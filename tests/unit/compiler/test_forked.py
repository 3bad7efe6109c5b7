"""Types derived in copies of the process, and how many processors are used."""

import json
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mbdgen import cache, stages
from mbdgen.cli.app import app
from mbdgen.errors import BuildError, OptionError
from mbdgen.forked import Copies
from mbdgen.language.read import read
from mbdgen.runtime.program.processors import VARIABLE, cores, limit
from mbdgen.topology.specify import specify


def test_every_task_is_done_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "3")
    monkeypatch.setattr("threading.active_count", lambda: 1)

    def task(k: int) -> None:
        with open(tmp_path / str(k), "a", encoding="utf-8") as stream:
            stream.write("x")

    with Copies([partial(task, k) for k in range(7)]) as mine:
        assert len(mine) == 3
        for own in mine:
            own()
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {str(k): "x" for k in range(7)}


@pytest.mark.parametrize("threads", ["1", "2"])
def test_same_types_on_any_number_of_processors(
    threads: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two processors each derives a part, and both parts are in the cache."""
    monkeypatch.setenv(VARIABLE, threads)
    monkeypatch.setattr("threading.active_count", lambda: 1)
    specs = specify(read("slider_crank", {}))
    expected = stages.derive_types(specs, "sympy")
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path))
    here: list[str] = []
    derive = stages._derive
    monkeypatch.setattr(
        stages,
        "_derive",
        lambda spec, engine, second: (here.append(spec.key), derive(spec, engine, second))[1],
    )
    assert stages.derive_types(specs, "sympy") == expected
    assert len(here) == len(expected) if threads == "1" else 0 < len(here) < len(expected)
    assert all(cache.load_type(key, "sympy") for key in expected)


def test_an_error_in_a_copy_is_reported_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "4")
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path))
    monkeypatch.setattr("threading.active_count", lambda: 1)

    def fails(spec: object, engine: str, second: bool) -> None:
        raise BuildError("It cannot be derived.")

    monkeypatch.setattr(stages, "_derive", fails)
    with pytest.raises(BuildError, match="It cannot be derived"):
        stages.derive_types(specify(read("slider_crank", {})), "sympy")


def test_number_of_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert cores() >= 1
    limit(None)
    assert VARIABLE not in __import__("os").environ
    monkeypatch.setenv(VARIABLE, "many")
    with pytest.raises(OptionError, match="many"):
        cores()
    limit(3)
    assert cores() == 3


def test_threads_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "7")  # put back afterwards
    target = tmp_path / "o.json"
    run = ["run", "pendulum", "--t", "0.01", "--threads", "1", "--json", str(target)]
    assert CliRunner().invoke(app, run).exit_code == 0
    assert json.loads(target.read_text()) and cores() == 1
    build = ["build", "pendulum", "--threads", "2", "--out", str(tmp_path)]
    assert CliRunner().invoke(app, build).exit_code == 0 and cores() == 2
    assert CliRunner().invoke(app, [*run, "--threads", "0"]).exit_code == 2
