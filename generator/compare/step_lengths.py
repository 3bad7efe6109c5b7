"""What a comparison goes through for each scheme: lengths of steps, or tolerances for them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from mbdgen.errors import OptionError
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.stepping.step_size_control import tolerances

USUAL_TOLERANCES = (1e-4, 1e-6, 1e-8)
"""Of libraries, which know no steps, if the user names none."""


@dataclass(frozen=True)
class Step:
    """One point of a sweep: steps of a given length, or tolerances by which they are chosen."""

    h: float | None = None
    rtol: float | None = None
    atol: float | None = None

    @property
    def text(self) -> str:
        """What a user would write."""
        return f"h = {self.h:g}" if self.h is not None else f"rtol = {self.rtol:g}"


@dataclass(frozen=True)
class Sweep:
    """Steps and tolerances of a comparison.

    Attributes
    ----------
    h : tuple of float
        Step sizes, for all methods but libraries.
    rtol : tuple of float
        Tolerances, for all methods that can choose their steps; if there are none, libraries, which
        know no steps, get `USUAL_TOLERANCES`.
    atol : float or None
        Absolute tolerance beside each of them; None: the same number.
    """

    h: tuple[float, ...]
    rtol: tuple[float, ...] = ()
    atol: float | None = None

    def __post_init__(self) -> None:
        for rtol in self.rtol or USUAL_TOLERANCES:
            tolerances(rtol, self.atol)

    def of(self, method: Method) -> list[Step]:
        """Return what a method is run with."""
        tolerances = self.rtol or (USUAL_TOLERANCES if method.library else ())
        chosen = [Step(None, r, self.atol) for r in tolerances if method.varies]
        return chosen if method.library else [*map(Step, self.h), *chosen]


# Where runs are compared: instants that every run meets with steps of the length it is named by.
#
# Simulations divide each interval between recorded instants into equal steps of at most ``h``.
# Between multiples of all step sizes none of them is shortened, so that errors belong to the steps
# beside which they are printed.
LARGEST_RATIO = 10**6
"""Denominator of the ratio of two steps; what needs a larger one has round-off as its reason."""
ROUNDING = 1e-9
"""Part of the span that is none: 0.3 / 0.1 is not quite 3."""


def common_multiple(steps: Sequence[float]) -> float:
    """Return the smallest multiple of all steps: ``H = n max(h)`` with ``n max(h) / h`` whole."""
    largest = max(steps)
    ratios = [Fraction(largest / h).limit_denominator(LARGEST_RATIO) for h in steps]
    return largest * math.lcm(*(ratio.denominator for ratio in ratios))


def instants(span: tuple[float, float], steps: Sequence[float], most: int) -> list[float]:
    """Return at most so many multiples of all steps, from the start to the last within the span.

    Without steps, of runs that choose theirs, the span is divided equally.
    """
    start, end = span
    if not steps:
        return [start + (end - start) * k / most for k in range(most)] + [end]
    length, common = abs(end - start), common_multiple(steps)
    count = math.floor(length / common * (1.0 + ROUNDING))
    if count == 0:
        raise OptionError(
            f"The steps {', '.join(f'{h:g}' for h in steps)} s first have a common multiple at "
            f"{common:g} s, behind the time span of {length:g} s.",
            "Give steps that divide the largest one, or a longer time.",
        )
    every = math.ceil(count / most)
    way = math.copysign(common, end - start)
    last = start + count * way
    whole = abs(end - last) <= ROUNDING * length
    return [*(start + k * way for k in range(0, count, every)), end if whole else last]
