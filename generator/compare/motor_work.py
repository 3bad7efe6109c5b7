"""Work of the motor of a comparison, from its angle of rotation instead of its power."""

from dataclasses import dataclass

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.results import measures
from mbdgen.runtime.results.result import Result


@dataclass(frozen=True)
class MotorWork:
    """Motor of constant torque.

    Attributes
    ----------
    angle : str
        Output with the angle of rotation.
    torque : float
        In N m.
    """

    angle: str
    torque: float

    def check(self, result: Result) -> None:
        """Refuse an output that is not one angle."""
        if result[self.angle].ndim != 1:
            raise OptionError(
                f"'{self.angle}' is not one series.", "Give an output that is one angle."
            )

    def balance(self, result: Result) -> float:
        """Largest ``|E - E0 - torque (angle - angle0)|`` of a motion."""
        balance = measures.motor_balance(result, self.torque, result[self.angle])
        return float(np.abs(balance).max())
