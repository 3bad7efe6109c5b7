"""What a run was: its choices, and what it cost."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Counters:
    """What the run cost and how well it kept the equations.

    Attributes
    ----------
    steps, newton_iterations, factorisations : int
        Work done.
    max_phi, max_phi_dot, max_phi_ddot : float
        Largest constraint residual of position, velocity and acceleration after any step.
    energy_drift : float
        Largest ``|E(t) - E(0) - W(t)|`` with ``E = T + V`` and ``W`` the work of drivers and
        non-conservative loads.
    energy_scale : float
        What the drift is to be compared with: the largest of the kinetic energy, and of the changes
        of potential and of total energy, at any instant that was looked at.
    generic_steps : int
        Steps that fused kernels refused, because their pivots did not suit, and the generic loop
        made.
    accepted, rejected : int
        Steps that belong to the motion, and steps that were taken back: because their error was too
        large, or, of fixed steps, because they did not converge and were made in halves. Where the
        error is found by doubling, each costs three of ``steps``.
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
        """Evaluations of the equations of motion: at the beginning, and in the steps.

        One for every iteration of Newton and one for the accelerations at the end of a step, or one
        for every stage of a method that has no iterations.
        """
        return 1 + max(self.factorisations, self.newton_iterations + self.steps)


@dataclass(frozen=True)
class RunInfo:
    """What was simulated and how.

    Attributes
    ----------
    model, method, formulation, backend, layout : str
        Names of the choices made.
    reduced : bool
        Whether steps left out the coordinates that joints give: methods without a fused step
        cannot, also if the system was built for it.
    dof, n_q, n_phi, redundant : int
        Degrees of freedom, coordinates, constraint equations, and how many of these depend on
        others.
    h : float or None
        Step size (None if the method chose it).
    t_end : float
        Time reached.
    parameters : dict of str to float
        Values of the named parameters.
    t_start : float
        Time of the beginning.
    corrections : dict of str to float
        Largest change of a coordinate and of a velocity (``rod.x.dot``) that made the initial
        values fulfil the constraints; empty if they did.
    redundancy : str
        Which equations depend on others and what was done about them; empty if none do.
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
