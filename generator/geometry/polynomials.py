"""Polynomials in the coordinate along an element, exactly differentiated and integrated."""

from dataclasses import dataclass
from fractions import Fraction

from mbdgen.geometry.symbolic_vectors import Expr


@dataclass(frozen=True)
class Polynomial:
    r"""Polynomial :math:`l^p \sum_k c_k \xi^k` in :math:`\xi = x/l` with integer coefficients.

    Attributes
    ----------
    coefficients : tuple of int
        In ascending order of powers.
    power : int
        Exponent p of the length.
    """

    coefficients: tuple[int, ...]
    power: int = 0

    def at(self, xi: Expr, length: Expr) -> Expr:
        """Return its value; the arguments may be symbols, numbers or arrays."""
        value: Expr = 0
        for c in reversed(self.coefficients):
            value = value * xi + c
        return value * length**self.power if self.power else value

    def derivative(self) -> "Polynomial":
        """Return the derivative with respect to x."""
        found = tuple(k * c for k, c in enumerate(self.coefficients) if k)
        return Polynomial(found or (0,), self.power - 1)

    def times(self, other: "Polynomial") -> "Polynomial":
        """Return the product."""
        product = [0] * (len(self.coefficients) + len(other.coefficients) - 1)
        for j, a in enumerate(self.coefficients):
            for k, b in enumerate(other.coefficients):
                product[j + k] += a * b
        return Polynomial(tuple(product), self.power + other.power)

    def integral(self) -> tuple[Fraction, int]:
        r"""Return :math:`\int_0^l` of it as a factor and the power of the length."""
        whole = sum((Fraction(c, k + 1) for k, c in enumerate(self.coefficients)), Fraction(0))
        return whole, self.power + 1
