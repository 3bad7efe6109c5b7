r"""Beam elements: base class; strains and constitutive law of a finite element.

Elastic and damping forces are derived from the strains, which do not change with any rigid motion,

.. math:: U = \int \tfrac12 \sigma(\varepsilon) \cdot \varepsilon\, dx, \qquad
    P = \int \tfrac12 \sigma_v(\dot\varepsilon) \cdot \dot\varepsilon\, dx .

The strains of an initially straight element vanish in the unstrained configuration. Otherwise the
same expressions at the unstrained coordinates, which are numbers, are subtracted, and the section
law accounts for fibres of a length other than that of the midline
(`mbdgen.beams.fields.curved_reference`).

To add an element write one file in this folder with one subclass; it is discovered automatically
and is a ``kind`` of `Model.beam`.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from mbdgen.beams.fields.element_inertia import Product, leaning
from mbdgen.beams.fields.interpolated import Interpolated
from mbdgen.beams.fields.measured_strains import Measured, numbered
from mbdgen.beams.strain import CURVED, DAMPED, Strain
from mbdgen.geometry.frames import BodySymbols
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language.beams.beam_motion import BeamMotion
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.element import SectionQuantity
from mbdgen.language.expressions.scalars import Scalar

FIBRE = "strain"
"""Measures of fibres along a beam."""


class BeamElement(Interpolated):
    """Base of beam elements.

    Attributes
    ----------
    quadrature : int
        Number of Gauss points along it where strains are evaluated.
    measured : tuple of Measured
        Names of its strains and stresses in results.
    numbers : tuple of str
        Stiffness quantities of its law, see `mbdgen.language.beams.beam_numbers`; each has a
        viscous counterpart.
    moments : tuple of str
        Section quantities in both laws.
    """

    quadrature: ClassVar[int]
    measured: ClassVar[tuple[Measured, ...]] = ()
    numbers: ClassVar[tuple[str, ...]]
    moments: ClassVar[tuple[str, ...]] = ()
    rest: ClassVar[tuple[str, ...]] = ()  # its unstrained coordinates, unless it is straight

    def __init_subclass__(cls) -> None:
        """Name the quantities of the laws and the unstrained coordinates."""
        super().__init_subclass__()
        if "name" in vars(cls):  # else an abstract base
            law = cls.numbers + tuple(f"{name}_v" for name in cls.numbers)
            cls.rest = tuple(f"{c}_rest" for c in cls.coordinates)
            cls.parameters += (*law, *cls.moments, *cls.rest)

    @abstractmethod
    def strains(self, section: Section) -> list[Expr]:
        """Return the strains at a section; zero for every rigid motion of a straight element."""

    @abstractmethod
    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Return the stress resultants conjugate to the strains, linear in them.

        Parameters
        ----------
        law : mapping
            The `numbers`: elastic ones, or viscous ones for strain rates.
        """

    def curved(self, body: BodySymbols) -> bool:
        """Return whether it is curved in the unstrained configuration."""
        return CURVED in body.structure.split()

    def unloaded(self, section: Section) -> Section:
        """Return the same section in the unstrained configuration."""
        body, axes = section.body, section.local_axes
        assert axes is not None

        def made() -> Section:
            there = body.standing([body.parameter(name) for name in self.rest])
            return Section(section.label, there, section.point, axes, section.tape)

        return body.once(f"unloaded {section.label}", made)

    def at_rest(self, section: Section) -> list[Expr]:
        """Return the strain expressions at a section in the unstrained configuration."""

        def made() -> list[Expr]:
            strains = self.strains(self.unloaded(section))
            return [section.tape.name(f"rest_{k}", e) for k, e in enumerate(strains, 1)]

        return section.body.once(f"strains without load {section.label}", made)

    def deformed(self, section: Section) -> list[Expr]:
        """Return the strains at a section relative to the unstrained configuration."""
        strains = self.strains(section)
        if not self.curved(section.body):
            return strains
        return [e - rest for e, rest in zip(strains, self.at_rest(section), strict=True)]

    def conjugate(
        self, section: Section, strains: Sequence[Expr], viscous: bool = False
    ) -> list[Expr]:
        """Return the stress resultants at a section, elastic or viscous."""
        law = self.law(section.body, viscous)
        if self.curved(section.body):
            return self.curved_stresses(section, strains, law)
        return self.stresses(strains, law)

    def curved_stresses(
        self, section: Section, strains: Sequence[Expr], law: Mapping[str, Expr]
    ) -> list[Expr]:
        """Return the stress resultants of an initially curved element, approximated as thin."""
        return self.stresses(strains, law)

    def shown(
        self, section: Section, strains: Sequence[Expr], stresses: Sequence[Expr]
    ) -> tuple[Sequence[Expr], Sequence[Expr]]:
        """Return strains and stress resultants from which `measured` is computed."""
        return strains, stresses

    def measures(self, section: Section, strains: Sequence[Expr]) -> list[SectionQuantity]:
        """Return the strains and stress resultants shown in results: see `measured`."""
        strains, stresses = self.shown(section, strains, self.conjugate(section, strains))
        names = self.measured or numbered(len(strains))
        found = [SectionQuantity(x.strain, x.strain_unit, x.strain_of(strains)) for x in names]
        return found + [
            SectionQuantity(x.stress, x.stress_unit, x.stress_of(stresses)) for x in names
        ]

    def felt(self, section: Section) -> Section:
        """Return the section at which the strains of another section are evaluated.

        With one Gauss point it is the middle: strains elsewhere do not enter the energy and are
        meaningless.
        """
        return self.middle(section.body) if self.quadrature == 1 else section

    def measured_at(self, section: Section, what: str) -> Expr | None:
        """Return one measure at a section; None if there is none of that name."""
        if what not in (*self.measured_units(), FIBRE):
            return None
        felt = self.felt(section)
        strains = self.deformed(felt)
        if what == FIBRE:
            _, y, z = section.point
            return self.fibre(felt, strains, y, z)
        found = {quantity.name: quantity.value for quantity in self.measures(felt, strains)}
        return found[what]

    def fibre(self, section: Section, strains: Sequence[Expr], y: Expr, z: Expr) -> Expr:
        """Return the axial strain at a point of a section."""
        factors = {"stretch": 1, "curvature": -y, "curvature_z": -y, "curvature_y": z}
        known = (x for x in self.measured if x.strain in factors)
        return sum(factors[x.strain] * x.strain_of(strains) for x in known)

    def measured_units(self) -> dict[str, str]:
        """Return the units of the measures, by name."""
        strains = {x.strain: x.strain_unit for x in self.measured}
        return strains | {x.stress: x.stress_unit for x in self.measured}

    def integrals(self) -> tuple[Strain, ...]:
        """Return the elements integrated over its length."""
        return (Strain(),)

    def law(self, body: BodySymbols, viscous: bool = False) -> dict[str, Expr]:
        """Return the quantities of the elastic or of the viscous law."""
        tail = "_v" if viscous else ""
        law = {name: body.parameter(f"{name}{tail}") for name in self.numbers}
        return law | {name: body.parameter(name) for name in self.moments}

    def columns(self, motion: Motion) -> Sequence[Scalar]:
        """Return length, densities, the quantities of the laws, and unstrained coordinates."""
        known = self.numbers_of(motion)
        return [known[name] for name in self.parameters]

    def numbers_of(self, motion: Motion) -> dict[str, Scalar]:
        """Return the quantities of an element by name, with unstrained coordinates if needed."""
        assert isinstance(motion, BeamMotion)
        places = self.at_nodes(motion.rest)[0] if motion.rest else [0.0] * len(self.rest)
        return {
            "l": motion.length,
            **dict(motion.numbers),
            **dict(zip(self.rest, places, strict=True)),
        }

    def structure(self, motion: Motion) -> str:
        """Return whether the material is viscous, and whether the element is initially curved."""
        assert isinstance(motion, BeamMotion)
        words = (DAMPED if motion.damped else "", CURVED if motion.rest else "")
        return " ".join(filter(None, words))

    def products(self, body: BodySymbols) -> list[Product]:
        """Return the mass products of a straight element, and the terms of an initial curvature."""
        found = super().products(body)
        if self.curved(body):
            found += leaning(self, body, self.unloaded(self.middle(body)))
        return found
