"""The habits of this project by name: ``python tasks.py NAME ... [-- ARGUMENTS]``.

Without a name it lists the tasks. Several are done one after the other, up to the first that fails;
its exit code is that of the whole. Arguments behind ``--`` go to the command of a single task:
``python tasks.py fast -- tests/unit -k lu``. The tools come from ``pip install -e ".[dev]"``.
"""

import subprocess
import sys
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parent
WRONG_USE, INTERRUPTED = 2, 130
PARALLEL = ("-n", "auto", "--dist", "loadfile")  # what a file shares is compiled once
# Ratios of times mean nothing while other tests run beside them.
WITHOUT_RATIOS = ("--ignore", "tests/benchmarks")
SCRIPT = 'if __name__ == "__main__":'
Command = tuple[str, ...]
"""What follows the name of the Python interpreter."""


@dataclass(frozen=True)
class Task:
    """Commands, done in the project's root one after the other, and what they are good for."""

    purpose: str
    commands: tuple[Command, ...]


def _check(*names: str) -> tuple[Command]:
    return ((".ci/check.py", *names),)


def _tests(*words: str) -> tuple[Command]:
    return (("-m", "pytest", *words),)


def _documents() -> tuple[Command, ...]:
    """Every script in ``docs/scripts`` writes a part of the documents; other files serve those."""
    scripts = [p for p in sorted(ROOT.glob("docs/scripts/*.py")) if SCRIPT in p.read_text("utf-8")]
    return tuple((str(script.relative_to(ROOT)),) for script in scripts)


CHECKS = {
    "lint": Task("ruff: rules and format", _check("ruff", "format")),
    "types": Task(
        "mypy --strict, and what it and pyright say of scripts of users",
        (*_check("mypy"), *_tests("tests/unit/language/test_typed_methods.py", "-m", "slow")),
    ),
    "contracts": Task("import-linter: who may import whom", _check("imports")),
    "fast": Task("the default tests, some six minutes", _tests(*PARALLEL)),
    "slow": Task(
        "the tests marked slow, an hour or two", _tests(*PARALLEL, "-m", "slow", *WITHOUT_RATIOS)
    ),
    "benchmarks": Task(
        "operation counts and ratios of times against their baseline",
        _tests("tests/benchmarks", "-m", "slow or not slow"),
    ),
}
"""They write nothing; together they are the task ``all``."""

TASKS = {
    **CHECKS,
    "golden": Task(
        "write the modules in generated/ again", _tests("tests/golden", "--update-golden")
    ),
    "baseline": Task(
        "write the operation counts of tests/benchmarks/baseline.json again",
        _tests("tests/benchmarks/test_operation_counts.py", "--update-baseline"),
    ),
    "fuzz": Task(
        "random models, damaged files, command lines, requests: -- --models 2000 --files 1000",
        (("-m", "tests.fuzz"),),
    ),
    "calibration": Task(
        "estimated beside true errors of all references: write the tables of docs/accuracy.md",
        (("docs/scripts/calibration.py", "--measure"),),
    ),
    "methods": Task(
        "write the typed methods of Model again, from the classes that state them",
        ((".ci/methods.py",),),
    ),
    "suggestions": Task(
        "run every shipped model as it suggests, verified: -- NAME ...",
        (("-m", "tests.suggestions"),),
    ),
    "docs": Task("write the tables and pictures of the documents again", _documents()),
    "all": Task(
        f"what a change must pass: {', '.join(CHECKS)}",
        tuple(command for check in CHECKS.values() for command in check.commands),
    ),
}


def say(text: str, stream: TextIO | None = None) -> None:
    """Write a line at once: commands write to the same terminal."""
    target = stream or sys.stdout
    target.write(text + "\n")
    target.flush()


def overview() -> str:
    """Return a line for each task."""
    width = max(map(len, TASKS))
    return "\n".join(f"{name:<{width}}  {task.purpose}" for name, task in TASKS.items())


def why_refused(names: list[str], arguments: list[str]) -> str:
    """Return what is wrong with a call, and how it would be right; nothing if it is right."""
    for name in names:
        if name not in TASKS:
            near = get_close_matches(name, TASKS, n=3)
            hint = f"Did you mean {' or '.join(near)}?" if near else f"Tasks:\n{overview()}"
            return f"There is no task '{name}'. {hint}"
    if arguments and (len(names) != 1 or len(TASKS[names[0]].commands) != 1):
        return "Arguments behind -- are for one task of one command. Name that task alone."
    return ""


def run(command: Command) -> int:
    """Run a command in the project's root and return its exit code."""
    say(f"+ python {' '.join(command)}")
    status = subprocess.run([sys.executable, *command], cwd=ROOT).returncode
    return 128 - status if status < 0 else status  # ended by a signal: as a shell reports it


def main(words: list[str]) -> int:
    """Do the tasks and return the exit code of the first that fails."""
    split = words.index("--") if "--" in words else len(words)
    names, arguments = words[:split], words[split + 1 :]
    if refusal := why_refused(names, arguments):
        say(refusal, sys.stderr)
        return WRONG_USE
    if not names:
        say(f"python tasks.py NAME ... [-- ARGUMENTS]\n\n{overview()}")
        return 0
    for name in names:
        for command in TASKS[name].commands:
            if status := run((*command, *arguments)):
                say(f"Task '{name}' failed with exit code {status}.", sys.stderr)
                return status
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
