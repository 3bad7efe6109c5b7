"""Everything README.md shows is executed, in an empty folder, as a reader would."""

import os
import re
import shlex
import subprocess
import sys
from math import sqrt
from pathlib import Path

import pytest
from scipy.io import loadmat

from mbdgen import load_result

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND = [sys.executable, "-c", "import sys; from mbdgen.cli import main; sys.exit(main())"]


TUTORIAL = README.partition("## Tutorial")[2].partition("\n## ")[0]
REST = README.replace(TUTORIAL, "")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", REST, flags=re.MULTILINE | re.DOTALL)


def shell(block: str, folder: Path) -> None:
    for line in block.splitlines():
        words = shlex.split(line, comments=True)
        if words:
            assert words[0] == "mbdgen", f"do not know how to test {line!r}"
            run([*COMMAND, *words[1:]], folder)


def run(command: list[str], folder: Path) -> None:
    environment = os.environ | {"MPLBACKEND": "Agg"}
    environment.pop("PYTHONPATH", None)  # the reader's folder is not the project's root
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout}{done.stderr}"


def test_python_blocks_run(tmp_path: Path) -> None:
    """One script from all blocks: a later block may use what an earlier one made."""
    source = blocks("python")
    assert source
    (tmp_path / "readme.py").write_text("\n".join(source), encoding="utf-8")
    run([sys.executable, "readme.py"], tmp_path)


def test_main_command_runs(tmp_path: Path) -> None:
    """What follows the installation in the first command, and its picture."""
    job = shlex.split(blocks("sh")[0].split("&&")[1])
    assert job[0] == "mbdgen"
    run([*COMMAND, *job[1:]], tmp_path)
    picture = tmp_path / job[job.index("--png") + 1]
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_other_commands_run(tmp_path: Path) -> None:
    """Commands shown after the first two, with the installation already done."""
    for block in blocks("sh")[2:]:
        shell(block, tmp_path)


@pytest.mark.slow
def test_tutorial(tmp_path: Path) -> None:
    """Literally: its files are written, its commands run, and what it promises is there."""
    parts = re.findall(
        r"^(?:<!-- file: (\S+) -->\n)?```(python|sh)\n(.*?)^```$",
        TUTORIAL,
        flags=re.MULTILINE | re.DOTALL,
    )
    assert [language for _, language, _ in parts] == ["python", "sh", "python"]
    (model, _, source), (_, _, commands), (script, _, look) = parts
    (tmp_path / model).write_text(source, encoding="utf-8")
    shell(commands, tmp_path)
    (tmp_path / script).write_text(look, encoding="utf-8")
    run([sys.executable, script], tmp_path)
    for name in ("still.html", "cone.html", "faster.html"):
        page = (tmp_path / name).read_text("utf-8")
        assert "<canvas" in page and "http" + "://" not in page.replace("http://www.w3.org", "")
    for name in ("height.png", "path.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
    assert loadmat(tmp_path / "faster.mat")["uT"].shape == (2501, 13)
    # Its height is that of the heavy top: a root of 1 - u^2 + k u.
    k = 0.027**2 * 5.0**2 / (2 * 0.3975 * 4.0 * 9.81 * 0.3)
    lowest = 0.3 * (k - sqrt(k**2 + 4)) / 2
    assert load_result(tmp_path / "cone.npz")["centre.z"].min() == pytest.approx(lowest, abs=1e-5)


def test_ci_runs_the_two_commands() -> None:
    done = subprocess.run(
        [ROOT / ".ci" / "run", "--show"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [block.strip() for block in blocks("sh")[:2]]


def test_files_named_exist() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
