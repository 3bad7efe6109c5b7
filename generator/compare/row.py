"""What is known of one run of a comparison."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """One run.

    Attributes
    ----------
    scheme, backend : str
        What ran.
    h : float
        Step size.
    error : float or None
        Largest distance of the outputs from the reference, relative to their largest size.
    total_error : float or None
        Root mean square of the relative errors of all outputs at all instants, those below 1e-3
        taken as 1e-3 (`mbdgen.runtime.measures.total_error`).
    energy_drift : float or None
        Largest ``|E - E0 - W|`` in J.
    phi, phi_dot, phi_ddot : float or None
        Largest violations of the three levels.
    steps, iterations : int
        Steps, and Newton iterations of all of them.
    cpu : float or None
        Processor time of the solve alone, s.
    order : float or None
        Observed order between this step and the next larger one of the same scheme.
    failed : str
        Why there are no numbers; empty if there are.
    """

    scheme: str
    backend: str
    h: float
    error: float | None = None
    total_error: float | None = None
    energy_drift: float | None = None
    phi: float | None = None
    phi_dot: float | None = None
    phi_ddot: float | None = None
    steps: int = 0
    iterations: int = 0
    cpu: float | None = None
    order: float | None = None
    failed: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for a file."""
        return asdict(self)
