"""User-defined potential energy, an expression of placeholders."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.base import Force
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr


@dataclass(frozen=True)
class Potential(Force):
    r"""A potential energy: an expression of positions and axes, parameters and time.

    .. math:: \delta W = -\delta V(q, t)

    The forces on every body whose markers appear in it are derived.

    Attributes
    ----------
    energy : scalar
        Expression V of placeholders, parameters and time.
    """

    name = "potential"
    ends = ()

    energy: Any = 0.0

    def potential(self, *frames: Frame) -> Expr:
        """Return the user's expression."""
        return self.energy
