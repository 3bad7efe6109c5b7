"""Reading the documents: their code blocks, and a copy of the package that gets new files."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
_FENCE = re.compile(
    r"^(?:<!-- (?P<mark>[^\n]*?) -->\n)?```(?P<language>\w+)\n(?P<text>.*?)^```$",
    flags=re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """A fenced block: the comment before it (``run``, ``file: x.py``, ...), language, text."""

    mark: str
    language: str
    text: str

    @property
    def file(self) -> str:
        """Name of the file that the block is to be saved as."""
        return self.mark.removeprefix("file: ") if self.mark.startswith("file: ") else ""


def blocks(page: Path) -> list[Block]:
    return [Block(m["mark"] or "", m["language"], m["text"]) for m in _FENCE.finditer(read(page))]


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def pages() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]


def run(command: Iterable[str | Path], folder: Path, package: Path | None = None) -> str:
    """Run a command as a reader would, with the installed package or a copy of it."""
    environment = os.environ | {"MPLBACKEND": "Agg"}
    environment.pop("PYTHONPATH", None)
    if package is not None:
        environment["PYTHONPATH"] = str(package)
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_script(text: str, folder: Path, package: Path | None = None) -> str:
    (folder / "script.py").write_text(text, encoding="utf-8")
    return run([sys.executable, "script.py"], folder, package)


def copy_of_package(folder: Path) -> Path:
    """Put the package into ``folder/mbdgen``, with its compiled code: times are kept."""
    target = folder / "mbdgen"
    shutil.copytree(ROOT / "generator", target, copy_function=_copy)
    for name in ("templates", "models"):
        shutil.copytree(ROOT / name, target / name, copy_function=_copy)
    return target


def _copy(source: str, target: str) -> None:
    with suppress(FileNotFoundError):  # another test may be replacing compiled code
        shutil.copy2(source, target)
