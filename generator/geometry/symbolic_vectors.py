"""Symbolic 3-vectors with the operations that mechanics needs."""

from collections.abc import Iterator
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.returned import is_expression, wrong

Expr = Any  # sympy.Expr, symengine.Basic or a plain number: type of the algebra engine

AXES = ("x", "y", "z")


class Vec:
    """Vector with three components in global axes (unless its name says otherwise)."""

    __slots__ = ("_c",)

    def __init__(self, x: Expr, y: Expr, z: Expr) -> None:
        self._c = (x, y, z)

    @classmethod
    def of(cls, components: Any) -> "Vec":
        """Return the vector of an iterable of three components."""
        x, y, z = components
        return cls(x, y, z)

    def __iter__(self) -> Iterator[Expr]:
        return iter(self._c)

    def __getitem__(self, i: int) -> Expr:
        return self._c[i]

    def __add__(self, other: "Vec") -> "Vec":
        return Vec(*(a + b for a, b in zip(self, other, strict=True)))

    def __sub__(self, other: "Vec") -> "Vec":
        return Vec(*(a - b for a, b in zip(self, other, strict=True)))

    def __neg__(self) -> "Vec":
        return Vec(*(-a for a in self))

    def __mul__(self, factor: Expr) -> "Vec":
        return Vec(*(a * factor for a in self))

    __rmul__ = __mul__

    def __truediv__(self, divisor: Expr) -> "Vec":
        return Vec(*(a / divisor for a in self))

    def __repr__(self) -> str:
        return f"Vec{self._c}"

    def dot(self, other: "Vec") -> Expr:
        """Scalar product."""
        (a, b, c), (x, y, z) = self, other
        return a * x + b * y + c * z

    def cross(self, other: "Vec") -> "Vec":
        """Vector product."""
        (a, b, c), (x, y, z) = self, other
        return Vec(b * z - c * y, c * x - a * z, a * y - b * x)

    def norm(self) -> Expr:
        """Length."""
        return self.dot(self) ** _half()

    def direction(self) -> "Vec":
        """Return the unit vector."""
        if all(c == 0 for c in self):
            raise ModelError(
                "it needs the direction of a vector that is always zero.",
                "Give it other axes: two that shall not be parallel are.",
            )
        return self / self.norm()


def stated_vector(owner: object, method: str, value: Any, hint: str = "") -> Vec:
    """Return the vector that a method of `owner` returned, or raise an error."""
    if not isinstance(value, Vec) or not all(map(is_expression, value)):
        raise wrong(owner, method, value, f"a Vec of three expressions{hint}")
    return value


def zero() -> Vec:
    """Return the zero vector."""
    return Vec(0, 0, 0)


def _half() -> Expr:
    from sympy import Rational

    return Rational(1, 2)
