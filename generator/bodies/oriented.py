r"""Spatial rigid bodies with any orientation set: centre of mass, then rotation parameters.

The set defines :math:`R(o)`. Automatic differentiation gives
:math:`\bar\omega = \bar B(o) \dot o`, by
:math:`\bar B_{1j} = \tfrac12 (e_3 \cdot \partial e_2/\partial o_j
- e_2 \cdot \partial e_3/\partial o_j)` and so on with the columns of R, then
:math:`\dot{\bar\omega} = \bar B \ddot o + \dot{\bar B} \dot o`, and the virtual rotations of the
moment rows. Axes may be relative to a base, :math:`R_\mathrm{base} R(o)`, which changes none of
these.
"""

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from mbdgen.bodies.placing import Placing, placing
from mbdgen.bodies.rigid import RigidBody
from mbdgen.geometry.frames import BodySymbols
from mbdgen.geometry.symbolic_vectors import Expr, Vec, stated_vector, zero
from mbdgen.language.bodies.coordinates import Attitude, BaseEntry
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.orientations.base import Namer, OrientationSet
from mbdgen.returned import expressions
from mbdgen.usable import check_usable

FIRST = 3
"""Index of the first rotation parameter."""
BASE = tuple(f"C_{row}{column}" for column in "123" for row in "123")


class Oriented(RigidBody):
    """Centre of mass (x, y, z) and the parameters of an orientation set."""

    orientation: ClassVar[type[OrientationSet]]

    def columns(self, motion: Motion) -> Sequence[Scalar]:
        """Mass and inertia tensor, and the base."""
        inertia = super().columns(motion)
        if not self.orientation.rebased:
            return inertia
        entries = enumerate(self._placing(motion).base)
        return (*inertia, *(BaseEntry.of(motion.name, k, x) for k, x in entries))

    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return the pose and twist of the centre of mass."""
        place = self._placing(motion)
        position = motion.global_point(motion.centre_of_mass)
        velocity = motion.point_velocity(motion.centre_of_mass)
        return (*position, *place.numbers), (*velocity, *place.rates)

    def axes(self, body: BodySymbols) -> tuple[Vec, Vec, Vec]:
        """Columns of the rotation matrix, base included."""
        x, y, z = self._columns(body)
        if not self.orientation.rebased:
            return x, y, z
        c = [body.parameter(name) for name in BASE]
        u, v, w = Vec.of(c[:3]), Vec.of(c[3:6]), Vec.of(c[6:])
        turned = [u * e[0] + v * e[1] + w * e[2] for e in (x, y, z)]
        return turned[0], turned[1], turned[2]

    def angular_velocity(self, body: BodySymbols) -> Vec:
        """Return the angular velocity in global axes, rotated from body axes."""
        return body.rotate(self.rates_in_body(body))

    def rates_in_body(self, body: BodySymbols) -> Vec:
        r"""Return :math:`\bar B(o) \dot o`."""
        return body.once("rates in body", lambda: self._rates(body))

    def accelerations_in_body(self, body: BodySymbols) -> Vec:
        r"""Return :math:`\bar B \ddot o + \dot{\bar B} \dot o`."""
        return Vec(*(body.tape.rate(c, body.seeds) for c in self.rates_in_body(body)))

    def norms(self, body: BodySymbols) -> list[Expr]:
        """Normalisation conditions of the set."""
        o = body.q[FIRST:]
        return expressions(self.orientation, "norms", self.orientation().norms(o), len(o) - 3)

    def displacement_rates(self, body: BodySymbols) -> list[Expr]:
        """Velocity of the centre of mass, angular velocity in body axes."""
        return [*body.v[:FIRST], *self.rates_in_body(body)]

    def switched(self, body: BodySymbols) -> list[Expr]:
        """Return the axes, or the other parameters of the set."""
        if self.attitude is None:
            return []
        if self.orientation.rebased:
            return [c for axis in body.axes for c in axis]
        o = body.q[FIRST:]
        return expressions(self.orientation, "other", [*self.orientation().other(o)], len(o))

    def variables(self, body: BodySymbols) -> dict[str, Expr]:
        r"""Add :math:`\det \partial\omega/\partial\dot o` of three parameters (0: singular)."""
        known = super().variables(body)
        if len(self.orientation.coordinates) == 3:
            x, y, z = self._slopes(body)
            known["determinant"] = x.dot(y.cross(z))
        return known

    def _columns(self, body: BodySymbols) -> tuple[Vec, Vec, Vec]:
        """Return the columns of ``R(o)`` without the base."""
        return body.once("columns", lambda: self._stated(body))

    def _stated(self, body: BodySymbols) -> tuple[Vec, Vec, Vec]:
        stated = self.orientation().rotation(body.q[FIRST:], self._namer(body))
        columns = (stated_vector(self.orientation, "rotation", e) for e in stated)
        x, y, z = (
            body.tape.vector(f"S_{body.label}_{k}", e) for k, e in zip("123", columns, strict=True)
        )
        return x, y, z

    def _rates(self, body: BodySymbols) -> Vec:
        total = zero()
        for column, rate in zip(self._slopes(body), body.v[FIRST:], strict=True):
            total = total + column * rate
        return body.tape.vector(f"omega_{body.label}", total)

    def _slopes(self, body: BodySymbols) -> Sequence[Vec]:
        r"""Return the columns of :math:`\bar B` with names of their own."""
        return body.once("slopes", lambda: self._named(body))

    def _named(self, body: BodySymbols) -> Sequence[Vec]:
        columns = zip(self.orientation.coordinates, self._tangent(body), strict=True)
        return [body.tape.vector(f"B_{body.label}_{name}", column) for name, column in columns]

    def _tangent(self, body: BodySymbols) -> Sequence[Vec]:
        r"""Return the columns of :math:`\bar B`, in the closed form of the set or from R."""
        if self.orientation.tangent is not OrientationSet.tangent:
            return self.orientation().tangent(body.q[FIRST:], self._namer(body))
        x, y, z = self._columns(body)
        return [
            Vec(*(_turning(body, a, b, o) for a, b in ((y, z), (z, x), (x, y))))
            for o in body.q[FIRST:]
        ]

    def _namer(self, body: BodySymbols) -> Namer:
        return lambda name, e: body.once(
            f"{name} = {e}", lambda: body.tape.name(f"{name}_{body.label}", e)
        )

    def _placing(self, motion: Motion) -> Placing:
        return placing(self.orientation, motion)


def _turning(body: BodySymbols, a: Vec, b: Vec, o: Expr) -> Expr:
    """Return the rotation rate of one axis towards another: half from each of them."""
    of_a, of_b = (Vec(*(body.tape.derivative(c, o) for c in axis)) for axis in (a, b))
    return (of_a.dot(b) - of_b.dot(a)) / 2


@cache
def body_kind(orientation: type[OrientationSet]) -> type[Oriented]:
    """Return the body kind of an orientation set: a class with its name."""
    check_usable(orientation)
    fails = orientation.rebased or orientation.other is not OrientationSet.other
    known = Attitude(FIRST, orientation.home, orientation.rebased) if fails else None
    return type(
        orientation.__name__,
        (Oriented,),
        {
            "__doc__": orientation.__doc__,
            "__module__": orientation.__module__,
            "__qualname__": f"{orientation.__qualname__} body",
            "name": orientation.name,
            "coordinates": ("x", "y", "z", *orientation.coordinates),
            "parameters": (*RigidBody.parameters, *(BASE if orientation.rebased else ())),
            "orientation": orientation,
            "attitude": known,
        },
    )
