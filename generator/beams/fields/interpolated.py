r"""Interpolated fields of a beam element: shape functions times nodal vectors.

Every unknown is a vector in global components, and every field of an element is linear in them,

.. math:: r(x) = \sum_j s_j(\xi)\, e_j, \qquad \xi = x/l,

so that the mass matrix :math:`m_{jk} E` with :math:`m_{jk} = \int \varrho A\, s_j s_k\, dx + \dots`
is constant and there are no velocity-quadratic terms.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from mbdgen.beams.fields.element_inertia import Product, centre, momenta, straight
from mbdgen.beams.fields.flexible_kind import FlexibleKind
from mbdgen.errors import ModelError
from mbdgen.geometry.frames import BodySymbols, Load
from mbdgen.geometry.functions import rational
from mbdgen.geometry.polynomials import Polynomial
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero
from mbdgen.language.beams.beam_motion import BeamEnd, BeamMotion
from mbdgen.language.bodies.coordinates import CoordinateBlock
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar, value_of

SHORT = 1e-9
"""Tolerance beyond the ends of an element, relative to its length."""
OWN_AXES = (Vec(1, 0, 0), Vec(0, 1, 0), Vec(0, 0, 1))

Shapes = Mapping[str, Mapping[int, Polynomial]]
"""For every field the weights of the blocks that it depends on."""


class Interpolated(FlexibleKind):
    """Base of elements whose coordinates are vectors of two nodes.

    Attributes
    ----------
    node : tuple of str
        Nodal vectors besides the position: ``rx``, ``ry``, ``rz`` are slopes.
    shapes : mapping
        The fields that it interpolates; the blocks are those of the first node, then the second.
    densities : mapping
        Inertia coefficient per length of the square of every field.
    """

    linear = True
    node: ClassVar[tuple[str, ...]]
    shapes: ClassVar[Shapes]
    densities: ClassVar[Mapping[str, str]]

    def __init_subclass__(cls) -> None:
        """Name blocks, coordinates and rows after the vectors of the nodes."""
        super().__init_subclass__()
        if "name" not in vars(cls):  # an abstract base
            return
        size = 2 if cls.planar else 3
        names = [f"{name}{end}" for end in (1, 2) for name in ("r", *cls.node)]
        cls.blocks = tuple(
            CoordinateBlock(name, size, "point" if name in ("r1", "r2") else "slope")
            for name in names
        )
        cls.coordinates = tuple(f"{name}_{c}" for name in names for c in "xyz"[:size])
        cls.rows = tuple(f"force {c}" for c in cls.coordinates)
        cls.parameters = ("l", *dict.fromkeys(cls.densities.values()))

    def interpolated(
        self, body: BodySymbols, numbers: Sequence[Expr], name: str, order: int, xi: Expr
    ) -> Vec:
        """Return a field, or its derivative along the beam, of coordinates or their rates."""
        length, vectors = body.parameter("l"), self._vectors(numbers)
        total = zero()
        for block, shape in self.shapes[name].items():
            for _ in range(order):
                shape = shape.derivative()
            label = f"share_{name}{'x' * order}_{block + 1}"
            total = total + vectors[block] * body.tape.name(label, shape.at(xi, length))
        return total

    def slope(self, section: Section, k: int) -> Vec:
        """Return a slope; in the plane a missing one follows from the other."""
        name = ("rx", "ry", "rz")[k]
        if name in self.node:
            return section.field("r", 1) if name == "rx" else section.field(name)
        if self.planar and k == 2:
            return Vec(0, 0, 1)
        if self.planar and k == 1:
            x, y, _ = self.slope(section, 0)
            return Vec(-y, x, 0)
        raise ModelError(
            f"sections of '{self.name}' have no slope {name}, but an axis is made of it.",
            "Use form='general', or another kind of element.",
        )

    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return positions and slopes of the nodes, and their rates."""
        assert isinstance(motion, BeamMotion)
        return self.at_nodes(motion.ends)

    def at_nodes(self, ends: Sequence[BeamEnd]) -> tuple[list[Scalar], list[Scalar]]:
        """Return positions and slopes of the nodes, and their rates."""
        size = self.blocks[0].size
        q: list[Scalar] = []
        v: list[Scalar] = []
        for end in ends:
            q += end.position[:size]
            v += end.velocity[:size]
            for name in self.node:
                k = ("rx", "ry", "rz").index(name)
                q += end.slopes[k][:size]
                v += end.rates[k][:size]
        return q, v

    def misses(self, point: Sequence[Scalar], motion: Motion, known: Mapping[Any, float]) -> str:
        """Return the distance of a point beyond the ends of the element, for messages."""
        what = f"place on element '{motion.name}'"
        x, whole = value_of(point[0], known, what), value_of(motion.length, known, what)
        on_it = -SHORT * whole <= x <= (1 + SHORT) * whole
        return "" if on_it else f"{x:g} m from its start, but it is {whole:g} m long"

    def local_point(self, point: Sequence[Scalar], motion: Motion) -> Sequence[Scalar]:
        """Return the point with its position along the element from 0 to 1."""
        return [point[0] / motion.length, *point[1:]]

    def origin(self, body: BodySymbols) -> Vec:
        """Return the centre of mass."""
        return centre(self, body, self.products(body), self._vectors(body.q))

    def axes(self, body: BodySymbols) -> tuple[Vec, Vec, Vec]:
        """Return the axes of the section at the midpoint."""
        return self.middle(body).triad

    def angular_velocity(self, body: BodySymbols) -> Vec:
        """Return the angular velocity of the section at the midpoint."""
        return self.middle(body).w

    def generalised_force(
        self, body: BodySymbols, loads: Sequence[Load], torque: Vec
    ) -> list[Expr]:
        """Return the generalised force of a load at the centre of mass, such as gravity."""
        rows: list[Expr] = [0] * len(self.rows)
        for load in loads:
            for k, q in enumerate(body.q):
                change = (body.tape.derivative(c, q) for c in body.origin)
                rows[k] = rows[k] + load.value.dot(Vec(*change))
        return rows

    def inertia(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Return the constant mass matrix times accelerations."""
        return self._momenta(body, body.a)

    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Return half of ``v M v``."""
        momenta = self._momenta(body, body.v)
        return sum(v * x for v, x in zip(body.v, momenta, strict=True)) / 2

    def mass(self, p: Sequence[Expr]) -> Expr:
        """Return density times length."""
        return p[0] * p[1]

    def centre_of_mass(self, p: Sequence[Expr]) -> Vec:
        """Origin and centre of mass are the same."""
        return zero()

    def middle(self, body: BodySymbols) -> Section:
        """Return the section in the middle."""
        half = Vec(rational(1, 2), 0, 0)
        return body.once("middle", lambda: Section("m", body, half, OWN_AXES, body.tape))

    def _vectors(self, numbers: Sequence[Expr]) -> list[Vec]:
        size = self.blocks[0].size
        parts = (numbers[k : k + size] for k in range(0, len(numbers), size))
        return [Vec.of([*part, 0][:3]) for part in parts]

    def _momenta(self, body: BodySymbols, rates: Sequence[Expr]) -> list[Expr]:
        totals = momenta(self, body, self.products(body), self._vectors(rates))
        size = self.blocks[0].size
        return [c for v in totals for c in list(v)[:size]]

    def products(self, body: BodySymbols) -> list[Product]:
        """Return the products of fields that have inertia."""
        return straight(self, body)
