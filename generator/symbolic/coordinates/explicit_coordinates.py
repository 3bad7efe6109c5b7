r"""Explicit elimination of dependent coordinates, one by one constraint row.

A row :math:`\phi_k = c\,q_e + g(q, t)` with a constant :math:`c` and a :math:`g` without
:math:`q_e` gives :math:`q_e = -g/c`, and the dynamics row of :math:`q_e` then gives the Lagrange
multiplier of the row. A revolute joint gives the position of the next body, a driver its angle, a
shared point one of its two copies. Pairs (row, coordinate) are chosen outwards from the ground, so
that a tree keeps its joint orientations, and a closed chain also the rows of one joint in its
middle.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mbdgen.symbolic.ir.graph import Graph
from mbdgen.symbolic.ir.graph_gradient import Gradient


@dataclass(frozen=True)
class Explicit:
    """Pair of an eliminated coordinate and the constraint row that gives it.

    Attributes
    ----------
    row : int
        Constraint row.
    coordinate : int
        Coordinate, and its row among the dynamics rows.
    slope : float
        Derivative of the constraint row with respect to the coordinate.
    reaction : float
        Derivative of the dynamics row with respect to the multiplier of the constraint row.
    """

    row: int
    coordinate: int
    slope: float
    reaction: float


def explicit_coordinates(
    graph: Graph,
    n_q: int,
    jacobian: Mapping[int, Gradient],
    reactions: Mapping[int, Gradient],
    known: Mapping[int, frozenset[int]],
) -> tuple[Explicit, ...]:
    """Return the coordinates to eliminate, each after those that it depends on.

    Parameters
    ----------
    graph : Graph
        Holds the derivatives.
    n_q : int
        Number of coordinates; the row ``n_q + k`` belongs to multiplier ``k``.
    jacobian : mapping of constraint row to gradient
        Derivatives with respect to the coordinates.
    reactions : mapping of dynamics row to gradient
        Derivatives with respect to the multipliers, direction ``n_q + k`` for multiplier ``k``.
    known : mapping of coordinate to coordinates
        Coordinates that are eliminated already, and all that they depend on.
    """
    candidates: dict[int, list[Explicit]] = {}
    for row, gradient in jacobian.items():
        pairs = (_candidate(graph, row, c, gradient, reactions) for c in sorted(gradient))
        candidates[row] = [e for e in pairs if e is not None and row >= n_q]
    needs = dict(known)  # coordinate -> all that it depends on
    chosen: list[Explicit] = []
    while options := [
        (key, e)
        for row, found in candidates.items()
        for e in found
        if (key := _rank(e, found, needs, jacobian[row]))
    ]:
        _, best = min(options, key=lambda option: option[0])
        del candidates[best.row]
        direct = _closure(jacobian[best.row].keys() - {best.coordinate}, needs)
        needs[best.coordinate] = direct
        needs.update({k: v | direct for k, v in needs.items() if best.coordinate in v})
        chosen.append(best)
    return _solvable(_ordered(chosen, needs), reactions)


def _candidate(
    graph: Graph, row: int, column: int, gradient: Gradient, reactions: Mapping[int, Gradient]
) -> Explicit | None:
    """Return the pair if both derivatives are numbers that correspond to each other."""
    slope = graph.nodes[gradient[column]]
    reaction = graph.nodes[reactions.get(column, {}).get(row, gradient[column])]
    if slope[0] != "const" or reaction[0] != "const" or slope[1] != -reaction[1]:
        return None  # the moment rows of a quaternion are not those of its components
    return Explicit(row, column, slope[1], reaction[1])


def _rank(
    e: Explicit, found: Iterable[Explicit], needs: Mapping[int, frozenset[int]], gradient: Gradient
) -> tuple[float, ...]:
    """Return the cost of a choice, for minimisation; empty if it is not possible."""
    direct = _closure(gradient.keys() - {e.coordinate}, needs)
    if e.coordinate in needs or e.coordinate in direct:
        return ()
    loose = sum(other.coordinate not in needs for other in found)
    return (loose, len(direct), -abs(e.slope), e.row, -e.coordinate)


def _closure(direct: Iterable[int], needs: Mapping[int, frozenset[int]]) -> frozenset[int]:
    found: set[int] = set()
    for k in direct:
        found |= {k} | needs.get(k, frozenset())
    return frozenset(found)


def _ordered(chosen: list[Explicit], needs: Mapping[int, frozenset[int]]) -> list[Explicit]:
    return sorted(chosen, key=lambda e: (len(needs[e.coordinate] & needs.keys()), e.coordinate))


def _solvable(ordered: list[Explicit], reactions: Mapping[int, Gradient]) -> tuple[Explicit, ...]:
    """Drop pairs whose multiplier would depend on itself (friction in a joint)."""
    while True:
        unknown: set[int] = set()
        for e in ordered:  # multipliers are computed in reverse order
            unknown.add(e.row)
            if (reactions.get(e.coordinate, {}).keys() & unknown) - {e.row}:
                ordered = [other for other in ordered if other is not e]
                break
        else:
            return tuple(ordered)
