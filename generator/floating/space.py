"""Spatial flexible bodies in a floating frame: modal coordinates, position, unit quaternion."""

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from mbdgen.bodies.base import weighted_products
from mbdgen.bodies.quaternion import Quaternion
from mbdgen.floating.kind import Floating
from mbdgen.geometry.frames import BodySymbols
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.language.bodies.coordinates import UnitQuaternion

TENSOR = ("xx", "yy", "zz", "xy", "xz", "yz")
_AT_REST = dict(zip(TENSOR, ("I_11", "I_22", "I_33", "I_12", "I_13", "I_23"), strict=True))


class FloatingSpace(Floating, Quaternion):
    """Amplitudes of normal modes, then position and quaternion of the floating frame."""

    quaternion: ClassVar[UnitQuaternion | None] = None  # joints at nodes do not give it
    rigid = Quaternion()
    inertia_columns = tuple(_AT_REST.values())
    axes_of_vectors = "xyz"
    axes_of_turns = axes_of_drawing = "xyz"
    moments = TENSOR

    def turning(self, body: BodySymbols) -> Vec:
        """Return that of the quaternion, under names of its own."""
        return body.tape.distinct(f"omega_{body.label}", self.rates_in_body(body))

    def components(self, turn: Vec) -> list[Expr]:
        """All three."""
        return list(turn)

    def twice_rotational(self, moments: Sequence[Expr], omega: Vec) -> Expr:
        """Return the tensor between two angular velocities."""
        return omega.dot(weighted_products(moments, omega))

    def tensor_at_rest(self, body: BodySymbols, entry: str) -> Expr:
        """Return an entry of the constant tensor."""
        return body.parameter(_AT_REST[entry])


@cache
def floating_space(modes: int, stiffened: bool) -> type[FloatingSpace]:
    """Return the kind with a number of modes; ``stiffened`` includes foreshortening."""
    tail = " stiffened" if stiffened else ""
    return type(
        "FloatingSpace",
        (FloatingSpace,),
        {
            "__doc__": FloatingSpace.__doc__,
            "__module__": __name__,
            "__qualname__": f"FloatingSpace {modes}{tail}",
            "name": "floating-space",
            "deformations": modes,
            "stiffened": stiffened,
        },
    )
