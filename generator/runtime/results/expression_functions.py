"""Functions of expressions: their arguments and usage."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.system.system_data import FloatArray

Values = Sequence[FloatArray]


@dataclass(frozen=True)
class SeriesFunction:
    """A function of expressions.

    Attributes
    ----------
    usage : str
        Its syntax.
    least, most : int
        Numbers of arguments; no limit if `most` is 0.
    call : callable
        ``call(t, arguments, text)``, where the text is for messages.
    """

    usage: str
    least: int
    most: int
    call: Callable[[FloatArray, Values, str], FloatArray]


def together(values: Values, text: str) -> list[FloatArray]:
    """Broadcast scalars, series and vectors against each other: series get an axis.

    Raises
    ------
    OptionError
        If vectors have different numbers of components.
    """
    sizes = {x.shape[1] for x in values if x.ndim == 2}
    if len(sizes) > 1:
        listed = " and ".join(map(str, sorted(sizes)))
        raise OptionError(
            f"{text!r} combines vectors of {listed} components.", "Take components, such as tip[0]."
        )
    return [x[:, None] if sizes and x.ndim == 1 else x for x in values]


def _each(usage: str, function: Callable[[FloatArray], FloatArray]) -> SeriesFunction:
    return SeriesFunction(usage, 1, 1, lambda t, x, text: np.asarray(function(x[0])))


def _two(usage: str, function: Callable[[FloatArray, FloatArray], FloatArray]) -> SeriesFunction:
    return SeriesFunction(usage, 2, 2, lambda t, x, text: function(*together(x, text)))


def _extreme(usage: str, function: np.ufunc) -> SeriesFunction:
    """One argument: over time. Several: instant by instant."""

    def call(t: FloatArray, x: Values, text: str) -> FloatArray:
        if len(x) == 1:
            return np.asarray(function.reduce(x[0], axis=0)) if x[0].size else np.asarray(np.nan)
        found = together(x, text)
        total = found[0]
        for other in found[1:]:
            total = function(total, other)
        return np.asarray(total)

    return SeriesFunction(usage, 1, 0, call)


def _norm(x: FloatArray) -> FloatArray:
    return np.sqrt(np.sum(x**2, axis=1)) if x.ndim == 2 else np.abs(x)


def _vectors(x: Values, text: str, size: int = 0) -> list[FloatArray]:
    found = together(x, text)
    if any(v.ndim != 2 or (size and v.shape[1] != size) for v in x):
        wanted = f"vectors of {size} components" if size else "vectors"
        raise OptionError(f"{text!r}: dot and cross need {wanted}.", "Give groups, such as tip.")
    return found


def _dot(t: FloatArray, x: Values, text: str) -> FloatArray:
    a, b = _vectors(x, text)
    return np.asarray(np.sum(a * b, axis=1))


def _cross(t: FloatArray, x: Values, text: str) -> FloatArray:
    a, b = _vectors(x, text, 3)
    return np.cross(a, b)


def _diff(t: FloatArray, x: Values, text: str) -> FloatArray:
    """Central differences of second order, one-sided at both ends."""
    if x[0].ndim == 0:
        return np.zeros(len(t))
    if len(t) < 3:
        raise OptionError(f"{text!r}: diff needs 3 instants, not {len(t)}.", "Record more.")
    return np.asarray(np.gradient(x[0], t, axis=0, edge_order=2))


def _integral(t: FloatArray, x: Values, text: str) -> FloatArray:
    """Cumulative trapezoidal rule, from 0 at the first instant."""
    values = np.broadcast_to(x[0], t.shape) if x[0].ndim == 0 else x[0]
    steps = np.diff(t).reshape(-1, *[1] * (values.ndim - 1))
    pieces = steps * (values[1:] + values[:-1]) / 2
    return np.concatenate([np.zeros((min(1, len(t)), *values.shape[1:])), np.cumsum(pieces, 0)])


FUNCTIONS = {
    "abs": _each("abs(x)", np.abs),
    "sqrt": _each("sqrt(x)", np.sqrt),
    "exp": _each("exp(x)", np.exp),
    "log": _each("log(x)", np.log),
    "sign": _each("sign(x)", np.sign),
    "sin": _each("sin(x)", np.sin),
    "cos": _each("cos(x)", np.cos),
    "tan": _each("tan(x)", np.tan),
    "asin": _each("asin(x)", np.arcsin),
    "acos": _each("acos(x)", np.arccos),
    "atan": _each("atan(x)", np.arctan),
    "atan2": _two("atan2(y, x)", np.arctan2),
    "degrees": _each("degrees(x)", np.degrees),
    "radians": _each("radians(x)", np.radians),
    "norm": _each("norm(v)", _norm),
    "dot": SeriesFunction("dot(a, b)", 2, 2, _dot),
    "cross": SeriesFunction("cross(a, b)", 2, 2, _cross),
    "diff": SeriesFunction("diff(x)", 1, 1, _diff),
    "integral": SeriesFunction("integral(x)", 1, 1, _integral),
    "unwrap": _each("unwrap(angle)", lambda x: np.unwrap(x, axis=0) if x.ndim else x),
    "min": _extreme("min(x), over time, or min(x, y, ...)", np.minimum),
    "max": _extreme("max(x), over time, or max(x, y, ...)", np.maximum),
}
