"""Result of one run of a comparison."""

from dataclasses import dataclass

from mbdgen.compare.step_lengths import Step


@dataclass(frozen=True)
class ComparisonRow:
    """One run.

    Attributes
    ----------
    scheme, backend : str
        Scheme and backend.
    h : float or None
        Step size; None with step-size control.
    rtol, atol : float or None
        Tolerances of step-size control.
    error : float or None
        Largest distance of the outputs from the reference, relative to their largest magnitude.
    total_error : float or None
        Root mean square of the relative errors of all outputs at all instants; magnitudes below
        1e-3 count as 1e-3 (`mbdgen.runtime.results.measures.total_error`).
    energy_drift : float or None
        Largest ``|E - E0 - W|`` in J, with the work of drivers and nonconservative loads integrated
        from their power.
    energy_spread : float or None
        ``100 (max E - min E) / |E0|`` in percent (`mbdgen.runtime.results.measures.energy_spread`);
        for conservative systems. None if the initial energy is zero.
    motor_balance : float or None
        Largest ``|E - E0 - torque (angle - angle0)|`` in J, if a motor was given
        (`mbdgen.runtime.results.measures.motor_balance`).
    phi, phi_dot, phi_ddot : float or None
        Largest constraint violations of position, velocity and acceleration level.
    steps, iterations : int
        Steps, and their Newton iterations in total.
    cpu : float or None
        CPU time of the solution alone, s.
    order : float or None
        Observed order between this step and the next larger one of the same scheme.
    failed : str
        Reason of a failure; empty after success.
    """

    scheme: str
    backend: str
    h: float | None = None
    rtol: float | None = None
    atol: float | None = None
    error: float | None = None
    total_error: float | None = None
    energy_drift: float | None = None
    energy_spread: float | None = None
    motor_balance: float | None = None
    phi: float | None = None
    phi_dot: float | None = None
    phi_ddot: float | None = None
    steps: int = 0
    iterations: int = 0
    cpu: float | None = None
    order: float | None = None
    failed: str = ""

    @property
    def step(self) -> Step:
        """Step size or tolerances."""
        return Step(self.h, self.rtol, self.atol)
