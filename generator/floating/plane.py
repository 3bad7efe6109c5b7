"""Planar flexible bodies in a floating frame of reference: modal coordinates, x, y and theta."""

from collections.abc import Mapping, Sequence
from functools import cache

from mbdgen.bodies.planar import Planar
from mbdgen.floating.kind import Floating
from mbdgen.geometry.frames import BodySymbols, Frame, Glide
from mbdgen.geometry.gliding import gliding
from mbdgen.geometry.symbolic_vectors import Expr, Vec


class FloatingPlane(Floating, Planar):
    """Amplitudes of normal modes, then x, y and angle of the floating frame."""

    rigid = Planar()
    inertia_columns = ("I",)
    axes_of_vectors = "xy"
    axes_of_turns = "z"
    axes_of_drawing = "x"
    moments = ("zz",)

    def turning(self, body: BodySymbols) -> Vec:
        """Angular velocity about z."""
        return Vec(0, 0, body.v[-1])

    def components(self, turn: Vec) -> list[Expr]:
        """Angular velocity about z."""
        return [turn[2]]

    def twice_rotational(self, moments: Sequence[Expr], omega: Vec) -> Expr:
        """Return moment times square."""
        return moments[0] * omega[2] ** 2

    def tensor_at_rest(self, body: BodySymbols, entry: str) -> Expr:
        """Return the moment of inertia."""
        return body.parameter("I")

    def gliding_frame(
        self,
        label: str,
        body: BodySymbols,
        point: Vec,
        local_axes: tuple[Vec, Vec, Vec],
        place: Mapping[str, Expr],
        glide: Glide,
    ) -> Frame:
        """Return a frame moving along the beam."""
        return gliding(label, body, point, local_axes, place, glide)


@cache
def floating_plane(modes: int, stiffened: bool) -> type[FloatingPlane]:
    """Return the kind with a number of modes; ``stiffened`` includes foreshortening."""
    tail = " stiffened" if stiffened else ""
    return type(
        "FloatingPlane",
        (FloatingPlane,),
        {
            "__doc__": FloatingPlane.__doc__,
            "__module__": __name__,
            "__qualname__": f"FloatingPlane {modes}{tail}",
            "name": "floating-plane",
            "deformations": modes,
            "stiffened": stiffened,
        },
    )
