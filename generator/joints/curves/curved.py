"""Base of joints along curves: the curve parameter is an auxiliary coordinate."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint


@dataclass(frozen=True)
class Curved(Joint):
    """A joint with a curve parameter s, without mass and with the initial value `start`."""

    auxiliary = {"s": "start"}
    measures = {"parameter": 1, "parameter_rate": 1}

    start: Any = 0.0

    def measure(self, name: str, *frames: Any) -> Expr:
        """Return the parameter of the point where the bodies touch, or its rate."""
        s = frames[-1]
        return s.r[0] if name == "parameter" else s.v[0]
