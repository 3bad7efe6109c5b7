"""Spectral radii over the step size, and stability limits."""

from dataclasses import dataclass

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.stepping.number_arguments import number
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.stability.amplification import amplification, radius

ROUNDING = 1e-10
"""Tolerance of a spectral radius above 1 for round-off, which is at most 1e-12 as measured."""
AT_LIMIT = 1e-7
"""The same at a limit, where two eigenvalues coincide and lose half of the digits."""
WEAK = 1e-2
"""Largest fraction of the excess beyond a limit that may be round-off; it may be small itself."""
FIRST, LARGEST = 0.01, 100.0
"""Range of ``omega h`` in the search; beyond, stability counts as unlimited."""
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
        Step size at which the radius first exceeds 1: zero if it does so for all small steps,
        infinite if it does not up to 100.
    """

    scheme: str
    damping: float
    steps: tuple[float, ...]
    radii: tuple[float, ...]
    limit: float

    @property
    def text(self) -> str:
        """Return the limit as text."""
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
    """Return the spectral radius, infinite if the method fails to make a step."""
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
