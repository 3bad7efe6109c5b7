r"""Planar element of Dufva: a section turned by bending, and by a shear that is linear on the line.

.. math:: \sin\gamma_k = -\frac{r_x \cdot r_y}{|r_x|\,|r_y|} \ \text{at the nodes}, \qquad
    r_s = n - \sin\gamma\; t,

with tangent t and normal n of the midline. The strains of the points :math:`r + y\,r_s` are
polynomials of y; :math:`|r_y| - 1` at the nodes is the stretch of the sections. Neither Poisson's
effect nor shear makes it lock.
"""

from collections.abc import Mapping, Sequence

from mbdgen.beams.planar_shear import PlanarShear
from mbdgen.geometry.functions import sqrt
from mbdgen.geometry.sections import Section
from mbdgen.geometry.vectors import Expr, Vec


class Dufva(PlanarShear):
    """Positions, tangents and section vectors of two nodes; bending and shear apart."""

    name = "dufva"
    numbers = ("EA", "EIz", "EI4", "GAy", "GIz", "ES")

    def strains(self, section: Section) -> list[Expr]:
        """Coefficients of the strains as polynomials of y, and the stretch of the section."""
        tape = section.tape
        shear, stretch = (_ends(section, k) for k in (0, 1))
        gamma = tape.name("sin_gamma", shear[0] + section.xi * (shear[1] - shear[0]))
        slope = (shear[1] - shear[0]) / section.body.parameter("l")

        rx, rxx = section.field("r", 1), section.field("r", 2)
        norm = tape.name("stretch", sqrt(rx.dot(rx)))
        t = tape.vector("t", rx / norm)
        n = Vec(-t[1], t[0], 0)
        turning = tape.name("turning", n.dot(rxx) / norm)  # dt/dx = turning n, dn/dx = -turning t
        rs = tape.vector("r_s", n - t * gamma)
        rsx = tape.vector("r_s_x", -(t * (turning + slope)) - n * (gamma * turning))
        return [
            (rx.dot(rx) - 1) / 2,
            rx.dot(rsx),
            rsx.dot(rsx) / 2,
            rx.dot(rs),
            rsx.dot(rs),
            stretch[0] + section.xi * (stretch[1] - stretch[0]),
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


def _ends(section: Section, what: int) -> list[Expr]:
    """Return the sine of the shear angle at both nodes, or the stretch of their sections."""
    found = []
    for end in (0, 1):
        rx, ry = section.field("r", 1, at=end), section.field("ry", at=end)
        shear = -rx.dot(ry) / sqrt(rx.dot(rx) * ry.dot(ry))
        found.append(section.tape.name(f"end_{end + 1}", (shear, sqrt(ry.dot(ry)) - 1)[what]))
    return found
