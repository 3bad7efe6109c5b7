r"""Beam elements with plane sections: Winkler's theory of curved beams.

With the stretch :math:`\varepsilon` of the midline and the change :math:`\tau` of what its sections
turn per natural length, the fibre at y of a beam of the curvature :math:`\kappa` without load is
stretched by :math:`(\varepsilon - y\tau)/\mu`, where :math:`\mu = 1 - \kappa y`. Integrated over
the section,

.. math::

    M = E J (\tau - \kappa\varepsilon), \quad N = E A\,\varepsilon - \kappa M, \qquad
    J = \int \frac{y^2}{\mu}\, dA ,

and likewise with vectors of two curvatures in space. The curvature in the bracket is that of the
deformed midline by its own length: an element that states this one and takes off what it is without
load lacks nothing but J in the place of the second moment.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mbdgen.beams.base import BeamElement
from mbdgen.beams.fields.curved_reference import SectionPlace, places
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr

ACROSS: Mapping[str, tuple[int, int]] = {"EIz": (-1, 0), "EIy": (0, 1)}
"""Fibre strains by a curvature, as factors of y and z."""
SECOND: Mapping[str, str] = {"EIz": "Iz", "EIy": "Iy"}


class Fibred(BeamElement):
    """Base of elements with stretch as their first strain, and with curvatures.

    Attributes
    ----------
    bends : tuple of (name of the stiffness, number of the strain, sign)
        Its curvatures.
    arc : int
        The power of the stretch by which its curvatures grow beside what sections turn per natural
        length: -1 if they are those of the midline by its own length.
    """

    bends: ClassVar[tuple[tuple[str, int, int], ...]]
    arc: ClassVar[int] = 0

    def deformed(self, section: Section) -> list[Expr]:
        """Return strains; for an initially curved element, section rotation per natural length."""
        strains = super().deformed(section)
        if not self.curved(section.body):
            return strains
        stretch = section.tape.name("stretch", strains[0])
        strains[0] = stretch
        at_rest = self.at_rest(section)
        for _, k, _ in self.bends:
            strains[k] = strains[k] - self.arc * at_rest[k] * stretch
        return strains

    def curved_stresses(
        self, section: Section, strains: Sequence[Expr], law: Mapping[str, Expr]
    ) -> list[Expr]:
        """Return force and moments of fibres of different lengths; the rest as if straight."""
        stresses, tape, at_rest = self.stresses(strains, law), section.tape, self.at_rest(section)
        bent = [
            tape.name("bent", sign * (strains[k] - at_rest[k] * strains[0]))
            for _, k, sign in self.bends
        ]
        force = stresses[0]
        for row, (_, k, sign) in enumerate(self.bends):
            pairs = zip(self._stiffness(section, law, row), bent, strict=True)
            moment = tape.name("moment", sum(s * x for s, x in pairs))
            stresses[k] = sign * moment
            force = force - sign * at_rest[k] * moment
        stresses[0] = force
        return stresses

    def fibre(self, section: Section, strains: Sequence[Expr], y: Expr, z: Expr) -> Expr:
        """Return the strain of a fibre, whose length differs from the midline in a bend."""
        total = super().fibre(section, strains, y, z)
        if not self.curved(section.body):
            return total
        return total / self._length(section, SectionPlace(y, z, 0))

    def _length(self, section: Section, place: SectionPlace) -> Expr:
        """Return the length of a fibre for a metre of the midline."""
        at_rest = self.at_rest(section)
        bent = (sign * at_rest[k] * _stretched(name, place) for name, k, sign in self.bends)
        return 1 + sum(bent)

    def _stiffness(self, section: Section, law: Mapping[str, Expr], row: int) -> list[Expr]:
        r"""Return a row of :math:`\int E \phi_j \phi_k/\mu\, dA` with what curvatures stretch."""
        body, own = section.body, self.bends[row][0]
        sides = places(body)[1:]  # no bending of the midline
        lengths = [section.tape.name("length", self._length(section, p)) for p in sides]
        found = []
        for other, _, _ in self.bends:
            total: Expr = 0
            for place, length in zip(sides, lengths, strict=True):
                pair = _stretched(own, place) * _stretched(other, place)
                total = total + place.area * pair / length
            young = law[own] / body.parameter(SECOND[own])
            found.append(section.tape.name("bending", young * total))
        return found


def _stretched(name: str, place: SectionPlace) -> Expr:
    """Return the fibre strain of a curvature."""
    y, z = ACROSS[name]
    return y * place.y + z * place.z
