r"""Constraints that are linear in the coordinates, solved for as many of them as they determine.

Rows :math:`H q + c(t) = 0` with constant H are found by looking at the derivatives, which are
numbers then. With the coordinates split into independent ones and those that the rows give,

.. math:: q_d = S q_i + E c, \quad S = -H_d^{-1} H_i, \quad E = -H_d^{-1}

and likewise of their rates, with those of c. The multipliers that are gone balance the rows of
:math:`q_d`, :math:`H_d^T \lambda_d = r_d`; where joints say the same together, they are the
smallest that do:

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
"""Of the largest coefficient of a row: less than this is left of rows that follow from others."""
SELDOM = 1e-3
"""Weight of coordinates that are to stay: they are given by others where the rest has nothing."""
SNAP = 1e-14
"""Below it coefficients are round-off of zero."""
CONTRADICTION = 1e-9
"""Of the largest constant of a row: more than this is no round-off."""


@dataclass(frozen=True)
class LinearElimination:
    """What linear rows give.

    Attributes
    ----------
    free : tuple of int
        Coordinates that stay.
    given : tuple of int
        Coordinates that the rows give.
    rows : tuple of int
        Multipliers of the rows that give them, and of those that follow from these.
    pivots : tuple of int
        The former, in the order of `given`.
    by_free, by_constant : array
        S and E.
    reactions : array
        What multiplies r_d in the multipliers of all `rows`.
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
    """Return what the linear rows of a mechanism give.

    Parameters
    ----------
    whole : AllCoordinates
        Its equations, in a graph of their own.
    plain : sequence of bool
        For every coordinate whether its change is a virtual displacement, with the row beside it.
    kept : sequence of int
        Multipliers of rows that shall stay: equations of velocities.
    wanted : collection of int
        Coordinates that are given by others only where nothing else can be.
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
    """Return the coefficients of every row with a multiplier that is linear, by multiplier."""
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
    """Return rows and columns of a regular part, by elimination with the largest pivots.

    Of equal ones the last coordinate is given by the others: bodies hang on earlier ones.
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
    """Refuse rows that follow from others but for their constants, now or later.

    Raises
    ------
    ModelError
        Naming one, and those that it follows from.
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
    """Round to zero, one and minus one what differs from them by round-off."""
    near = np.round(x)
    return np.where(np.abs(x - near) < SNAP, near, x)
