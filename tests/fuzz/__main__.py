"""``python -m tests.fuzz --models 2000 --files 1000 --seed 1``: the counts, and every fault."""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.fuzz.verdicts import Case, Count
from tests.fuzz.workers import in_copies, quick_compiler

LIMIT = 60.0
"""Seconds of processor time for a case."""


def main(words: list[str]) -> int:
    given = arguments(words)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CC"] = quick_compiler(Path(folder))
        kinds = judges(given.seed)
        if given.case:
            return one(given)
        counts = []
        for kind, (judge, batch) in kinds.items():
            numbers = range(given.first, given.first + getattr(given, kind))
            if numbers:
                counts.append(counted(kind, judge, numbers, batch, given.seed))
    return int(any(count.faults for count in counts))


def counted(
    kind: str, judge: Callable[[int], Case], numbers: range, batch: int, seed: int
) -> Count:
    """Judge cases, print their counts and return them."""
    start, count = time.monotonic(), Count(kind)
    for number, case in in_copies(numbers, judge, LIMIT, batch):
        count.add(number, case)
        if case.verdict.is_fault:
            print(count.lines(seed)[-1], flush=True)
    print("\n".join(count.lines(seed)))
    print(f"  {time.monotonic() - start:.0f} s\n", flush=True)
    return count
