"""Stumpff functions as a SymPy function class; a separate file, because it imports SymPy."""

from typing import Any

import sympy

from mbdgen.geometry.stumpff import value


class Stumpff(sympy.Function):
    """Stumpff function ``Stumpff(k, x)``; see `mbdgen.geometry.stumpff`."""

    nargs = 2
    is_real = True

    @classmethod
    def eval(cls, k: Any, x: Any) -> Any:
        """Evaluate for numeric arguments."""
        if x == 0:
            return sympy.Integer(1) / sympy.factorial(k)
        return sympy.Float(value(int(k), float(x))) if x.is_Float else None

    def fdiff(self, argindex: int = 2) -> Any:
        """Differentiate with respect to the second argument."""
        k, x = self.args
        if argindex != 2:
            raise sympy.core.function.ArgumentIndexError(self, argindex)
        return (k * Stumpff(k + 2, x) - Stumpff(k + 1, x)) / 2
