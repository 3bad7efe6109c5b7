"""Polynomials in the place along an element, exactly differentiated and integrated."""

from dataclasses import dataclass
from fractions import Fraction

from mbdgen.geometry.symbolic_vectors import Expr


@dataclass(frozen=True)
class Polynomial:
    r"""A polynomial :math:`l^p \sum_k c_k \xi^k` of :math:`\xi = x/l` with whole coefficients.

    Attributes
    ----------
    coefficients : tuple of int
        From the constant on.
    power : int
        Which power of the length stands before it.
    """

    coefficients: tuple[int, ...]
    power: int = 0

    def at(self, xi: Expr, length: Expr) -> Expr:
        """Return its value; the coefficients may meet symbols, numbers or arrays."""
        value: Expr = 0
        for c in reversed(self.coefficients):
            value = value * xi + c
        return value * length**self.power if self.power else value

    def derivative(self) -> "Polynomial":
        """Return the derivative by x."""
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
