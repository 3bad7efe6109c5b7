r"""Elimination of linear constraints: solved for as many coordinates as they determine.

Rows :math:`H q + c(t) = 0` with constant H are recognised by their derivatives, which are numbers.
With the coordinates partitioned into independent (i) and dependent (d) ones,

.. math:: q_d = S q_i + E c, \quad S = -H_d^{-1} H_i, \quad E = -H_d^{-1}

and likewise for their rates, with those of c. The eliminated Lagrange multipliers balance the rows
of :math:`q_d`, :math:`H_d^T \lambda_d = r_d`; with redundant constraints the minimum-norm solution
is taken:

.. math:: \lambda = -(H^T)^+ (E H_p)^T r_d
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from mbdgen.errors import ModelError
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.symbolic.fuse.straight_system import AllCoordinates
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.symbolic.lower.flatten import Instances
from mbdgen.symbolic.lower.parameter_tables import INSTANTS

INDEPENDENT = 1e-10
"""Rank tolerance of dependent rows, relative to the largest coefficient of a row."""
SELDOM = 1e-3
"""Weight of coordinates to be kept: they become dependent only if no others can."""
SNAP = 1e-14
"""Coefficients below it are round-off of zero."""
CONTRADICTION = 1e-9
"""Tolerance for inconsistent constants, relative to the largest constant of a row."""


@dataclass(frozen=True)
class LinearElimination:
    """Elimination of linear constraint rows.

    Attributes
    ----------
    free : tuple of int
        Independent coordinates.
    given : tuple of int
        Dependent coordinates.
    rows : tuple of int
        Multipliers of the rows that determine them, and of the redundant rows.
    pivots : tuple of int
        Multipliers of the determining rows, in the order of `given`.
    by_free, by_constant : array
        S and E.
    reactions : array
        Matrix that gives the multipliers of all `rows` from r_d.
    """

    free: tuple[int, ...]
    given: tuple[int, ...]
    rows: tuple[int, ...]
    pivots: tuple[int, ...]
    by_free: FloatArray
    by_constant: FloatArray
    reactions: FloatArray


def eliminate(
    instances: Instances,
    whole: AllCoordinates,
    plain: Sequence[bool],
    kept: Sequence[int],
    wanted: Collection[int] = (),
) -> LinearElimination:
    """Eliminate the linear constraints of a mechanism: ``q_d = S q_i + E c``.

    Parameters
    ----------
    whole : AllCoordinates
        Its equations, in a graph of their own.
    plain : sequence of bool
        For every coordinate whether its variation is a virtual displacement, with its own row.
    kept : sequence of int
        Multipliers of rows to be kept: nonholonomic equations.
    wanted : collection of int
        Coordinates to be kept: dependent only if no others can be.
    """
    n_q = whole.n_q
    found = _coefficients(whole, plain)
    rows = [k for k in sorted(found) if k not in kept]
    jacobian = np.array([found[k] for k in rows], float).reshape(len(rows), n_q)
    pivots, given = _pivots(jacobian, wanted)
    free = [k for k in range(n_q) if k not in set(given)]
    inverse = np.linalg.inv(jacobian[np.ix_(pivots, given)]) if given else np.zeros((0, 0))
    by_free = _snapped(-inverse @ jacobian[np.ix_(pivots, free)])
    _check_dependent(instances, whole, rows, jacobian, pivots)
    balance = np.linalg.pinv(jacobian.T) @ jacobian[pivots].T if pivots else np.zeros((0, 0))
    return LinearElimination(
        tuple(free),
        tuple(given),
        tuple(rows),
        tuple(rows[k] for k in pivots),
        by_free,
        _snapped(-inverse),
        _snapped(balance @ inverse.T),
    )


def _coefficients(whole: AllCoordinates, plain: Sequence[bool]) -> dict[int, FloatArray]:
    """Return the coefficients of every linear row with a multiplier, by multiplier."""
    b, n_q = whole.builder, whole.n_q
    found: dict[int, FloatArray] = {k: np.zeros(n_q) for k in range(whole.n_lam)}
    for (row, column), node in whole.matrix(whole.state()).items():
        if row < n_q or row - n_q not in found:
            continue
        if column < n_q and b.is_constant(node) and plain[column]:
            found[row - n_q][column] = b.finish().nodes[node][1]
        elif not b.is_zero(node):
            del found[row - n_q]
    return {k: x for k, x in found.items() if x.any()}


def _pivots(jacobian: FloatArray, wanted: Collection[int]) -> tuple[list[int], list[int]]:
    """Return rows and columns of a regular submatrix, by Gaussian elimination with pivoting.

    Of equal pivots the last coordinate is chosen: bodies depend on earlier ones.
    """
    weights = 1.0 + 1e-9 * np.arange(jacobian.shape[1])
    weights[list(wanted)] *= SELDOM
    left = jacobian / np.abs(jacobian).max(axis=1, initial=1e-300, keepdims=True)
    rows: list[int] = []
    columns: list[int] = []
    while left.size:
        size = np.abs(left) * weights
        size[rows] = 0.0
        row, column = np.unravel_index(int(size.argmax()), size.shape)
        if size[row, column] <= INDEPENDENT * weights[column]:
            break
        others = np.arange(len(left)) != row
        left[others] -= np.outer(left[others, column] / left[row, column], left[row])
        rows.append(int(row))
        columns.append(int(column))
    return rows, columns


def _check_dependent(
    instances: Instances,
    whole: AllCoordinates,
    rows: Sequence[int],
    jacobian: FloatArray,
    pivots: Sequence[int],
) -> None:
    """Reject redundant rows with inconsistent constants, now or later.

    Raises
    ------
    ModelError
        Naming one, and those that it depends on.
    """
    rest = [k for k in range(len(rows)) if k not in set(pivots)]
    if not rest:
        return
    known = list(pivots)
    part = np.linalg.lstsq(jacobian[known].T, jacobian[rest].T, rcond=None)[0]
    for t in INSTANTS:
        constants = _constants_at(instances, whole, rows, t)
        gaps = np.abs(constants[rest] - part.T @ constants[known])
        worst = int(gaps.argmax())
        if gaps[worst] > CONTRADICTION * max(1.0, float(np.abs(constants).max())):
            names = instances.names["multipliers"]
            others = [known[k] for k in np.flatnonzero(np.abs(part[:, worst]) > INDEPENDENT)]
            listed = ", ".join(names[rows[k]] for k in sorted(others))
            raise ModelError(
                f"Equation {names[rows[rest[worst]]]} of '{instances.model}' contradicts others by "
                f"{gaps[worst]:.3g}{f' at t = {t:g}' if t else ''}: it follows from {listed}, all "
                "of them linear.",
                "Check the points and axes of the joints there, and what drivers prescribe.",
            )


def _constants_at(
    instances: Instances, whole: AllCoordinates, rows: Sequence[int], t: float
) -> FloatArray:
    """Return c of linear rows at an instant and the defaults of the parameters."""
    b = whole.builder
    zero = {kind: whole.zeros(kind) for kind in ("q", "v", "a", "lam")}
    found = whole.residual(whole.state(**zero))
    nodes = [found.get(whole.n_q + k, b.const(0.0)) for k in rows]
    graph = b.finish()
    names = {name: instances.p[k] for name, (array, k) in whole.sources.items() if array == "p"}
    return np.array(evaluate(graph, nodes, {"t": t, **names}), float)


def _snapped(x: FloatArray) -> FloatArray:
    """Round values to zero, one and minus one within round-off."""
    near = np.round(x)
    return np.where(np.abs(x - near) < SNAP, near, x)
