"""Scalars of a model: floats or SymPy expressions of named parameters; validation, evaluation.

Importing SymPy takes most of a second, so it is never imported here: unless another module has
imported it, no value can be a SymPy object.
"""

import math
import sys
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, cast

import numpy as np

from mbdgen.errors import ModelError

# A type checker reads the first branch; at run time SymPy's name is not there yet, and a text could
# not be combined as in `Scalar | None`.
if TYPE_CHECKING:
    import sympy

    Scalar: TypeAlias = float | sympy.Expr
    Symbol: TypeAlias = sympy.Symbol
else:
    Scalar = Symbol = Any

Vec3: TypeAlias = tuple[Scalar, Scalar, Scalar]
Mat33: TypeAlias = tuple[Vec3, Vec3, Vec3]
Defaults: TypeAlias = Mapping[Symbol, float]
"""Default numeric value of every named parameter."""


def is_symbolic(x: object) -> bool:
    """Return whether `x` is a SymPy scalar expression (also a constant one, such as ``pi``)."""
    sp = sys.modules.get("sympy")
    # Symbolic matrices are expressions to SymPy, but not scalars.
    return sp is not None and isinstance(x, sp.Expr) and not x.is_Matrix


def is_number(x: object) -> TypeGuard[float]:
    """Return whether `x` is a real number of Python or NumPy (a bool is not)."""
    kind = type(x)  # asking the abstract class takes ten times as long, and models ask very often
    return kind is float or kind is int or (isinstance(x, Real) and kind is not bool)


def as_scalar(x: object, what: str) -> Scalar:
    """Return `x` as a finite float or as an expression that contains parameters.

    Constant expressions (``pi/2``, ``Rational(1, 12)``) become floats.

    Parameters
    ----------
    x : object
        The user's value.
    what : str
        Description for messages, for example ``mass of body 'rod'``.

    Raises
    ------
    ModelError
        If `x` is not a real finite number nor a real finite expression.
    """
    if type(x) is float and math.isfinite(x):  # nearly always
        return x
    if isinstance(x, np.ndarray) and x.ndim == 0:
        x = x.item()
    if is_symbolic(x):
        return _as_expression(x, what)
    if isinstance(x, complex):
        raise ModelError(f"{what} is complex ({x!r}).", "Give a real number.")
    if not is_number(x):
        raise ModelError(
            f"{what} is {shown(x)}, not a number.", "Give a number or an expression of parameters."
        )
    try:
        number = float(x)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ModelError(f"{what} is {number}.", "Give a finite number.")
    return number


def value_of(x: Scalar, defaults: Defaults | None, what: str = "expression") -> float:
    """Return the numeric value of `x` with every parameter at its default.

    Raises
    ------
    ModelError
        If `x` contains a symbol without default, or its value is not a real finite number.
    """
    if not is_symbolic(x):
        number = as_scalar(x, what)
        assert isinstance(number, float)
        return number
    known = defaults or {}
    expression: Any = x
    missing = sorted(str(s) for s in expression.free_symbols if s not in known)
    if missing:
        raise ModelError(
            f"{what} contains {', '.join(missing)}, which is not a parameter with a default value.",
            "Declare it with parameter(name, value) of the model."
            if defaults is not None
            else "Pass its value as defaults={symbol: value}.",
        )
    result = as_scalar(_substituted(expression, known, what), what)
    if not isinstance(result, float):
        raise ModelError(f"{what} has no numeric value ({result}).", "Use only known functions.")
    return result


def entries(x: object) -> Sequence[object] | None:
    """Return the entries of a list, tuple, array or SymPy vector (of a matrix: its rows).

    Return None for anything else, including strings, sets and mappings.
    """
    if type(x) is tuple:
        return x
    if isinstance(x, np.ndarray):
        return list(x) if x.ndim > 0 else None
    sp = sys.modules.get("sympy")
    if sp is not None and isinstance(x, sp.MatrixBase):
        return list(x) if 1 in x.shape else cast(list[object], x.tolist())
    if sp is not None and isinstance(x, sp.Tuple):
        return list(x)
    if isinstance(x, Sequence) and not isinstance(x, str | bytes | bytearray):
        return x
    return None


def vector(x: object, n: int, what: str) -> tuple[Scalar, ...]:
    """Return `x` as a tuple of `n` scalars; lists, tuples, arrays and SymPy vectors are accepted.

    Raises
    ------
    ModelError
        If `x` does not have `n` entries or an entry is not a scalar.
    """
    items = entries(x)
    if items is None or len(items) != n:
        found = shown(x) if items is None else f"{len(items)} of them"
        raise ModelError(f"{what} needs {n} numbers, got {found}.", f"Give a list of {n} numbers.")
    return tuple(as_scalar(e, f"component {k} of {what}") for k, e in enumerate(items, 1))


def vector3(x: object, what: str) -> Vec3:
    """Return `x` as a tuple of three scalars."""
    a, b, c = vector(x, 3, what)
    return a, b, c


def space(x: object, what: str) -> Vec3:
    """Return `x` as a tuple of three scalars; two mean a vector in the plane z = 0."""
    items = entries(x)
    return vector3([*items, 0.0] if items is not None and len(items) == 2 else x, what)


def matrix33(x: object, what: str) -> Mat33:
    """Return `x` (three rows of three, an array or a SymPy matrix) as a tuple of row tuples.

    Raises
    ------
    ModelError
        If `x` is not 3 x 3 or an entry is not a scalar.
    """
    rows = entries(x)
    if rows is None or len(rows) != 3:
        found = shown(x) if rows is None else f"{len(rows)} of them"
        raise ModelError(
            f"{what} needs 3 rows of 3 numbers, got {found}.", "Give a list of 3 rows."
        )
    a, b, c = (vector3(row, f"row {k} of {what}") for k, row in enumerate(rows, 1))
    return a, b, c


def sqrt(x: Scalar) -> Scalar:
    """Square root of a number that is not negative, or of an expression."""
    if is_number(x):
        if x < 0:
            raise ModelError(f"sqrt({x}) is not a real number.", "Give an argument >= 0.")
        return math.sqrt(x)
    return cast(Scalar, sys.modules["sympy"].sqrt(x))


def log(x: Scalar) -> Scalar:
    """Natural logarithm of a positive number or of an expression."""
    return math.log(x) if is_number(x) else cast(Scalar, sys.modules["sympy"].log(x))


def sin(x: Scalar) -> Scalar:
    """Sine of a number or an expression."""
    return math.sin(x) if is_number(x) else cast(Scalar, sys.modules["sympy"].sin(x))


def cos(x: Scalar) -> Scalar:
    """Cosine of a number or an expression."""
    return math.cos(x) if is_number(x) else cast(Scalar, sys.modules["sympy"].cos(x))


def atan2(y: Scalar, x: Scalar) -> Scalar:
    """Four-quadrant arctangent of numbers or expressions: the angle of the point (x, y)."""
    if is_number(x) and is_number(y):
        return math.atan2(y, x)
    return cast(Scalar, sys.modules["sympy"].atan2(y, x))


def _as_expression(x: Any, what: str) -> Scalar:
    sp = sys.modules["sympy"]
    try:
        return _finite_expression(sp, x, what)
    except RecursionError as error:
        raise ModelError(f"{what} is nested too deeply.", "Write it with fewer levels.") from error


def _finite_expression(sp: Any, x: Any, what: str) -> Scalar:
    if x.has(sp.nan, sp.oo, -sp.oo, sp.zoo):
        raise ModelError(f"{what} is not finite ({x}).", "Give a finite expression.")
    if x.has(sp.I):
        raise ModelError(f"{what} is complex ({x}).", "Give a real expression.")
    if x.free_symbols or x.has(sp.core.function.AppliedUndef):
        return cast(Scalar, x)
    try:
        return as_scalar(float(x), what)
    except TypeError as error:
        raise ModelError(f"{what} is not a real number ({x}).", "Give a real number.") from error


def _substituted(expression: Any, defaults: Mapping[Any, float], what: str) -> object:
    sp = sys.modules["sympy"]
    # xreplace, not subs: exact matching, no sequential effects, and far faster.
    point = {s: sp.Float(value_of(defaults[s], None, str(s))) for s in expression.free_symbols}
    try:
        return expression.xreplace(point).evalf()
    except (ZeroDivisionError, ValueError, OverflowError) as error:
        raise ModelError(f"{what} cannot be evaluated: {expression} ({error}).") from error


def shown(x: object) -> str:
    """Return a short representation of an invalid value, safe for a one-line message."""
    text = " ".join(repr(x).split())
    return text if len(text) <= 60 else text[:57] + "..."


# Ratios of lengths that do not depend on the parameters.
_OTHER = (1.371, 2.093)  # arbitrary scale factors that no mechanism uses
_SAME = 1e-9


def ratio(x: Scalar, whole: Scalar, known: Defaults, what: str) -> float | None:
    """Return ``x/whole`` as a number, or None if it depends on parameters.

    SymPy does not cancel ``L`` and ``sqrt(L**2)``, so the ratio is compared at other parameter
    values.
    """
    found = value_of(x, known, what) / value_of(whole, known, what)
    if not (is_symbolic(x) or is_symbolic(whole)):
        return found
    for factor in _OTHER:
        powers = (factor ** (1 + k) for k in range(len(known)))
        others = {s: value * f for (s, value), f in zip(known.items(), powers, strict=True)}
        again = value_of(x, others, what) / value_of(whole, others, what)
        if abs(again - found) > _SAME * max(1.0, abs(found)):
            return None
    return found
