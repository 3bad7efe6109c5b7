r"""A state of an equation of the first order: the rate of a coordinate. :math:`\ddot s = f`."""

from collections.abc import Sequence

from mbdgen.bodies.auxiliary import Auxiliary
from mbdgen.geometry.frames import BodySymbols
from mbdgen.geometry.symbolic_vectors import Expr


class State(Auxiliary):
    """A state x that no body has, such as the bend of bristles: x is the rate of the coordinate s.

    What acts on it along x is the rate of x. It has neither mass nor energy.
    """

    name = "state"
    rows = ("rate of x",)

    def inertia(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """The rate of the state."""
        return [body.a[0]]

    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """None."""
        return 0
