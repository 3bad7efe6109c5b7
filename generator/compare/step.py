"""What a comparison goes through for each scheme: lengths of steps, or tolerances for them."""

from dataclasses import dataclass

from mbdgen.runtime.adaptive import tolerances
from mbdgen.runtime.integrators.base import Method

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
