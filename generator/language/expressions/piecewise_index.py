"""Whole numbers that depend on where something is; in a file of their own: it imports SymPy."""

from bisect import bisect_right
from typing import Any, ClassVar

import numpy as np
import sympy


def chosen(x: Any, *given: float) -> Any:
    """Return the numbers at `x`, a number or an array; see `Chosen`."""
    n = len(given) // 2
    return np.asarray(given[n:])[np.searchsorted(given[:n], x, side="right")]


class Chosen(sympy.Function):
    """``Chosen(x, b1, ..., bn, a0, ..., an)``: a0 below b1, a1 up to b2, ..., an from bn on.

    A Piecewise of constants, which is also constant wherever it is differentiated; SymPy compares
    all conditions of a Piecewise with each other, which takes minutes for a table of fifty rows.
    """

    is_real: ClassVar[bool] = True
    is_commutative: ClassVar[bool] = True
    _imp_ = staticmethod(chosen)  # what `lambdify` calls

    @classmethod
    def eval(cls, x: Any, *given: Any) -> Any:
        """Evaluate at numbers."""
        n = len(given) // 2
        return given[n + bisect_right(given[:n], x)] if x.is_number else None

    @property
    def borders(self) -> list[float]:
        """The places where one number follows another."""
        return [float(b) for b in self.args[1 : len(self.args) // 2]]

    @property
    def numbers(self) -> list[float]:
        """The numbers, one more than `borders`."""
        return [float(a) for a in self.args[len(self.args) // 2 :]]

    def _eval_derivative(self, _: Any) -> Any:
        return sympy.Integer(0)


class Rounds(sympy.Function):
    """``Rounds(x)``: the whole number of times that something has gone around, `x` rounded down.

    It is constant wherever it is differentiated, which SymPy's ``floor`` is not.
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
    """``Turning(x)``: an angle that `x` knows modulo a turn, with all its turns.

    For angles that jump where they are not defined, as two of Euler's do where their axes meet.
    """

    is_real: ClassVar[bool] = True
    is_commutative: ClassVar[bool] = True

    @classmethod
    def eval(cls, x: Any) -> Any:
        """Evaluate at numbers, which have their turns."""
        return x if x.is_number else None


def around(x: Any, length: Any) -> Any:
    """Return `x` less the whole rounds of that length: from 0 on, and below the length."""
    return x - length * Rounds(x / length)
