"""Initial values of rotation parameters, their rates, and the base rotation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from mbdgen.errors import ModelError
from mbdgen.geometry.stumpff import value
from mbdgen.geometry.symbolic_vectors import Vec
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar, is_number
from mbdgen.orientations.base import OrientationSet

NEAR = 1e-6
"""Determinants this small, or as large as its inverse, indicate a singularity of the set."""
_NO_BASE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Placing:
    """Initial rotation parameters of a set.

    Attributes
    ----------
    base : tuple of 9 float
        Rotation matrix of the base, by columns.
    numbers, rates : tuple of scalar
        The orientation relative to the base, and its rates.
    """

    base: tuple[float, ...]
    numbers: tuple[Scalar, ...]
    rates: tuple[Scalar, ...]


def placing(orientation: type[OrientationSet], motion: Motion) -> Placing:
    """Return the rotation parameters of the initial orientation and angular velocity of a body.

    At a singularity of the set, a base is chosen that avoids it. An orientation that depends on
    model parameters has no base, since its values must follow them.
    """
    turn, omega = motion.orientation, _in_body(motion)
    numeric = all(map(is_number, turn.q))
    found = _numbers(orientation(), motion) if numeric else orientation().initial(turn)
    base = _NO_BASE
    if found is None:
        if not orientation.rebased:
            raise _unreachable(orientation, motion)
        found = orientation.home
        home = np.array(_kinematics(orientation)(*found)[0], float).reshape(3, 3)
        start = np.array(turn.matrix(), float)
        # Columns of the set's matrix are rows here.
        base = tuple((start @ home).T.ravel().tolist())
    rates = _rates(orientation, found, omega)
    return Placing(base, tuple(found), rates)


def _in_body(motion: Motion) -> tuple[Scalar, ...]:
    return tuple(motion.orientation.inverse_apply(motion.angular_velocity))


def _numbers(orientation: OrientationSet, motion: Motion) -> Sequence[Scalar] | None:
    """Return the initial rotation parameters, or None at a singularity of the set."""
    try:
        found = [float(x) for x in orientation.initial(motion.orientation)]
        b = np.array(_kinematics(type(orientation))(*found)[1], float)[:3]
    except (ZeroDivisionError, ValueError, TypeError):
        return None  # a root of a negative number; SymPy's NaN cannot be converted to float
    if not np.isfinite(b).all():
        return None
    size = float(np.sqrt(np.linalg.det(b @ b.T)))
    return found if NEAR < size < 1.0 / NEAR else None


def _rates(
    orientation: type[OrientationSet], numbers: Sequence[Scalar], omega: Sequence[Scalar]
) -> tuple[Scalar, ...]:
    r"""Solve :math:`\bar B \dot o = \bar\omega` and the rates of the norms for :math:`\dot o`."""
    size = len(orientation.coordinates)
    if all(is_number(w) and w == 0.0 for w in omega):
        return (0.0,) * size
    right = [*omega, *([0.0] * (size - 3))]
    if all(map(is_number, (*numbers, *omega))):
        matrix = np.array(_kinematics(orientation)(*numbers)[1], float)
        return tuple(np.linalg.solve(matrix, np.array(right, float)).tolist())
    import sympy

    symbols, _, rows = _stated(orientation)
    matrix = sympy.Matrix(rows).subs(dict(zip(symbols, numbers, strict=True)))
    return tuple(matrix.LUsolve(sympy.Matrix(right)))


@cache
def _stated(orientation: type[OrientationSet]) -> tuple[Any, Any, Any]:
    r"""Return symbols of the parameters, columns of R, and :math:`\bar B` above rates of norms."""
    import sympy

    symbols = [sympy.Symbol(name, real=True) for name in orientation.coordinates]
    x, y, z = orientation().rotation(symbols, lambda _, e: sympy.sympify(e))
    pairs = ((y, z), (z, x), (x, y))
    rows = [[(_slope(a, s).dot(b) - _slope(b, s).dot(a)) / 2 for s in symbols] for a, b in pairs]
    norms = orientation().norms(symbols)
    return symbols, [*x, *y, *z], [*rows, *([sympy.diff(n, s) for s in symbols] for n in norms)]


def _slope(axis: Vec, symbol: Any) -> Vec:
    import sympy

    return Vec(*(sympy.diff(c, symbol) for c in axis))


@cache
def _kinematics(orientation: type[OrientationSet]) -> Callable[..., Any]:
    """Return a numeric function of the parameters for the result of `_stated`."""
    import sympy

    symbols, columns, rows = _stated(orientation)
    return sympy.lambdify(symbols, (columns, rows), modules=[{"Stumpff": value}, "math"])


def _unreachable(orientation: type[OrientationSet], motion: Motion) -> ModelError:
    return ModelError(
        f"The initial orientation of body '{motion.name}' has no {orientation.name} coordinates "
        f"(singular: {orientation.singular}).",
        "Turn the axes of the body by its `orientation`, or use other coordinates.",
    )
