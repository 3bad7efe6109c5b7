"""Piecewise functions."""

from itertools import pairwise
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.functions.base import TimeFunction, argument, as_expression
from mbdgen.functions.formula import formula
from mbdgen.language.expressions.scalars import as_scalar, is_number

_ROUNDING = 1e-12


def piecewise(*pieces: Any) -> TimeFunction:
    r"""Return the piecewise function of several functions separated by breakpoints.

    ``piecewise(first, 1.0, second, 2.5, third)``; a piece may be a number.

    Jumps of the value and of the slope at the breakpoints, :math:`\Delta_0` and :math:`\Delta_1`,
    are explicit, so that a position driver rejects them:

    .. math::
        f(x) = \text{smooth pieces} + \sum_b \Delta_0 H(x - b) + \Delta_1 \max(0, x - b)
    """
    import sympy

    functions, borders = _read(pieces)
    x = argument()
    cases, jumps, removed = [], as_expression(0.0), as_expression(0.0)
    for k, border in enumerate(borders):
        before, after = functions[k].expression, functions[k + 1].expression
        cases.append((before - removed, x < border))
        value, slope = (_jump(after.diff(x, n) - before.diff(x, n), border) for n in (0, 1))
        removed += value + slope * (x - border)
        jumps += value * sympy.Heaviside(x - border) + slope * sympy.Max(0, x - border)
    cases.append((functions[-1].expression - removed, True))
    return TimeFunction(sympy.Piecewise(*cases) + jumps, "piecewise function")


def _jump(difference: Any, border: Any) -> Any:
    """Return the jump at a breakpoint, without the round-off of continuous pieces."""
    found = difference.subs(argument(), border)
    if found.is_number and not found.is_finite:
        raise ModelError(
            f"A piece of a piecewise function has no value at its end, {border}.",
            "Choose another place, or another function.",
        )
    small = found.is_number and abs(found) < _ROUNDING
    return as_expression(0.0) if small else found


def _read(pieces: tuple[Any, ...]) -> tuple[list[TimeFunction], list[Any]]:
    if len(pieces) % 2 == 0 or len(pieces) < 3:
        raise ModelError(
            f"A piecewise function has {len(pieces)} arguments.",
            "Give a function, a place, a function, ..., and a function at the end.",
        )
    borders = [as_scalar(x, "a place of a piecewise function") for x in pieces[1::2]]
    numbers = [b for b in borders if is_number(b)]
    if any(not low < high for low, high in pairwise(numbers)):
        listed = ", ".join(f"{b:g}" for b in numbers)
        raise ModelError(
            f"The abscissae of a piecewise function do not increase: {listed}.",
            "Give them in order.",
        )
    return [formula(p) for p in pieces[::2]], borders
