r"""What an element of a beam states: shape functions, strains and the law of its material.

Every unknown is a vector in global components, and every field of an element is linear in them,

.. math:: r(x) = \sum_j s_j(\xi)\, e_j, \qquad \xi = x/l,

so that the mass matrix :math:`m_{jk} E` with :math:`m_{jk} = \int \varrho A\, s_j s_k\, dx + \dots`
is constant and nothing is quadratic in the velocities. Elastic and damping forces are derived from
the strains, which do not change with any rigid motion,

.. math:: U = \int \tfrac12 \sigma(\varepsilon) \cdot \varepsilon\, dx, \qquad
    P = \int \tfrac12 \sigma_v(\dot\varepsilon) \cdot \dot\varepsilon\, dx .

Those of an element that is straight without load vanish there. Otherwise the same expressions of
the coordinates without load, which are numbers, are taken off, and the law of a section is that of
fibres that are not as long as the midline (`mbdgen.beams.reference`).

To add an element write one file in this folder with one subclass; it is found by itself and is a
``kind`` of `Model.beam`.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from mbdgen.beams.flexible import FlexibleKind
from mbdgen.beams.inertia import Product, centre, leaning, momenta, straight
from mbdgen.beams.measured import Measured, numbered
from mbdgen.beams.strain import CURVED, DAMPED, Strain
from mbdgen.errors import ModelError
from mbdgen.geometry.frames import BodySymbols, Load
from mbdgen.geometry.functions import rational
from mbdgen.geometry.polynomial import Polynomial
from mbdgen.geometry.sections import Section
from mbdgen.geometry.vectors import Expr, Vec, zero
from mbdgen.language.beam_motion import BeamMotion, End
from mbdgen.language.coordinates import Block
from mbdgen.language.element import Told
from mbdgen.language.pose import Motion
from mbdgen.language.scalars import Scalar, value_of

SHORT = 1e-9
"""Of the length: how far beside its ends an element is still itself."""

FIBRE = "strain"
"""What is known of every fibre along a beam."""
OWN_AXES = (Vec(1, 0, 0), Vec(0, 1, 0), Vec(0, 0, 1))

Shapes = Mapping[str, Mapping[int, Polynomial]]
"""For every field the weights of the blocks that it depends on."""


class BeamElement(FlexibleKind):
    """Base of elements of beams.

    Attributes
    ----------
    node : tuple of str
        What a node has besides its position: ``rx``, ``ry``, ``rz`` are slopes.
    shapes : mapping
        The fields that it interpolates; the blocks are those of the first node, then the second.
    densities : mapping
        For every field that has inertia the number that its square is multiplied by, per length.
    quadrature : int
        Places along it where strains are evaluated, those of Gauss.
    measured : tuple of Measured
        What its strains and stresses are called in results.
    numbers : tuple of str
        What its law is made of, see `mbdgen.language.beam_numbers`; there is a viscous one of each.
    moments : tuple of str
        Numbers of the section that stand in both laws.
    """

    linear = True
    node: ClassVar[tuple[str, ...]]
    shapes: ClassVar[Shapes]
    densities: ClassVar[Mapping[str, str]]
    quadrature: ClassVar[int]
    measured: ClassVar[tuple[Measured, ...]] = ()
    numbers: ClassVar[tuple[str, ...]]
    moments: ClassVar[tuple[str, ...]] = ()
    rest: ClassVar[tuple[str, ...]] = ()  # its coordinates without load, unless it is straight

    def __init_subclass__(cls) -> None:
        """Name blocks, coordinates and rows after the vectors of the nodes."""
        super().__init_subclass__()
        if "name" not in vars(cls):  # a base of others
            return
        size = 2 if cls.planar else 3
        names = [f"{name}{end}" for end in (1, 2) for name in ("r", *cls.node)]
        cls.blocks = tuple(
            Block(name, size, "point" if name in ("r1", "r2") else "slope") for name in names
        )
        cls.coordinates = tuple(f"{name}_{c}" for name in names for c in "xyz"[:size])
        cls.rows = tuple(f"force {c}" for c in cls.coordinates)

        inertia = tuple(dict.fromkeys(cls.densities.values()))
        law = cls.numbers + tuple(f"{name}_v" for name in cls.numbers)
        cls.rest = tuple(f"{c}_rest" for c in cls.coordinates)
        cls.parameters = ("l", *inertia, *law, *cls.moments, *cls.rest)

    @abstractmethod
    def strains(self, section: Section) -> list[Expr]:
        """Return what deforms at a section; zero for every rigid motion of a straight element."""

    @abstractmethod
    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Return what is conjugate to the strains, linear in them.

        Parameters
        ----------
        law : mapping
            The `numbers`: elastic ones, or viscous ones where the strains are rates.
        """

    def curved(self, body: BodySymbols) -> bool:
        """Whether it is curved without load."""
        return CURVED in body.structure.split()

    def unloaded(self, section: Section) -> Section:
        """Return the same section of the beam without load."""
        body, axes = section.body, section.local_axes
        assert axes is not None

        def made() -> Section:
            there = body.standing([body.parameter(name) for name in self.rest])
            return Section(section.label, there, section.point, axes, section.tape)

        return body.once(f"unloaded {section.label}", made)

    def at_rest(self, section: Section) -> list[Expr]:
        """Return the strains at a section without load."""

        def made() -> list[Expr]:
            strains = self.strains(self.unloaded(section))
            return [section.tape.name(f"rest_{k}", e) for k, e in enumerate(strains, 1)]

        return section.body.once(f"strains without load {section.label}", made)

    def deformed(self, section: Section) -> list[Expr]:
        """Return the strains at a section, less those without load."""
        strains = self.strains(section)
        if not self.curved(section.body):
            return strains
        return [e - rest for e, rest in zip(strains, self.at_rest(section), strict=True)]

    def conjugate(
        self, section: Section, strains: Sequence[Expr], viscous: bool = False
    ) -> list[Expr]:
        """Return what is conjugate to the strains at a section, or to their rates."""
        law = self.law(section.body, viscous)
        if self.curved(section.body):
            return self.curved_stresses(section, strains, law)
        return self.stresses(strains, law)

    def curved_stresses(
        self, section: Section, strains: Sequence[Expr], law: Mapping[str, Expr]
    ) -> list[Expr]:
        """Return the stresses of an element that is curved without load: as if it were thin."""
        return self.stresses(strains, law)

    def shown(
        self, section: Section, strains: Sequence[Expr], stresses: Sequence[Expr]
    ) -> tuple[Sequence[Expr], Sequence[Expr]]:
        """Return strains and stresses of which `measured` is made."""
        return strains, stresses

    def measures(self, section: Section, strains: Sequence[Expr]) -> list[Told]:
        """Return what results show of the strains and of the stresses: see `measured`."""
        strains, stresses = self.shown(section, strains, self.conjugate(section, strains))
        names = self.measured or numbered(len(strains))
        found = [Told(x.strain, x.strain_unit, x.strain_of(strains)) for x in names]
        return found + [Told(x.stress, x.stress_unit, x.stress_of(stresses)) for x in names]

    def felt(self, section: Section) -> Section:
        """Return the section whose strains are those of another.

        With one place of quadrature it is the middle: elsewhere strains resist nothing, so that
        there is nothing to be learnt from them.
        """
        return self._middle(section.body) if self.quadrature == 1 else section

    def measured_at(self, section: Section, what: str) -> Expr | None:
        """Return one of them at a section; None if there is none of that name."""
        if what not in (*self.measured_units(), FIBRE):
            return None
        felt = self.felt(section)
        strains = self.deformed(felt)
        if what == FIBRE:
            _, y, z = section.point
            return self.fibre(felt, strains, y, z)
        found = {told.name: told.value for told in self.measures(felt, strains)}
        return found[what]

    def fibre(self, section: Section, strains: Sequence[Expr], y: Expr, z: Expr) -> Expr:
        """Return the strain along the beam at a place across a section."""
        factors = {"stretch": 1, "curvature": -y, "curvature_z": -y, "curvature_y": z}
        known = (x for x in self.measured if x.strain in factors)
        return sum(factors[x.strain] * x.strain_of(strains) for x in known)

    def measured_units(self) -> dict[str, str]:
        """Return the units of what is measured, by name."""
        strains = {x.strain: x.strain_unit for x in self.measured}
        return strains | {x.stress: x.stress_unit for x in self.measured}

    def integrals(self) -> tuple[Strain, ...]:
        """Return what it states per length."""
        return (Strain(),)

    def law(self, body: BodySymbols, viscous: bool = False) -> dict[str, Expr]:
        """Return the numbers of the elastic or of the viscous law."""
        tail = "_v" if viscous else ""
        law = {name: body.parameter(f"{name}{tail}") for name in self.numbers}
        return law | {name: body.parameter(name) for name in self.moments}

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
        """Return a slope; in the plane what sections do not have follows from the other one."""
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

    def columns(self, motion: Motion) -> Sequence[Scalar]:
        """Return length, densities, the numbers of the laws, and coordinates without load."""
        known = self.numbers_of(motion)
        return [known[name] for name in self.parameters]

    def numbers_of(self, motion: Motion) -> dict[str, Scalar]:
        """Return what is known of an element by name; where it lies without load if it matters."""
        assert isinstance(motion, BeamMotion)
        places = self._at_nodes(motion.rest)[0] if motion.rest else [0.0] * len(self.rest)
        return {
            "l": motion.length,
            **dict(motion.numbers),
            **dict(zip(self.rest, places, strict=True)),
        }

    def structure(self, motion: Motion) -> str:
        """Return whether the material is viscous, and whether it is curved without load."""
        assert isinstance(motion, BeamMotion)
        words = (DAMPED if motion.damped else "", CURVED if motion.rest else "")
        return " ".join(filter(None, words))

    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return positions and slopes of the nodes, and their rates."""
        assert isinstance(motion, BeamMotion)
        return self._at_nodes(motion.ends)

    def _at_nodes(self, ends: Sequence[End]) -> tuple[list[Scalar], list[Scalar]]:
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
        """Say how far a place is along the element, if that is beside it."""
        what = f"place on element '{motion.name}'"
        x, whole = value_of(point[0], known, what), value_of(motion.length, known, what)
        on_it = -SHORT * whole <= x <= (1 + SHORT) * whole
        return "" if on_it else f"{x:g} m from its start, but it is {whole:g} m long"

    def local_point(self, point: Sequence[Scalar], motion: Motion) -> Sequence[Scalar]:
        """The place along it is counted from 0 to 1."""
        return [point[0] / motion.length, *point[1:]]

    def origin(self, body: BodySymbols) -> Vec:
        """Return the centre of mass."""
        return centre(self, body, self._products(body), self._vectors(body.q))

    def axes(self, body: BodySymbols) -> tuple[Vec, Vec, Vec]:
        """Return those of the section in the middle."""
        return self._middle(body).triad

    def angular_velocity(self, body: BodySymbols) -> Vec:
        """Return that of the section in the middle."""
        return self._middle(body).w

    def generalised_force(
        self, body: BodySymbols, loads: Sequence[Load], torque: Vec
    ) -> list[Expr]:
        """Return what acts at the centre of mass, as gravity does, on the coordinates."""
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

    def _middle(self, body: BodySymbols) -> Section:
        half = Vec(rational(1, 2), 0, 0)
        return body.once("middle", lambda: Section("m", body, half, OWN_AXES, body.tape))

    def _vectors(self, numbers: Sequence[Expr]) -> list[Vec]:
        size = self.blocks[0].size
        parts = (numbers[k : k + size] for k in range(0, len(numbers), size))
        return [Vec.of([*part, 0][:3]) for part in parts]

    def _momenta(self, body: BodySymbols, rates: Sequence[Expr]) -> list[Expr]:
        totals = momenta(self, body, self._products(body), self._vectors(rates))
        size = self.blocks[0].size
        return [c for v in totals for c in list(v)[:size]]

    def _products(self, body: BodySymbols) -> list[Product]:
        """Return the products of fields that have inertia."""
        if not self.curved(body):
            return straight(self, body)
        return [*straight(self, body), *leaning(self, body, self.unloaded(self._middle(body)))]
