"""How wrong a run is, as far as it knows itself: what `Result.accuracy` holds."""

from dataclasses import dataclass
from math import isfinite, nan

WARNED = 0.05
"""Relative error, of the trajectory or of the energy, from which on a run ends with a warning."""
HOPELESS = 1.0
"""Estimated relative error from which on no digit is left: such a run is not a success."""


@dataclass(frozen=True)
class Accuracy:
    """An estimate of the errors of a run; NaN is what could not be estimated.

    Attributes
    ----------
    relative_error : float
        Estimated error of the trajectory: the largest one of any coordinate at any instant, divided
        by how far the coordinates of its kind move.
    worst_time : float
        Instant of the largest local error.
    energy_balance : float
        Largest ``|E(t) - E(0) - W(t)|``, divided by the energy of the motion: the largest kinetic
        energy, variation of the potential energy, or work.
    constraint_violation : float
        Largest violation of a constraint equation, divided by what it would be if the coordinates
        were wrong by their own size.
    shortest_period : float
        The shortest period of what the motion does, in seconds.
    linearised_period : float
        The shortest period of the motion linearised about its last instant, in seconds: also of
        what nothing has excited. Infinite where nothing pulls back.
    h : float
        Length of the steps (the longest one where they vary).
    advice : str
        One sentence: which step would do.
    missed_contacts : int
        Contacts that were stepped over, or seen by fewer than three steps.
    """

    relative_error: float = nan
    worst_time: float = nan
    energy_balance: float = nan
    constraint_violation: float = nan
    shortest_period: float = nan
    linearised_period: float = nan
    h: float = nan
    advice: str = ""
    missed_contacts: int = 0

    @property
    def text(self) -> str:
        """The estimates in one line."""
        parts = []
        if isfinite(self.relative_error):
            parts.append(f"relative error of the motion about {self.relative_error:.0e}")
        if isfinite(self.energy_balance):
            parts.append(f"of the energy {self.energy_balance:.0e}")
        if isfinite(self.constraint_violation):
            parts.append(f"of the constraints {self.constraint_violation:.0e}")
        return ", ".join(parts) or "not estimated"

    @property
    def _long(self) -> str:
        """How many periods of the linearised motion a step has, if it is more than a half."""
        periods = self.h / self.linearised_period
        return f" (h is {periods:.2g} of it: not resolved)" if periods > 0.5 else ""

    @property
    def rows(self) -> list[tuple[str, str]]:
        """What a log says: the estimates, and the step beside the fastest motion."""
        found = [("accuracy", self.text)]
        words = []
        if isfinite(self.shortest_period):
            words.append(f"shortest period {self.shortest_period:.3g} s")
        if isfinite(self.linearised_period):
            words.append(f"of the linearised motion {self.linearised_period:.3g} s{self._long}")
        if isfinite(self.worst_time):
            words.append(f"largest local error near t = {self.worst_time:.6g} s")
        if words or self.advice:
            found.append(("step", "; ".join([*words, self.advice]).removesuffix("; ")))
        return found
