"""Joints whose angle may begin further away than half a turn."""

from dataclasses import dataclass
from math import pi
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.formed import FormedJoint
from mbdgen.language.expressions.scalars import is_number
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class WindingJoint(FormedJoint):
    """Base of joints with an angle.

    Attributes
    ----------
    turns : number, optional
        Whole turns by which the angle begins further away than half a turn; None where there are
        none.
    """

    turns: Any = None

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """None are left out of the equations; 0 is a number that may change."""
        return {**super().defaults(*markers), "turns": None}

    def require(self, what: str, *markers: Marker) -> None:
        """Refuse parts of turns: the angle of the markers says these."""
        super().require(what, *markers)
        if is_number(self.turns) and self.turns != round(float(self.turns)):
            raise ModelError(
                f"{what} has turns={self.turns:g}, which is no whole number.",
                "Give whole turns; the rest is in the axes of its markers.",
            )

    def begun(self, measure: str) -> Expr | int:
        """Return the turns that a measure begins with, as an angle."""
        return 2 * pi * self.turns if measure == "angle" and self.turns is not None else 0
