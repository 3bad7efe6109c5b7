"""The task entry: every task exists, failures come through, mistakes are explained."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]


def call(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "tasks.py", *words]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture
def tasks(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("tasks", ROOT / "tasks.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "tasks", module)
    spec.loader.exec_module(module)
    return module


def test_tasks_are_listed_and_documented() -> None:
    done = call()
    listed = re.findall(r"^(\w+)  +\S", done.stdout, flags=re.MULTILINE)
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert done.returncode == 0
    assert listed == re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE)
    assert "lint" in listed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lnt"], "There is no task 'lnt'. Did you mean lint?"),
        (["lint", "quux"], "There is no task 'quux'. Tasks:\nlint "),
        (["lint", "types", "--", "-x"], "Name that task alone."),
        (["all", "--", "-x"], "Name that task alone."),
        (["--", "-x"], "Name that task alone."),
    ],
)
def test_mistakes_are_explained_and_nothing_runs(words: list[str], said: str) -> None:
    done = call(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_first_failure_ends_it_with_its_exit_code(
    tasks: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, status in (("good", 0), ("bad", 7), ("later", 0)):
        (tmp_path / f"{name}.py").write_text(
            f"import sys; open({str(tmp_path)!r} + '/log', 'a').write({name!r} + str(sys.argv[1:]))"
            f"; sys.exit({status})"
        )
        task = tasks.Task("", ((str(tmp_path / f"{name}.py"),),))
        monkeypatch.setitem(tasks.TASKS, name, task)
    assert tasks.main(["good", "--", "-k", "x"]) == 0
    assert tasks.main(["good", "bad", "later"]) == 7
    assert (tmp_path / "log").read_text() == "good['-k', 'x']good[]bad[]"


def test_commands_name_files_that_exist(tasks: ModuleType) -> None:
    words = [w for t in tasks.TASKS.values() for command in t.commands for w in command]
    paths = [word for word in words if "/" in word]
    assert {".ci/check.py", "docs/scripts/tables.py", "tests/golden"} <= set(paths)
    assert all((ROOT / path).exists() for path in paths)


def test_a_signal_is_a_failure(tasks: ModuleType) -> None:
    assert tasks.run(("-c", "import os, signal; os.kill(os.getpid(), signal.SIGTERM)")) == 143


@pytest.mark.slow
def test_a_task_checks_the_source() -> None:
    done = call("lint")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "+ python .ci/check.py ruff format" in done.stdout
