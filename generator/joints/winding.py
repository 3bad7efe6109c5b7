"""Joints with an initial angle beyond half a revolution (number of turns)."""

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
        Integer revolutions added to the initial angle within half a revolution; None for none.
    """

    turns: Any = None

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the turns: None is omitted from the equations; 0 is a changeable value."""
        return {**super().defaults(*markers), "turns": None}

    def check_markers(self, what: str, *markers: Marker) -> None:
        """Reject fractional turns, which are given by the angle of the markers."""
        super().check_markers(what, *markers)
        if is_number(self.turns) and self.turns != round(float(self.turns)):
            raise ModelError(
                f"{what} has turns={self.turns:g}, which is no whole number.",
                "Give whole turns; the rest is in the axes of its markers.",
            )

    def begun(self, measure: str) -> Expr | int:
        """Return the initial turns of a measure as an angle."""
        return 2 * pi * self.turns if measure == "angle" and self.turns is not None else 0
