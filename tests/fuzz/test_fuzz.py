"""Small samples of what ``python tasks.py fuzz`` judges, and what judges them."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mbdgen import Model, load, simulate
from tests.fuzz import motions
from tests.fuzz.__main__ import BATCHES, LIMIT, judges, main
from tests.fuzz.models import script
from tests.fuzz.verdicts import Case, Verdict
from tests.fuzz.workers import in_copies, quick_compiler

SAMPLES = {"models": 4, "files": 8, "lines": 6, "requests": 8}
MANY = {"models": 200, "files": 100, "lines": 60, "requests": 60}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """With a quick compiler; the copies change their surroundings, this process does not."""
    made = tmp_path_factory.mktemp("fuzz")
    before = os.environ.get("CC")
    os.environ["CC"] = quick_compiler(made)
    yield made
    if before is None:
        del os.environ["CC"]
    else:
        os.environ["CC"] = before


def faults(folder: Path, kind: str, count: int, seed: int) -> list[str]:
    judge = judges(folder, seed, [kind])[kind]
    cases = list(in_copies(range(count), judge, LIMIT, BATCHES[kind]))
    assert len(cases) == count
    return [f"{kind}:{n}: {case}" for n, case in cases if case.verdict.is_fault]


@pytest.mark.representatives(id="requests")
@pytest.mark.parametrize("kind", ["models", "requests"])
def test_a_few(kind: str, folder: Path) -> None:
    assert not faults(folder, kind, SAMPLES[kind], 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", MANY)
def test_many(kind: str, tmp_path: Path, folder: Path) -> None:
    assert not faults(tmp_path, kind, MANY[kind], 2)


def test_same_seed_same_model() -> None:
    assert str(script(3, 5)) == str(script(3, 5)) != str(script(3, 6))


def _judge(number: int) -> Case:
    if number == 1:
        raise KeyError("lost")
    if number == 2:
        os.kill(os.getpid(), signal.SIGSEGV)
    if number == 3:
        while True:
            pass
    if number == 4:
        time.sleep(60)
    return Case(Verdict.SOUND, "fine")


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [1, 2])
def test_crashes_and_hangs_are_caught_and_named(at_once: int) -> None:
    found = dict(in_copies(range(6), _judge, 0.1, 3, at_once))
    wanted = ("SOUND", "TRACEBACK", "SIGNAL", "HANG", "HANG", "SOUND")
    assert [found[k].verdict for k in range(6)] == [Verdict[name] for name in wanted]
    assert "KeyError: \"'lost'\"" in found[1].detail and "SIGSEGV" in found[2].detail


def test_runs_that_go_on_are_slow_and_not_stuck() -> None:
    model = Model("ball", gravity=(0, 0, -9.81))
    ball = model.point_mass("ball", 1.0)
    model.output("place", ball.at())
    system = load(model)
    with motions.impatient(0.0), pytest.raises(motions.TooSlow, match="of its span"):
        simulate(system, (0.0, 100.0), h=1e-5, t_eval=[0.0, 100.0], progress=False)


def test_wrong_words(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["--case", "model:1"], ["--models", "x"]):
        with pytest.raises(SystemExit):
            main(words)
    assert "say how many" in capsys.readouterr().err
