"""Where runs are compared: instants that every run meets with steps of the length it is named by.

Simulations divide each interval between recorded instants into equal steps of at most ``h``.
Between multiples of all step sizes none of them is shortened, so that errors belong to the steps
beside which they are printed.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from mbdgen.errors import OptionError

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
