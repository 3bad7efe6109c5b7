"""Piecewise constant functions as SymPy functions (this module imports SymPy)."""

from bisect import bisect_right
from typing import Any, ClassVar

import numpy as np
import sympy


def chosen(x: Any, *given: float) -> Any:
    """Return the values at `x`, a number or an array; see `Chosen`."""
    n = len(given) // 2
    return np.asarray(given[n:])[np.searchsorted(given[:n], x, side="right")]


class Chosen(sympy.Function):
    """``Chosen(x, b1, ..., bn, a0, ..., an)``: a0 below b1, a1 up to b2, ..., an from bn on.

    A piecewise constant function with zero derivative. SymPy's Piecewise compares all its
    conditions with each other, which takes minutes for a table of fifty rows.
    """

    is_real: ClassVar[bool] = True
    is_commutative: ClassVar[bool] = True
    _imp_ = staticmethod(chosen)  # called by `lambdify`

    @classmethod
    def eval(cls, x: Any, *given: Any) -> Any:
        """Evaluate at numbers."""
        n = len(given) // 2
        return given[n + bisect_right(given[:n], x)] if x.is_number else None

    @property
    def borders(self) -> list[float]:
        """The breakpoints."""
        return [float(b) for b in self.args[1 : len(self.args) // 2]]

    @property
    def numbers(self) -> list[float]:
        """The values, one more than `borders`."""
        return [float(a) for a in self.args[len(self.args) // 2 :]]

    def _eval_derivative(self, _: Any) -> Any:
        return sympy.Integer(0)


class Rounds(sympy.Function):
    """``Rounds(x)``: the number of complete revolutions, `x` rounded down.

    Its derivative is zero, unlike that of SymPy's ``floor``.
    """

    is_real: ClassVar[bool] = True
    is_commutative: ClassVar[bool] = True
    _imp_ = staticmethod(np.floor)

    @classmethod
    def eval(cls, x: Any) -> Any:
        """Evaluate at numbers."""
        return sympy.floor(x) if x.is_number else None

    def _eval_derivative(self, _: Any) -> Any:
        return sympy.Integer(0)


class Turning(sympy.Function):
    """``Turning(x)``: angle unwrapping, the continuous angle of an `x` known modulo one revolution.

    For angles that jump at a singularity, as two of the Euler angles do when their axes align.
    """

    is_real: ClassVar[bool] = True
    is_commutative: ClassVar[bool] = True

    @classmethod
    def eval(cls, x: Any) -> Any:
        """Evaluate at numbers, which already include their revolutions."""
        return x if x.is_number else None


def around(x: Any, length: Any) -> Any:
    """Return `x` modulo the given length, in [0, length)."""
    return x - length * Rounds(x / length)
