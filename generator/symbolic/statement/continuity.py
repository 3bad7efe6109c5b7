"""Continuity of piecewise expressions: jumps of the value or of the derivative.

SymPy differentiates each case of a ``Piecewise`` separately and ignores jumps between them, which
`mbdgen.functions.piecewise` states. Steps as of ``floor`` have a derivative of zero, too.
"""

import random
from typing import Any

import sympy

STEPS = (sympy.floor, sympy.ceiling, sympy.Mod, sympy.frac)
NEAR = 1e-6
ROUNDING = 1e-9
"""Tolerance for the difference of two cases at their border, relative to the larger value."""


def jumps(expression: Any, slopes: bool) -> bool:
    """Return whether an expression jumps where its cases meet, or its derivative if `slopes`.

    Borders at a value of one symbol are checked, with sample values of all other symbols.
    """
    if expression.has(*STEPS):
        return True
    cases = expression.atoms(sympy.Piecewise)
    return any(_jumps(one, slopes) for one in sorted(cases, key=str))


def _jumps(cases: sympy.Piecewise, slopes: bool) -> bool:
    rng = random.Random(1)
    some = {s: rng.uniform(0.5, 1.5) for s in sorted(cases.free_symbols, key=str)}
    for relation in sorted(cases.atoms(sympy.core.relational.Relational), key=str):
        for x in sorted(relation.free_symbols, key=str):
            others = {s: value for s, value in some.items() if s != x}
            known = cases.subs(others)
            border = _border(relation.subs(others), x)
            if border is not None and _differs(known, x, border, slopes):
                return True
    return False


def _border(relation: Any, x: Any) -> float | None:
    """Return the border of a relation, if it is a single number."""
    if not isinstance(relation, sympy.core.relational.Relational):
        return None
    difference = sympy.expand(relation.lhs - relation.rhs)
    slope = difference.diff(x)
    if not slope.is_number or slope == 0:
        return None
    place = -difference.subs(x, 0) / slope
    return float(place) if place.is_number and place.is_real else None


def _differs(cases: Any, x: Any, border: float, slopes: bool) -> bool:
    if not isinstance(cases, sympy.Piecewise):
        return False
    step = NEAR * (1.0 + abs(border))
    before, after = (_active(cases, x, border + side * step) for side in (-1, 1))
    if before is None or after is None:
        return False
    for order in range(2 if slopes else 1):
        values = [sympy.N(e.diff(x, order).subs(x, border)) for e in (before, after)]
        if not all(v.is_number and v.is_real and v.is_finite for v in values):
            continue
        size = max(1.0, *(abs(float(v)) for v in values))
        if abs(float(values[0] - values[1])) > ROUNDING * size:
            return True
    return False


def _active(cases: sympy.Piecewise, x: Any, at: float) -> Any:
    """Return the case that holds at a point."""
    for expression, condition in cases.args:
        if condition.subs(x, at) == sympy.true:
            return expression
    return None
