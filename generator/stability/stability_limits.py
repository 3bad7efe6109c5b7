"""Spectral radii over the step, and the step where stability ends."""

from dataclasses import dataclass

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.stepping.number_arguments import number
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.stability.amplification import amplification, radius

ROUNDING = 1e-10
"""That a spectral radius may be above 1: what rounding makes of it, [M] at most 1e-12."""
AT_LIMIT = 1e-7
"""The same where a limit is looked for: there two eigenvalues meet, and lose half of the digits."""
WEAK = 1e-2
"""Part of the excess behind a limit that is rounding at most: the excess may be small itself."""
FIRST, LARGEST = 0.01, 100.0
"""Steps ``omega h`` where the search begins, and where stability counts as unlimited."""
PER_DECADE = 16
ACCURACY = 1e-8


@dataclass(frozen=True)
class Stability:
    """Stability of a scheme on an oscillator.

    Attributes
    ----------
    scheme : str
        Method and options.
    damping : float
        Damping ratio of the oscillator.
    steps, radii : tuple of float
        ``omega h``, and the spectral radius there.
    limit : float
        Where the radius first exceeds 1: zero if it does so at every small step, infinite if it
        does not up to 100.
    """

    scheme: str
    damping: float
    steps: tuple[float, ...]
    radii: tuple[float, ...]
    limit: float

    @property
    def text(self) -> str:
        """Return the limit in words."""
        if self.limit == 0.0:
            excess = self.radii[0] - 1.0
            return f"unstable at every step: radius 1 + {excess:.3g} at {self.steps[0]:g}"
        if self.limit == np.inf:
            return f"no limit up to omega h = {LARGEST:g}"
        return f"stable up to omega h = {self.limit:.7g}"


def stability(scheme: Scheme, name: str, damping: float = 0.0) -> Stability:
    """Compute spectral radii from ``omega h = 0.01`` to 100, and the limit by bisection."""
    damping = number("damping", damping)
    count = round(PER_DECADE * np.log10(LARGEST / FIRST)) + 1
    steps = np.geomspace(FIRST, LARGEST, count)
    radii = np.array([_radius(scheme, float(h), damping) for h in steps])
    return Stability(
        name, damping, tuple(steps), tuple(radii), _limit(scheme, damping, steps, radii)
    )


def _radius(scheme: Scheme, h: float, damping: float) -> float:
    """Return the spectral radius, infinite where the method makes no step at all."""
    try:
        return radius(amplification(scheme, h, damping))
    except OptionError:
        return float("inf")


def _limit(scheme: Scheme, damping: float, steps: FloatArray, radii: FloatArray) -> float:
    above = np.flatnonzero(~(radii <= 1.0 + ROUNDING))
    if len(above) == 0:
        return float("inf")
    if above[0] == 0:
        return 0.0
    low, high = float(steps[above[0] - 1]), float(steps[above[0]])
    allowed = max(ROUNDING, min(AT_LIMIT, WEAK * (float(radii[above[0]]) - 1.0)))
    while high - low > ACCURACY * high:
        middle = 0.5 * (low + high)
        if _radius(scheme, middle, damping) <= 1.0 + allowed:
            low = middle
        else:
            high = middle
    return low
