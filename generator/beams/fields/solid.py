r"""Continuum elements: Saint-Venant-Kirchhoff law with a curved reference configuration.

Strains are components in the element coordinates (x, y, z), from the columns of the gradient and
those of the reference,

.. math:: E_{ab} = \tfrac12 (g_a \cdot g_b - G_a \cdot G_b), \qquad
    J_0 = [\,G_1\; G_2\; G_3\,] = \frac{\partial r_0}{\partial (x, y, z)} .

Those of the body are :math:`\varepsilon = J_0^{-T} E\, J_0^{-1}`. With the inverse metric
:math:`g^{ab}`, that of :math:`J_0^T J_0`, the energy is

.. math::

    U = \int \left( \tfrac{\lambda}{2} (g^{ab} E_{ab})^2 + G\, g^{ac} g^{bd} E_{ab} E_{cd} \right)
    \det J_0 \; dA\, dx .

It is quadratic in the coefficients of :math:`E_{ab}` in powers of y and z, with factors that the
reference alone determines.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

from mbdgen.beams.base import BeamElement
from mbdgen.beams.fields.continuum import Layout, Pair, green_lagrange
from mbdgen.beams.fields.curved_reference import SectionPlace, places
from mbdgen.geometry.across import Across
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero

ALONG: Pair = (0, 0)
Law = Mapping[tuple[Pair, Pair], Expr]
"""For two components of strain, those of the diagonal and above, the factor between them."""


@dataclass(frozen=True)
class Metric:
    """The reference metric at a point of a section: the inverse of J_0^T J_0, and det J_0."""

    inverse: Mapping[Pair, Expr]
    volume: Expr


class Solid(BeamElement):
    """Base of elements whose sections deform.

    Attributes
    ----------
    order : Layout
        Its strains, see `mbdgen.beams.fields.continuum.layout`.
    """

    order: ClassVar[Layout]

    @abstractmethod
    def gradient(self, section: Section) -> Sequence[Across]:
        """Return the columns of the deformation gradient, polynomials across the section."""

    def strains(self, section: Section) -> list[Expr]:
        """Coefficients of Green-Lagrange strains in powers of y and z."""
        return green_lagrange(self.gradient(section))

    def curved_stresses(
        self, section: Section, strains: Sequence[Expr], law: Mapping[str, Expr]
    ) -> list[Expr]:
        """Return the derivatives of the energy by the coefficients."""
        local = self.laws(section, law)
        found: list[Expr] = [0] * len(strains)
        for k, (first, j) in enumerate(self.order):
            for m, (second, n) in enumerate(self.order[k:], k):
                pair = _sorted(first, second)
                terms = (p.power(j) * p.power(n) * factors[pair] for p, factors in local)
                factor = section.tape.name("stiffness", sum(terms))
                found[k] = found[k] + factor * strains[m]
                if m != k:
                    found[m] = found[m] + factor * strains[k]
        return found

    def laws(self, section: Section, law: Mapping[str, Expr]) -> list[tuple[SectionPlace, Law]]:
        """Return the law at every point of the section, times the volume there."""
        return [
            (place, self.named(section, isotropic(metric, law["lam"], law["G"]), place.area))
            for place, metric in self.metrics(section)
        ]

    def named(self, section: Section, law: Law, area: Expr) -> Law:
        """Return a law times an area, under names."""
        return {pair: section.tape.name("law", x * area) for pair, x in law.items()}

    def fibre(self, section: Section, strains: Sequence[Expr], y: Expr, z: Expr) -> Expr:
        """Return the strain of a fibre."""
        if not self.curved(section.body):
            return super().fibre(section, strains, y, z)
        place, along = SectionPlace(y, z, 0), self.gradient(self.unloaded(section))[0]
        terms = zip(strains, self.order, strict=True)
        own = sum(e * place.power(j) for e, (pair, j) in terms if pair == ALONG)
        vector = _there(along, place)
        return own / vector.dot(vector)

    def shown(
        self, section: Section, strains: Sequence[Expr], stresses: Sequence[Expr]
    ) -> tuple[Sequence[Expr], Sequence[Expr]]:
        """Return stretch and curvatures of the fibres, and the force and the moments on them.

        Fibres of the length ``1 + b_0 y`` without load become longer by ``p + c y``: half of what
        the square changes is the product, in which y stands with ``b = c + b_0 p``.
        """
        if not self.curved(section.body):
            return strains, stresses
        at_rest = dict(zip(self.order, self.at_rest(section), strict=True))
        e, s = (dict(zip(self.order, x, strict=True)) for x in (strains, stresses))
        middle, sides = (ALONG, (0, 0)), [(ALONG, j) for j in ((1, 0), (0, 1)) if (ALONG, j) in e]
        shown, forces = dict(e), dict(s)
        for side in sides:
            slope = at_rest[side]
            shown[side] = e[side] - slope * e[middle]
            forces[middle] = forces[middle] + slope * s[side]
            for other in sides:
                square = (side[1][0] + other[1][0], side[1][1] + other[1][1])
                forces[side] = forces[side] + at_rest[other] * s[ALONG, square]
        return list(shown.values()), list(forces.values())

    def metrics(self, section: Section) -> list[tuple[SectionPlace, Metric]]:
        """Return the reference metric at the points of a section."""

        def made() -> list[tuple[SectionPlace, Metric]]:
            columns = self.gradient(self.unloaded(section))
            return [(p, _metric(section, columns, p)) for p in places(section.body)]

        return section.body.once(f"metrics {section.label}", made)


def isotropic(metric: Metric, lam: Expr, shear: Expr) -> Law:
    """Return the Saint-Venant-Kirchhoff law."""
    g, found = metric.inverse, {}
    for first, second in _pairs_of_pairs(metric):
        coupled: Expr = 0
        for (a, b), (c, d) in product(_orders(first), _orders(second)):
            coupled = coupled + (
                lam * _at(g, a, b) * _at(g, c, d) + 2 * shear * _at(g, a, c) * _at(g, b, d)
            )
        found[first, second] = coupled * metric.volume
    return found


def fibres(metric: Metric, young: Expr) -> Law:
    """Return the uniaxial law along the normal of the section."""
    g = metric.inverse
    factor = young * metric.volume / g[0, 0] ** 2
    found = {}
    for first, second in _pairs_of_pairs(metric):
        along = [len(_orders(x)) * _at(g, 0, x[0]) * _at(g, 0, x[1]) for x in (first, second)]
        found[first, second] = factor * along[0] * along[1]
    return found


def _metric(section: Section, columns: Sequence[Across], place: SectionPlace) -> Metric:
    """Return the inverse of a symmetric matrix by its minors."""
    name, size = section.tape.name, len(columns)
    there = []
    for column in columns:
        there.append(section.tape.vector("reference", _there(column, place)))
    if size == 2:
        there.append(Vec(0, 0, 1))
    volume = name("volume", there[0].dot(there[1].cross(there[2])))
    dual = [
        section.tape.vector("dual", there[k - 2].cross(there[k - 1]) / volume) for k in range(size)
    ]
    inverse = {
        (a, b): name("inverse", dual[a].dot(dual[b])) for a in range(size) for b in range(a, size)
    }
    return Metric(inverse, volume)


def _there(column: Across, place: SectionPlace) -> Vec:
    total = zero()
    for degrees, vector in column.terms.items():
        total = total + vector * place.power(degrees)
    return total


def _at(g: Mapping[Pair, Expr], a: int, b: int) -> Expr:
    return g[min(a, b), max(a, b)]


def _orders(pair: Pair) -> list[Pair]:
    """Return a component and the one across the diagonal, which is the same strain."""
    a, b = pair
    return [pair] if a == b else [(a, b), (b, a)]


def _sorted(first: Pair, second: Pair) -> tuple[Pair, Pair]:
    return (first, second) if first <= second else (second, first)


def _pairs_of_pairs(metric: Metric) -> list[tuple[Pair, Pair]]:
    pairs = sorted(metric.inverse)
    return [(x, y) for k, x in enumerate(pairs) for y in pairs[k:]]
