r"""Green-Lagrange strains of deformable sections, and the Saint-Venant-Kirchhoff law.

With the columns of the deformation gradient :math:`F = [g_1\; g_2\; g_3]`, polynomials in the
section coordinates y and z (`mbdgen.geometry.across`),

.. math::

    \varepsilon_{ab} = \tfrac12 (g_a \cdot g_b - \delta_{ab}), \qquad
    \sigma = \lambda\, \mathrm{tr}(\varepsilon)\, E + 2 G\, \varepsilon .

The coefficients of these polynomials are the strains of the element; the conjugate stresses are
integrals over the section, so that quadrature is needed along the element only.
"""

from collections.abc import Iterator, Mapping, Sequence

from mbdgen.beams.fields.measured_strains import (
    CURVATURE,
    CURVATURE_Y,
    CURVATURE_Z,
    SHEAR,
    SHEAR_Y,
    SHEAR_Z,
    STRETCH,
    TWIST,
    Measured,
)
from mbdgen.geometry.across import Across, Degrees
from mbdgen.geometry.functions import rational
from mbdgen.geometry.symbolic_vectors import Expr

Pair = tuple[int, int]
Layout = tuple[tuple[Pair, Degrees], ...]
"""For every strain its tensor component, and its powers of y and z."""

MATERIAL: tuple[str, ...] = ("lam", "G")


def layout(columns: Sequence[Across]) -> Layout:
    """Return the layout of the coefficients."""
    found = []
    for a, b in _pairs(len(columns)):
        found += [((a, b), degrees) for degrees in sorted(columns[a].dot(columns[b]).terms)]
    return tuple(found)


def green_lagrange(columns: Sequence[Across]) -> list[Expr]:
    """Return the coefficients of the strains, as `layout` orders them."""
    half = rational(1, 2)
    found: list[Expr] = []
    for a, b in _pairs(len(columns)):
        product = columns[a].dot(columns[b])
        for degrees in sorted(product.terms):
            unit = 1 if a == b and degrees == (0, 0) else 0
            found.append((product.terms[degrees] - unit) * half)
    return found


def kirchhoff(strains: Sequence[Expr], order: Layout, law: Mapping[str, Expr]) -> list[Expr]:
    """Return the stress conjugate to every coefficient, integrated over the section."""
    epsilon, trace = _by_component(strains, order)
    found = []
    for (a, b), degrees in order:
        stress = epsilon[a, b] * (2 * law["G"])
        if a == b:
            stress = stress + trace * law["lam"]
        both = 1 if a == b else 2  # eps_ab and eps_ba
        found.append(stress.times(Across({degrees: both})).integral(law))
    return found


def measured_in(order: Layout) -> tuple[Measured, ...]:
    """Return the measures: fibre strains are ``-y curvature_z`` and ``z curvature_y``."""
    flat = not any(2 in pair for pair, _ in order)
    bent, sheared = (CURVATURE, SHEAR) if flat else (CURVATURE_Z, SHEAR_Y)
    known: list[tuple[Measured, list[tuple[Pair, Degrees, int]]]] = [
        (STRETCH, [((0, 0), (0, 0), 1)]),
        (bent, [((0, 0), (1, 0), -1)]),
        (sheared, [((0, 1), (0, 0), 2)]),
    ]
    if not flat:
        known += [
            (CURVATURE_Y, [((0, 0), (0, 1), 1)]),
            (SHEAR_Z, [((0, 2), (0, 0), 2)]),
            (TWIST, [((0, 2), (1, 0), 1), ((0, 1), (0, 1), -1)]),
        ]
    places = {key: k for k, key in enumerate(order)}
    return tuple(
        measured.of(*((places[pair, degrees], factor) for pair, degrees, factor in parts))
        for measured, parts in known
    )


def relaxed(strains: Sequence[Expr], order: Layout, law: Mapping[str, Expr]) -> list[Expr]:
    r"""Return the stress conjugate to every coefficient with free lateral contraction.

    Only the means :math:`\bar\varepsilon` are coupled by Poisson's ratio. The variation across the
    section has the axial stiffness E, as if it were free to become a trapezoid,

    .. math::

        \sigma_{11} = E\, (\varepsilon_{11} - \bar\varepsilon_{11})
            + \lambda\, \mathrm{tr}(\bar\varepsilon) + 2 G\, \bar\varepsilon_{11} .
    """
    epsilon, trace = _by_component(strains, order)
    lam, shear, young = law["lam"], law["G"], law["E"]
    mean = (0, 0)
    found = []
    for (a, b), degrees in order:
        stress = epsilon[a, b] * (2 * shear if a != b else young)
        if a == b and degrees == mean:
            more = (2 * shear - young) * epsilon[a, b].terms[mean] + lam * trace.terms[mean]
            stress = stress + Across({mean: more})
        both = 1 if a == b else 2
        found.append(stress.times(Across({degrees: both})).integral(law))
    return found


def _by_component(strains: Sequence[Expr], order: Layout) -> tuple[Mapping[Pair, Across], Across]:
    """Return the strains as polynomials, and their trace."""
    epsilon: dict[Pair, Across] = {}
    for (pair, degrees), e in zip(order, strains, strict=True):
        epsilon[pair] = epsilon.get(pair, Across({})) + Across({degrees: e})
    trace = Across({})
    for (a, b), e in epsilon.items():
        trace = trace + e if a == b else trace
    return epsilon, trace


def _pairs(size: int) -> Iterator[Pair]:
    """Yield the components: those on the diagonal, then the others."""
    yield from ((a, a) for a in range(size))
    yield from ((a, b) for a in range(size) for b in range(a + 1, size))
