r"""Polynomials in the coordinates y and z of a cross-section, integrated over it exactly.

The deformation of a beam section varies across it as :math:`\sum_{jk} a_{jk}\, y^j z^k` with
coefficients that are expressions or vectors. Products of such sums are sums again, and their
integrals need no quadrature points but the moments :math:`\int y^j z^k\, dA`.
"""

from collections.abc import Mapping
from typing import Any

from mbdgen.geometry.symbolic_vectors import Expr, Vec

Degrees = tuple[int, int]
MOMENTS: Mapping[Degrees, str] = {
    (0, 0): "A",
    (2, 0): "Iz",
    (0, 2): "Iy",
    (4, 0): "Iyyyy",
    (2, 2): "Iyyzz",
    (0, 4): "Izzzz",
}
"""Names of the area moments; those of odd degrees vanish by symmetry about y and z."""


class Across:
    """Polynomial in y and z with symbolic coefficients.

    Parameters
    ----------
    terms : mapping of (power of y, power of z) to an expression or a Vec
        Non-zero terms.
    """

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Degrees, Any]) -> None:
        self.terms = dict(terms)

    def __add__(self, other: "Across") -> "Across":
        found = dict(self.terms)
        for degrees, x in other.terms.items():
            found[degrees] = found[degrees] + x if degrees in found else x
        return Across(found)

    def __mul__(self, factor: Expr) -> "Across":
        return Across({degrees: x * factor for degrees, x in self.terms.items()})

    def dot(self, other: "Across") -> "Across":
        """Return the scalar product of two sums of vectors."""
        return self._product(other, Vec.dot)

    def times(self, other: "Across") -> "Across":
        """Return the product of two sums of expressions."""
        return self._product(other, lambda a, b: a * b)

    def integral(self, moments: Mapping[str, Expr]) -> Expr:
        """Return the integral over the section."""
        total: Expr = 0
        for degrees, x in self.terms.items():
            if degrees in MOMENTS:
                total = total + x * moments[MOMENTS[degrees]]
            elif not any(k % 2 for k in degrees):
                raise ValueError(f"no moment of the degrees {degrees}")
        return total

    def _product(self, other: "Across", multiplied: Any) -> "Across":
        found = Across({})
        for (j, k), a in self.terms.items():
            for (m, n), b in other.terms.items():
                found = found + Across({(j + m, k + n): multiplied(a, b)})
        return found
