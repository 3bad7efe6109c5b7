r"""Planar ANCF element of Dufva: section rotation by bending and by linearly interpolated shear.

.. math:: \sin\gamma_k = -\frac{r_x \cdot r_y}{|r_x|\,|r_y|} \ \text{at the nodes}, \qquad
    r_s = n - \sin\gamma\; t,

with tangent t and normal n of the midline. The strains of the points :math:`r + y\,r_s` are
polynomials of y; :math:`|r_y| - 1` at the nodes is the stretch of the sections. It is free of
Poisson and shear locking.
"""

from collections.abc import Mapping, Sequence

from mbdgen.beams.fields.curved_reference import ALONG_Y, integral, places
from mbdgen.beams.fields.measured_strains import CURVATURE, SHEAR, STRETCH
from mbdgen.beams.planar_shear import PlanarShear
from mbdgen.geometry.functions import sqrt
from mbdgen.geometry.sections import Section
from mbdgen.geometry.symbolic_vectors import Expr


class Dufva(PlanarShear):
    """Positions, tangents and section vectors of two nodes; bending and shear apart."""

    name = "dufva"
    measured = (STRETCH.of(0), CURVATURE.of((1, -1)), SHEAR.of(3))
    numbers = ("EA", "EIz", "EI4", "GAy", "GIz", "ES")
    moments = ALONG_Y

    def strains(self, section: Section) -> list[Expr]:
        r"""Coefficients of the strains as polynomials of y, and the stretch of the section.

        With :math:`t_x = \tau n`, :math:`n_x = -\tau t` and :math:`s = |r_x|` they are numbers of
        the midline and of the shear alone.
        """
        tape = section.tape
        (start, thick), (end, thin) = (_node(section, k) for k in (0, 1))
        gamma = tape.name("sin_gamma", start + section.xi * (end - start))
        slope = tape.name("sin_gamma_x", (end - start) / section.body.parameter("l"))

        rx, rxx = section.field("r", 1), section.field("r", 2)
        square = tape.name("square", rx.dot(rx))
        s = tape.name("s", sqrt(square))
        tau = tape.name("tau", rx.cross(rxx)[2] / square)
        turning = tape.name("turning", tau + slope)
        return [
            (square - 1) / 2,
            -s * turning,
            (turning**2 + (gamma * tau) ** 2) / 2,
            -s * gamma,
            gamma * slope,
            thick + section.xi * (thin - thick),
        ]

    def stresses(self, strains: Sequence[Expr], law: Mapping[str, Expr]) -> list[Expr]:
        """Integrals over the section of the stresses times 1, y, y^2."""
        p, b, c, g, gx, e = strains
        return [
            law["EA"] * p + law["EIz"] * c,
            law["EIz"] * b,
            law["EIz"] * p + law["EI4"] * c,
            law["GAy"] * g,
            law["GIz"] * gx,
            law["ES"] * e,
        ]

    def curved_stresses(
        self, section: Section, strains: Sequence[Expr], law: Mapping[str, Expr]
    ) -> list[Expr]:
        r"""Integrals of stresses times 1, y, y^2 over fibres that are :math:`\mu` times as long.

        Sections are normal to the midline without load: J_0 is diagonal there, mu and 1, so that
        the stretch is divided by its square, shear by it, and areas are multiplied by it.
        """
        p, b, c, g, gx, e = strains
        name, where = section.tape.name, places(section.body)
        s, tau = self._turning_at_rest(section)

        def weight(k: int, power: int) -> Expr:
            return name("curved", integral(where, lambda x: x.y**k / (s - x.y * tau) ** power))

        area, iz, iyyyy = (law[moment] for moment in ALONG_Y)
        stiffness = (law["EA"] / area, law["EIz"] / iz, law["EIz"] / iz, *[law["EI4"] / iyyyy] * 2)
        axial = [name("along", young * weight(k, 3)) for k, young in enumerate(stiffness)]
        shear = [
            name("shearing", weight(k, 1) * modulus)
            for k, modulus in ((0, law["GAy"] / area), (1, law["GIz"] / iz), (2, law["GIz"] / iz))
        ]
        return [
            *(axial[k] * p + axial[k + 1] * b + axial[k + 2] * c for k in range(3)),
            shear[0] * g + shear[1] * gx,
            shear[1] * g + shear[2] * gx,
            law["ES"] * s * e,
        ]

    def shown(
        self, section: Section, strains: Sequence[Expr], stresses: Sequence[Expr]
    ) -> tuple[Sequence[Expr], Sequence[Expr]]:
        """Return stretch and curvature of the fibres, and the force and the moment on them."""
        if not self.curved(section.body):
            return strains, stresses
        _, tau = self._turning_at_rest(section)
        (p, b, *others), (force, moment, third, *rest) = strains, stresses
        return [p, b + tau * p, *others], [
            force - tau * moment,
            moment - tau * third,
            third,
            *rest,
        ]

    def fibre(self, section: Section, strains: Sequence[Expr], y: Expr, z: Expr) -> Expr:
        """Return the strain of a fibre."""
        if not self.curved(section.body):
            return super().fibre(section, strains, y, z)
        s, tau = self._turning_at_rest(section)
        return (strains[0] + y * strains[1] + y**2 * strains[2]) / (s - y * tau) ** 2

    def _turning_at_rest(self, section: Section) -> tuple[Expr, Expr]:
        """Return the unstrained length of the midline and the rotation of its sections."""
        name, at_rest = section.tape.name, self.at_rest(section)
        s = name("s_rest", sqrt(1 + 2 * at_rest[0]))
        return s, name("tau_rest", -at_rest[1] / s)


def _node(section: Section, end: int) -> tuple[Expr, Expr]:
    """Return the sine of the shear angle at a node, and the stretch of its section."""
    rx, ry = section.field("r", 1, at=end), section.field("ry", at=end)
    tape, length = section.tape, sqrt(ry.dot(ry))
    shear = tape.name("shear", -rx.dot(ry) / (sqrt(rx.dot(rx)) * length))
    return shear, tape.name("thickening", length - 1)
