"""Estimated accuracy of a run, as stored in `Result.accuracy`."""

from dataclasses import dataclass
from math import isfinite, nan

WARNED = 0.05
"""Relative error, of the trajectory or of the energy, above which a run ends with a warning."""
HOPELESS = 1.0
"""Estimated relative error above which no digit is left: such a run is not a success."""


@dataclass(frozen=True)
class Accuracy:
    """Error estimates of a run; NaN where no estimate is possible.

    Attributes
    ----------
    relative_error : float
        Estimated error of the trajectory: the largest one of any coordinate at any instant, divided
        by the amplitude of the coordinates of its kind.
    worst_time : float
        Instant of the largest local error.
    energy_balance : float
        Largest ``|E(t) - E(0) - W(t)|``, divided by the energy of the motion: the largest kinetic
        energy, variation of the potential energy, or work.
    constraint_violation : float
        Largest violation of a constraint equation, divided by the violation for coordinate errors
        of their own magnitude.
    shortest_period : float
        Shortest period excited in the motion, in seconds.
    linearised_period : float
        Shortest period of the motion linearised about its last instant, in seconds, excited or not.
        Infinite without stiffness.
    h : float
        Step size (the largest one if it varies).
    advice : str
        One sentence with the recommended step size.
    missed_contacts : int
        Number of contacts that were skipped, or resolved by fewer than three steps.
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
        """Return the periods of the linearised motion per step, as text, if more than a half."""
        periods = self.h / self.linearised_period
        return f" (h is {periods:.2g} of it: not resolved)" if periods > 0.5 else ""

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Return the rows for a log: estimates, and step size relative to the fastest motion."""
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
