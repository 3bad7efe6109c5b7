"""Check the source: `python .ci/check.py [ruff] [format] [mypy] [imports]`, by default all four.

The package is spread over three folders (generator, templates, models), and mypy and import-linter
look a package up by its folder's name. They therefore see a copy in the installed shape, made here;
what they say is translated back to the files of the checkout.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {"mbdgen/templates": "templates", "mbdgen/models": "models", "mbdgen": "generator"}


def installed_shape(target: Path) -> None:
    """Copy the folders to where an installation puts them, with their times for mypy's cache."""
    skip = shutil.ignore_patterns("__pycache__")
    for package, folder in FOLDERS.items():
        shutil.copytree(ROOT / folder, target / package, ignore=skip, dirs_exist_ok=True)


def run(command: list[str], **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.returncode, done.stdout


def run_on_copy(command: list[str]) -> tuple[int, str]:
    with tempfile.TemporaryDirectory() as folder:
        installed_shape(Path(folder))
        status, text = run(command, MYPYPATH=folder, PYTHONPATH=folder)
    for base in (folder, os.path.relpath(folder, ROOT)):
        for package, source in FOLDERS.items():
            text = text.replace(f"{base}/{package}/", f"{source}/")
    return status, text


def check_ruff() -> tuple[int, str]:
    return run(["-m", "ruff", "check", "."])


def check_format() -> tuple[int, str]:
    return run(["-m", "ruff", "format", "--check", "."])


def check_mypy() -> tuple[int, str]:
    return run_on_copy(["-m", "mypy", "-p", "mbdgen"])


def check_imports() -> tuple[int, str]:
    lint = "import sys; from importlinter.cli import lint_imports_command as c; sys.exit(c())"
    return run_on_copy(["-c", lint, "--config", str(ROOT / "pyproject.toml"), "--no-cache"])


CHECKS: dict[str, Callable[[], tuple[int, str]]] = {
    "ruff": check_ruff,
    "format": check_format,
    "mypy": check_mypy,
    "imports": check_imports,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        sys.stderr.write(f"unknown check {unknown[0]!r}: choose from {', '.join(CHECKS)}\n")
        return 2
    worst = 0
    for name in names or CHECKS:
        status, text = CHECKS[name]()
        sys.stdout.write(f"== {name}\n{text}")
        worst = max(worst, abs(status))
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
