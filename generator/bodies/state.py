r"""State of a first-order ODE: the rate of a coordinate. :math:`\ddot s = f`."""

from collections.abc import Sequence

from mbdgen.bodies.auxiliary import Auxiliary
from mbdgen.geometry.frames import BodySymbols
from mbdgen.geometry.symbolic_vectors import Expr


class State(Auxiliary):
    """An internal state x, such as a bristle deflection: x is the rate of the coordinate s.

    The load along x is the rate of x. It has neither mass nor energy.
    """

    name = "state"
    rows = ("rate of x",)

    def inertia(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """The rate of the state."""
        return [body.a[0]]

    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """None."""
        return 0
