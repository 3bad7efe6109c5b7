"""What a user chooses of a simulation by groups."""

from dataclasses import dataclass

from mbdgen.errors import OptionError
from mbdgen.runtime.groups.room import MATRIX_R, PENALTIES
from mbdgen.runtime.groups.steps import RK4, TRAPEZOIDAL

METHODS = {"trapezoidal": TRAPEZOIDAL, "rk4": RK4}
FORMULATIONS = {"matrix-r": MATRIX_R, "penalty": PENALTIES}


@dataclass(frozen=True)
class Options:
    """How a mechanism is simulated by groups.

    Attributes
    ----------
    method : str
        ``trapezoidal`` or ``rk4``.
    formulation : str
        ``matrix-r`` or ``penalty``.
    by_groups : bool
        Whether to use the groups; otherwise the same is computed from the whole mechanism.
    tolerance : float
        Of the correctors of the trapezoidal rule.
    penalty, omega, xi : float
        Size, frequency and damping ratio of stiff constraints.
    reactions : bool
        Whether multipliers are found at recorded instants, which takes the whole mechanism;
        otherwise they are NaN.
    """

    method: str = "trapezoidal"
    formulation: str = "matrix-r"
    by_groups: bool = True
    tolerance: float = 1e-10
    penalty: float = 1e7
    omega: float = 10.0
    xi: float = 1.0
    reactions: bool = False

    def __post_init__(self) -> None:
        for what, value, known in (
            ("method", self.method, METHODS),
            ("formulation", self.formulation, FORMULATIONS),
        ):
            if value not in known:
                raise OptionError(
                    f"The solver by groups has no {what} {value!r}.",
                    f"It has: {', '.join(known)}; the global solver has others.",
                )
        for name in ("tolerance", "penalty"):
            if not getattr(self, name) > 0.0:
                raise OptionError(f"{name} is {getattr(self, name)!r}.", "Give a positive number.")
