"""Random command lines in a folder with the user's files: a code, a message, nothing lost."""

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import typer

from mbdgen.cli import app as application
from tests.fuzz.estate import Estate
from tests.fuzz.verdicts import Case, Verdict, refusal

MODELS = ("models/swing.py", "models/swing.py", "models/ball.py", "models/swing.py")
NO_MODELS = (
    "pendulm", "", ".", "..", "models", "thesis.txt", "results/swing-rk4.npz", "data/mass.mtx",
    "/dev/null", "no/such.py", "x" * 5000, "a\nb", "é", "\udcff", "-", "mubodyna/rssr",
    "models/swing.py/x", "~", "*",
)  # fmt: skip
NUMBERS = ("0.1", "0.05", "1", "2")
NO_NUMBERS = (
    "0", "-1", "nan", "inf", "-inf", "1e308", "1e400", "1e-320", "5e-324", "", "abc", "0x10",
    "1e", "1,5", "1:0", "0:0", "0:1e308", ":", "1:", "nan:1", "--", "1_0", "é", "1e-300", "-0.0",
    "9" * 400, "0.1:0.05", "None",
)  # fmt: skip
WORDS = (
    "", "no such word", "newmark", "rk4", "dopri5", "RK4", "c", "numba", "js", "flat", "loop",
    "relative", "euler-zxz", "index3", "none", "all", "auto", "sympy", "L=1", "L=nan", "L=", "=1",
    "L", "L=1e308", "L=0", "tip.x=0.5", "tip.x", "tip", "speed", "x=y=z", "__class__=1", "L.x=1",
    "L=1;2", "1", "-1", "nan", "*", "a" * 3000, "tip.x/0", "sqrt(tip.x", "tip.x**tip.y**9**9",
    "max(speed)", "log(0*speed)", "import os", "é", "\udcff", "a\nb",
)  # fmt: skip
FILES = (
    "out.csv", "out.json", "out.npz", "out.html", "out.png", "out.nc", "out.mat", "out.parquet",
    "out", "out.xyz", "no/such/folder/x.csv", ".", "..", "models", "/dev/full", "/dev/null",
    "/proc/x.csv", "", "é.csv", "a\nb.csv", "x" * 300 + ".csv", "\udcff.csv", "built",
    "results/swing-rk4.npz", "checkpoints/swing-newmark.npz", "data/sets.csv", "data/mass.mtx",
    "thesis.txt/x.csv", "-", "--", "out.csv/x",
)  # fmt: skip
HEAVY = ("bench", "compare", "stability", "studio")
"""Commands that take minutes if nothing is wrong: they get a model that is not there."""
PATIENCE = 300.0
"""Seconds on the clock for a command in a process of its own."""
ENVIRONMENTS: tuple[dict[str, str], ...] = (
    {"MBDGEN_CACHE": "/dev/null"}, {"MBDGEN_CACHE": "thesis.txt"},
    {"MBDGEN_CACHE": "/proc/nothing"}, {"MBDGEN_CACHE": "fresh/cache"}, {"MBDGEN_THREADS": "0"},
    {"MBDGEN_THREADS": "many"}, {"CC": "/bin/false"}, {"CC": "no-such-compiler"}, {"CC": "'"},
    {"LC_ALL": "C"}, {"COLUMNS": "1"}, {"TERM": "dumb"},
)  # fmt: skip


def line(random: Random) -> list[str]:
    """Return the words of a command line."""
    commands = typer.main.get_command(application.app).commands  # type: ignore[attr-defined]
    if random.random() < 0.03:
        return [random.choice(("", "rn", "--version", "--help", "-h", "--no-such", "é", "-", "--"))]
    name = random.choices(list(commands), [6 if c in ("run", "build") else 1 for c in commands])[0]
    words, found = [name], commands[name]
    wrong = random.choice((0, 0, 1, 1, 2))
    options = [p for p in found.params if p.param_type_name == "option"]
    for parameter in found.params:
        if parameter.param_type_name == "argument":
            bad = name in HEAVY or random.random() < 0.12
            words.append(random.choice(NO_MODELS if bad else MODELS))
    if name == "bench":  # it has no model, and measures for an hour
        words += ["--problem", random.choice(("pendulm", "A99", "x" * 5000, "é", "a\nb"))]
    known = {p.name for p in options}
    if "t" in known:
        words += ["--t", "0.1"]
    if "h" in known:
        words += ["--h", "0.01"]
    if "backend" in known:
        words += ["--backend", "c"]
    for option in random.sample(options, min(len(options), random.choice((0, 1, 1, 2, 3)))):
        words += _given(option, random, hostile=False)
    for option in random.sample(options, min(len(options), wrong)):
        words += _given(option, random, hostile=True)
    if random.random() < 0.05:
        words.insert(
            random.randrange(len(words) + 1), random.choice(("--no-such", "extra", "-z", "--t"))
        )
    return words


def _given(option: Any, random: Random, hostile: bool) -> list[str]:
    """Return an option with a value that fits to it, or with one that does not."""
    word = random.choice(option.opts)
    if option.is_flag or option.count:
        return [word]
    kind = repr(getattr(option, "type_descriptor", None) or getattr(option, "type", "")).lower()
    if option.name in ("t", "h", "rtol", "atol", "at") or "float" in kind or "int'" in kind:
        usual = {"h": ("0.01", "0.02"), "t": ("0.1", "0.05"), "rtol": ("1e-3", "1e-5")}
        return [word, random.choice(NO_NUMBERS if hostile else usual.get(option.name, NUMBERS))]
    if "path" in kind or option.name in ("out", "png", "csv", "html"):
        return [word, random.choice(FILES if hostile else FILES[:8])]
    return [word, random.choice((*WORDS, *NO_NUMBERS) if hostile else WORDS[2:20])]


def judge(whole: Estate, seed: int, number: int) -> Case:
    """Give a command line in a copy of the folder, and look at what it leaves."""
    random = Random(f"commands {seed} {number}")
    words = line(random)
    surroundings = random.choice(ENVIRONMENTS) if random.random() < 0.1 else {}
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name) / "work"
        shutil.copytree(whole.folder, folder)
        (folder / "thesis.txt").write_text("of the user")
        (folder / "swing.npz").write_text("of the user")
        (folder / "cache" / "thesis.txt").write_text("of the user")
        before = _content(folder)
        os.chdir(folder)
        os.environ.update({"MBDGEN_CACHE": str(folder / "cache"), "COLUMNS": "200", **surroundings})
        case = _process(words, random) if random.random() < 0.06 else _call(words)
        case = _of_files(folder) or case if not case.verdict.is_fault else case
        lost = [p for p, old in before.items() if _lost(folder / p, old, words)]
        os.chdir("/")
    if lost and not case.verdict.is_fault:
        case = Case(Verdict.LOST, ", ".join(lost))
    shown = " ".join(
        repr(w[:60]) if not w.isprintable() or " " in w or not w else w[:60] for w in words
    )
    return Case(case.verdict, f"{shown} {surroundings or ''}: {case.detail}")


def _content(folder: Path) -> dict[str, bytes]:
    """What belongs to the user: everything but entries of the cache."""
    files = [p for p in sorted(folder.rglob("*")) if p.is_file()]
    kept = [
        p for p in files if "cache" not in p.relative_to(folder).parts or p.name == "thesis.txt"
    ]
    return {str(p.relative_to(folder)): p.read_bytes() for p in kept}


def _lost(path: Path, old: bytes, words: list[str]) -> bool:
    """Whether a file has changed that the command line did not name."""
    named = any(path.name in word for word in words[1:] if word not in MODELS)
    return not named and not (path.is_file() and path.read_bytes() == old)


def _of_files(folder: Path) -> Case | None:
    """Numbers in the summary that are none."""

    def refuse(text: str) -> float:
        raise ValueError(text)

    path = folder / "out.json"
    if path.is_file():
        try:
            json.loads(path.read_text(), parse_constant=refuse)
        except ValueError as error:
            return Case(Verdict.NAN, f"out.json: {error}")
    return None


def _call(words: list[str]) -> Case:
    """Run the application in this process, which is a copy already."""
    out, err = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
    kept = sys.stdout, sys.stderr, sys.argv
    sys.stdout, sys.stderr, sys.argv = out, err, ["mbdgen", *words]
    try:
        application.run()
        code: Any = 0
    except SystemExit as ended:
        code = ended.code
    except Exception as error:
        return refusal(error)
    finally:
        sys.stdout, sys.stderr, sys.argv = kept
    err.flush()
    said = err.buffer.getvalue().decode(errors="replace")  # type: ignore[attr-defined]
    return _of_code(0 if code is None else code, said)


def _process(words: list[str], random: Random) -> Case:
    """Run the application by itself, where its streams are full or closed."""
    if any("\0" in word for word in words):
        return Case(Verdict.REFUSED, "by the system")
    how = random.choice(("full", "closed", "plain"))
    end = {"full": " >/dev/full", "closed": " >&- 2>&-", "plain": ""}[how]
    command = ["sh", "-c", f'exec "$0" -m mbdgen "$@"{end}', sys.executable, *words]
    try:
        done = subprocess.run(
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return Case(Verdict.HANG, f"{how}: {PATIENCE:g} s on the clock")
    if done.returncode < 0 or done.returncode > 128:
        return Case(Verdict.SIGNAL, f"{how}: {done.returncode}: {done.stderr[-200:]!r}")
    case = _of_code(done.returncode, done.stderr.decode(errors="replace"))
    return Case(case.verdict, f"{how}: {case.detail}")


def _of_code(code: Any, said: str) -> Case:
    last = said.strip()[-250:]
    if code == 1 and "error: This installation does not work" in said:
        return Case(Verdict.TOLD, last)  # so `mbdgen doctor` ends, as its help says
    if "Traceback (most recent call last)" in said or code not in (0, 2, 3):
        return Case(Verdict.TRACEBACK, f"exit code {code}: {last!r}")
    if code == 0:
        return Case(Verdict.WARNED if "warning" in said else Verdict.SOUND, last)
    if not last:
        return Case(Verdict.SOUND, "nobody to tell")
    return Case(Verdict.REFUSED if code == 2 else Verdict.TOLD, last)
