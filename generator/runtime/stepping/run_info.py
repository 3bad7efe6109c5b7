"""Description and statistics of a run."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Counters:
    """Solver statistics and constraint violations of a run.

    Attributes
    ----------
    steps, newton_iterations, factorisations : int
        Number of steps, Newton iterations and matrix factorisations.
    max_phi, max_phi_dot, max_phi_ddot : float
        Largest constraint residual of position, velocity and acceleration after any step.
    energy_drift : float
        Largest ``|E(t) - E(0) - W(t)|`` with ``E = T + V`` and ``W`` the work of drivers and
        nonconservative loads.
    energy_scale : float
        Reference for the drift: the largest kinetic energy, or change of potential or of total
        energy, at any instant at which they were evaluated.
    generic_steps : int
        Steps made by the generic loop, because the fixed pivots of the fused kernels were
        unsuitable.
    accepted, rejected : int
        Accepted and rejected steps. A step is rejected because its error was too large, or, with
        fixed step size, because it did not converge and was bisected. With error estimates by step
        doubling, each costs three of ``steps``.
    """

    steps: int = 0
    newton_iterations: int = 0
    factorisations: int = 0
    max_phi: float = float("nan")
    max_phi_dot: float = float("nan")
    max_phi_ddot: float = float("nan")
    energy_drift: float = float("nan")
    energy_scale: float = float("nan")
    generic_steps: int = 0
    accepted: int = 0
    rejected: int = 0

    @property
    def evaluations(self) -> int:
        """Evaluations of the equations of motion: for the initial conditions, and in the steps.

        One for every Newton iteration and one for the accelerations at the end of a step, or one
        for every stage of an explicit method.
        """
        return 1 + max(self.factorisations, self.newton_iterations + self.steps)


@dataclass(frozen=True)
class RunInfo:
    """Model, scheme and sizes of a run.

    Attributes
    ----------
    model, method, formulation, backend, layout : str
        Names of the choices made.
    reduced : bool
        Whether steps used the reduced system (without coordinates given explicitly by joints);
        methods without a fused step cannot, even if the system was built for it.
    dof, n_q, n_phi, redundant : int
        Degrees of freedom; number of coordinates, of constraint equations and of redundant ones.
    h : float or None
        Step size (None if the method chose it).
    t_end : float
        Time reached.
    parameters : dict of str to float
        Values of the named parameters.
    t_start : float
        Initial time.
    corrections : dict of str to float
        Largest change of a coordinate and of a velocity (``rod.x.dot``) that made the initial
        conditions consistent with the constraints; empty if they were.
    redundancy : str
        Redundant constraint equations and their treatment; empty if there are none.
    """

    model: str
    method: str
    formulation: str
    backend: str
    layout: str
    reduced: bool
    dof: int
    n_q: int
    n_phi: int
    redundant: int
    h: float | None
    t_end: float
    parameters: dict[str, float] = field(default_factory=dict)
    t_start: float = 0.0
    corrections: dict[str, float] = field(default_factory=dict)
    redundancy: str = ""
