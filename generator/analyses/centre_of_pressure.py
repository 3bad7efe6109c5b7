"""Centre of pressure of a foot on level ground, from the recorded ground reaction."""

from dataclasses import dataclass

import numpy as np

from mbdgen.analyses.analysis_table import Column, Table
from mbdgen.analyses.base import MotionAnalysis
from mbdgen.errors import OptionError
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.system_data import FloatArray

SMALLEST = 1e-9
"""Fraction of the largest normal force below which the foot is not in contact."""


@dataclass(frozen=True)
class CentreOfPressure(MotionAnalysis):
    r"""Path of the centre of pressure on level ground, normal force and free moment of a foot.

    At the intersection of the resultant with the plane z = height its moment has no horizontal
    part: with force F and moment M about P on the foot and ``d = z_P - height`` that is ``x = x_P -
    (M_y + d F_x) / F_z``, ``y = y_P + (M_x - d F_y) / F_z``. The remaining (free) moment is about
    z. Without contact the values are nan.

    Parameters
    ----------
    force, torque : str
        Names of outputs with three components in global axes: reaction force and moment.
    on : str
        Body that the reaction acts on: ``foot`` or ``ground``. A joint reaction acts on its last
        body.
    x, y, z : float
        Reference point of the moment.
    height : float
        Height of the ground, a plane normal to z.
    """

    name = "centre_of_pressure"

    force: str
    torque: str
    on: str = "foot"
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    height: float = 0.0

    def of(self, result: Result) -> Table:
        """Return path, normal force, free moment, and whether the foot is in contact."""
        if self.on not in ("foot", "ground"):
            raise OptionError(
                f"'on' of the analysis '{self.name}' is {self.on!r}.", "Give foot or ground."
            )
        sign = 1.0 if self.on == "foot" else -1.0
        fx, fy, fz = sign * self._vector(result, self.force).T
        mx, my, mz = sign * self._vector(result, self.torque).T
        pressed = fz > SMALLEST * np.abs(fz).max(initial=0.0)
        d, divisor = self.z - self.height, np.where(pressed, fz, np.nan)
        to_x, to_y = -(my + d * fx) / divisor, (mx - d * fy) / divisor
        return Table(
            f"Centre of pressure of '{self.force}' on the plane z = {self.height:g} m",
            (
                Column("t", "s", result.t),
                Column("x", "m", self.x + to_x),
                Column("y", "m", self.y + to_y),
                Column("normal_force", "N", fz),
                Column("free_moment", "N m", mz - (to_x * fy - to_y * fx)),
                Column("contact", "", ["pressed" if p else "lifted" for p in pressed]),
            ),
        )

    @staticmethod
    def _vector(result: Result, name: str) -> FloatArray:
        values: FloatArray = result[name]
        if values.ndim != 2 or values.shape[1] != 3:
            raise OptionError(
                f"'{name}' has not three components.",
                "Name an output such as m.output('load', joint.force), without .x, .y or .z.",
            )
        return values
