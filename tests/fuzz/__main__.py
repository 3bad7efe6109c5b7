"""``python -m tests.fuzz --models 2000 --files 1000 --seed 1``: the counts, and every fault."""

import argparse
import importlib
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from mbdgen.runtime.program.processors import cores
from tests.fuzz import command_lines, estate, files, models, motions, requests
from tests.fuzz.verdicts import Case, Count, Verdict
from tests.fuzz.workers import in_copies, quick_compiler

LIMIT = 90.0
"""Seconds of processor time for a case; the first that needs a method compiles it."""
BATCHES = {"files": 1, "lines": 1, "requests": 10, "models": 25}
"""How many cases share a process. Models come last: what they are warmed up with is in memory."""
Judge = Callable[[int], Case]


def main(words: list[str]) -> int:
    """Judge what the command line asks for; 1 if there is any fault."""
    given = _arguments(words)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        os.environ["CC"] = quick_compiler(folder)
        known = judges(folder, given.seed, [k for k in BATCHES if _wanted(given, k)])
        if given.case:
            return one(known, given.seed, *given.case)
        counts = [
            counted(
                kind,
                judge,
                range(given.first, given.first + getattr(given, kind)),
                given.seed,
                given.processes,
            )
            for kind, judge in known.items()
        ]
    return int(any(count.faults for count in counts))


def _wanted(given: argparse.Namespace, kind: str) -> bool:
    return given.case[0] == kind if given.case else getattr(given, kind) > 0


def _arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python tasks.py fuzz --", description=__doc__)
    for kind in BATCHES:
        parser.add_argument(f"--{kind}", type=int, default=0, metavar="N", help="how many cases")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--first", type=int, default=0, metavar="N", help="number of the first case"
    )
    parser.add_argument(
        "--processes", type=int, default=cores(), metavar="N", help="cases that are judged at once"
    )
    parser.add_argument("--case", type=_case, metavar="KIND:N", help="show one case of a report")
    given = parser.parse_args(words)
    if not given.case and not any(getattr(given, kind) for kind in BATCHES):
        parser.error("say how many: --models 2000 --files 1000 --lines 300 --requests 300")
    return given


def _case(text: str) -> tuple[str, int]:
    kind, _, number = text.partition(":")
    if kind not in BATCHES or not number.isdecimal():
        raise argparse.ArgumentTypeError(f"one of {', '.join(BATCHES)}, a colon and a number")
    return kind, int(number)


def judges(folder: Path, seed: int, kinds: list[str]) -> dict[str, Judge]:
    """Return how cases of each kind are judged; what they need is made once."""
    for module in (
        "compiler",
        "runtime.simulate",
        "runtime.stepping.step_size_control",
        "cli.commands.run",
        "studio.server",
    ):
        importlib.import_module(f"mbdgen.{module}")
    found: dict[str, Judge] = {
        "models": partial(motions.judge, seed),
        "requests": partial(requests.judge, seed),
    }
    if {"files", "lines"} & {*kinds}:
        home = folder / "estate"
        ((_, case),) = in_copies([0], lambda _: _make(home), 3000.0, 1)
        if case.verdict is not Verdict.SOUND:
            raise RuntimeError(f"sound files could not be made: {case}")
        whole = estate.opened(home)
        found["files"] = partial(files.judge, whole, seed)
        found["lines"] = partial(command_lines.judge, whole, seed)
    return {kind: found[kind] for kind in kinds}


def _make(home: Path) -> Case:
    estate.make(home)
    return Case(Verdict.SOUND)


def counted(kind: str, judge: Judge, numbers: range, seed: int, at_once: int = 1) -> Count:
    """Judge cases, print their counts, and return them."""
    start, count = time.monotonic(), Count(kind)
    if kind == "models":
        motions.warm_up()
    for number, case in in_copies(numbers, judge, LIMIT, BATCHES[kind], at_once):
        count.add(number, case)
        if case.verdict.is_fault:
            print(count.line(seed, number, case), flush=True)
    print("\n".join(count.table()))
    print(f"  {time.monotonic() - start:.0f} s\n", flush=True)
    return count


def one(known: dict[str, Judge], seed: int, kind: str, number: int) -> int:
    """Show a case: the text of a model, and its verdict; its traceback goes to stderr."""
    if kind == "models":
        print(models.script(seed, number), flush=True)
    ((_, case),) = in_copies([number], known[kind], LIMIT, 1)
    print(f"{kind}:{number}: {case.verdict}: {case.detail}")
    return int(case.verdict.is_fault)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
