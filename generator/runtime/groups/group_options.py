"""Options of a simulation by groups."""

from dataclasses import dataclass

from mbdgen.errors import OptionError
from mbdgen.limits import require
from mbdgen.runtime.groups.group_steps import RK4, TRAPEZOIDAL
from mbdgen.runtime.groups.group_workspace import MATRIX_R, PENALTIES
from mbdgen.runtime.methods.run_limits import (
    GROUP_FORMULATIONS,
    GROUP_METHODS,
    GROUPS,
    RUN_SCHEME_LIMITS,
)
from mbdgen.runtime.methods.scheme import choose

METHODS = dict(zip(GROUP_METHODS, (TRAPEZOIDAL, RK4), strict=True))
FORMULATIONS = dict(zip(GROUP_FORMULATIONS, (MATRIX_R, PENALTIES), strict=True))


@dataclass(frozen=True)
class Options:
    """Method, formulation and tolerances of a simulation by groups.

    Attributes
    ----------
    method : str
        ``trapezoidal`` or ``rk4``.
    formulation : str
        ``matrix-r`` or ``penalty``; None (the own treatment of a method) is rejected.
    by_groups : bool
        Whether to use the groups; otherwise the same is computed from the whole mechanism.
    tolerance : float
        Tolerance of the corrector iteration of the trapezoidal rule.
    penalty, omega, xi : float
        Penalty factor, frequency and damping ratio of the constraints.
    reactions : bool
        Whether Lagrange multipliers are computed at recorded instants, which requires the whole
        mechanism; otherwise they are NaN.
    """

    method: str = "trapezoidal"
    formulation: str | None = "matrix-r"
    by_groups: bool = True
    tolerance: float = 1e-10
    penalty: float = 1e7
    omega: float = 10.0
    xi: float = 1.0
    reactions: bool = False

    def __post_init__(self) -> None:
        scheme = choose(self.method, self.formulation)
        require(RUN_SCHEME_LIMITS, run=GROUPS, scheme=scheme)
        for name in ("tolerance", "penalty"):
            if not getattr(self, name) > 0.0:
                raise OptionError(f"{name} is {getattr(self, name)!r}.", "Give a positive number.")
