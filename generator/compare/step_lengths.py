"""Step sizes and tolerances of a comparison, and instants common to all step sizes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from mbdgen.errors import OptionError
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.stepping.step_size_control import tolerances

USUAL_TOLERANCES = (1e-4, 1e-6, 1e-8)
"""Tolerances of libraries if the user gives none."""


@dataclass(frozen=True)
class Step:
    """One point of a sweep: a fixed step size, or tolerances of step-size control."""

    h: float | None = None
    rtol: float | None = None
    atol: float | None = None

    @property
    def text(self) -> str:
        """Text as given by a user."""
        return f"h = {self.h:g}" if self.h is not None else f"rtol = {self.rtol:g}"


@dataclass(frozen=True)
class Sweep:
    """Step sizes and tolerances of a comparison.

    Attributes
    ----------
    h : tuple of float
        Step sizes, for all methods except libraries.
    rtol : tuple of float
        Tolerances, for all methods with step-size control; if there are none, libraries get
        `USUAL_TOLERANCES`.
    atol : float or None
        Absolute tolerance for each of them; None: equal to the relative one.
    """

    h: tuple[float, ...]
    rtol: tuple[float, ...] = ()
    atol: float | None = None

    def __post_init__(self) -> None:
        for rtol in self.rtol or USUAL_TOLERANCES:
            tolerances(rtol, self.atol)

    def of(self, method: Method) -> list[Step]:
        """Return the step sizes and tolerances that a method is run with."""
        tolerances = self.rtol or (USUAL_TOLERANCES if method.library else ())
        chosen = [Step(None, r, self.atol) for r in tolerances if method.varies]
        return chosen if method.library else [*map(Step, self.h), *chosen]


# Instants of a comparison: reached by every run with its nominal step size.
#
# Simulations divide each interval between recorded instants into equal steps of at most ``h``.
# Between multiples of all step sizes no step is shortened, so that errors belong to the printed
# step sizes.
LARGEST_RATIO = 10**6
"""Largest denominator of the ratio of two steps; larger ones are due to round-off."""
ROUNDING = 1e-9
"""Round-off as a fraction of the span: 0.3 / 0.1 is not exactly 3."""


def common_multiple(steps: Sequence[float]) -> float:
    """Return the least common multiple of all steps: ``n max(h)`` with ``n max(h) / h`` whole."""
    largest = max(steps)
    ratios = [Fraction(largest / h).limit_denominator(LARGEST_RATIO) for h in steps]
    return largest * math.lcm(*(ratio.denominator for ratio in ratios))


def instants(span: tuple[float, float], steps: Sequence[float], most: int) -> list[float]:
    """Return a limited number of multiples of all steps, from the start to the end of the span.

    Without step sizes the span is divided equally.
    """
    start, end = span
    if not steps:
        return [start + (end - start) * k / most for k in range(most)] + [end]
    length, common = abs(end - start), common_multiple(steps)
    count = math.floor(length / common * (1.0 + ROUNDING))
    if count == 0:
        raise OptionError(
            f"The steps {', '.join(f'{h:g}' for h in steps)} s have their least common multiple "
            f"at {common:g} s, beyond the time span of {length:g} s.",
            "Give steps that divide the largest one, or a longer time.",
        )
    every = math.ceil(count / most)
    way = math.copysign(common, end - start)
    last = start + count * way
    whole = abs(end - last) <= ROUNDING * length
    return [*(start + k * way for k in range(0, count, every)), end if whole else last]
