"""Functions from arbitrary expressions."""

from typing import Any

from mbdgen.errors import ModelError
from mbdgen.functions.base import TimeFunction, argument, as_expression
from mbdgen.language.expressions.scalars import as_scalar, is_symbolic


def formula(given: Any) -> TimeFunction:
    """Return any expression as a function.

    Parameters
    ----------
    given : callable or expression
        Such as ``lambda t: sin(t) ** 2`` with functions of SymPy, an expression of ``m.t``, a
        number, or a function, which is returned unchanged.
    """
    if isinstance(given, TimeFunction):
        return given
    if callable(given):
        try:
            given = given(argument())
        except Exception as error:  # a user's function may raise any exception
            raise ModelError(
                f"A formula stopped with {type(error).__name__}: {error}.",
                "It is called with a symbol: take functions of SymPy, not of math or NumPy.",
            ) from error
    value = as_expression(as_scalar(given, "the value of a formula"))
    if is_symbolic(given):
        time = [s for s in value.free_symbols if s.name == "t"]
        value = value.subs({s: argument() for s in time})
    return TimeFunction(value, "formula")
