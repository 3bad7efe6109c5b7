"""What can come out of a case, and how the cases of a kind are counted."""

import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import mbdgen
from mbdgen.errors import MbdgenError

PACKAGE = str(Path(mbdgen.__file__).parent)


class Verdict(StrEnum):
    """Of one case; those that begin with FAULT are defects."""

    SOUND = "sound"
    WARNED = "ended with a warning"
    REFUSED = "refused by an error of ours"
    TOLD = "failed, and said so"
    SLOW = "ended on the way, slow but not stuck"
    HEALED = "healed with equal results"
    TRACEBACK = "FAULT: traceback"
    NAN = "FAULT: silent NaN"
    BLOW_UP = "FAULT: blow-up called normal"
    WRONG = "FAULT: wrong equations or results"
    LOST = "FAULT: lost file"
    HANG = "FAULT: hang"
    SIGNAL = "FAULT: ended by a signal"

    @property
    def is_fault(self) -> bool:
        return self.value.startswith("FAULT")


@dataclass(frozen=True)
class Case:
    """A verdict, in a line why, and the processor time that it took, in seconds."""

    verdict: Verdict
    detail: str = ""
    seconds: float = 0.0


@dataclass
class Count:
    """The verdicts of one kind of cases."""

    kind: str
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    faults: list[tuple[int, Case]] = field(default_factory=list)
    seconds: dict[int, float] = field(default_factory=dict)

    def add(self, number: int, case: Case) -> None:
        self.verdicts[case.verdict] += 1
        self.seconds[number] = case.seconds
        if case.verdict.is_fault:
            self.faults.append((number, case))

    def line(self, seed: int, number: int, case: Case) -> str:
        """How a case is seen again, and what it was."""
        return f"  --seed {seed} --case {self.kind}:{number}: {case.verdict}: {case.detail}"

    def table(self) -> list[str]:
        """How often each verdict was given."""
        width = max(map(len, Verdict))
        counts = [f"  {v.value:<{width}} {self.verdicts[v]:6d}" for v in Verdict]
        slowest = sorted(self.seconds, key=lambda n: -self.seconds[n])[:5]
        longest = ", ".join(f"{n} ({self.seconds[n]:.0f} s)" for n in slowest)
        return [
            f"{self.kind}: {self.verdicts.total()} cases",
            *counts,
            f"  {sum(self.seconds.values()):.0f} s of processor time, longest: {longest}",
        ]


def refusal(error: Exception, theirs: bool = False) -> Case:
    """Judge an exception: ours have causes and remedies, all others come from a defect.

    Parameters
    ----------
    theirs : bool
        Whether it is no defect if it did not come out of the package: the text of a random model
        may itself add a string to a number.
    """
    if isinstance(error, MbdgenError):
        if not error.cause or "Traceback" in str(error):
            return Case(Verdict.TRACEBACK, f"an error without words: {error!r}")
        return Case(Verdict.REFUSED, f"{type(error).__name__}: {error}"[:300])
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(PACKAGE)]
    if theirs and not ours:
        return Case(Verdict.REFUSED, f"by Python: {error!r}"[:300])
    at = ours[-1] if ours else frames[-1]
    where = f"{Path(at.filename).name}:{at.lineno} in {at.name}"
    return Case(Verdict.TRACEBACK, f"{type(error).__name__}: {str(error)[:150]!r} ({where})")


def judged(judge: Callable[[int], Case], number: int) -> Case:
    """Return the verdict on a case; whatever comes out of it is one."""
    try:
        return judge(number)
    except Exception as error:
        return refusal(error)
