"""Decomposition of a mechanism into structural groups (Dulmage-Mendelsohn), in solution order.

Some coordinates are given (inputs) or follow from a driver. The independent equations are matched
with the other coordinates; mutually dependent equations and coordinates are strongly connected
components of a graph, whose topological order is that of solution (Dulmage and Mendelsohn).
Components of one body or of one joint are merged, so that a group is a set of whole bodies: a
crank, a dyad, a loop.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from mbdgen.errors import OptionError
from mbdgen.runtime.groups.constraint_graph import ConstraintGraph
from mbdgen.runtime.groups.group_elimination import GroupElimination, eliminate
from mbdgen.runtime.groups.input_errors import (
    contradiction,
    too_many,
    undetermined,
    unknown_coordinate,
)
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray


@dataclass(frozen=True)
class StructuralGroup:
    """Bodies that are solved together, once their inputs are known.

    Attributes
    ----------
    bodies, joints : tuple of str
        Its bodies, and the elements whose equations it solves.
    dependent : array of int
        Coordinates ``phi`` that its equations determine.
    inputs : array of int
        Given coordinates of its bodies.
    known : array of int
        Coordinates ``h`` that its equations read: given ones and those of earlier groups.
    rows : array of int
        Its constraint rows, dependent ones included.
    drivers : int
        Its equations that prescribe a motion.
    level : int
        Groups of one level do not need each other; those of level 1 need inputs only.
    """

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    dependent: IntArray
    inputs: IntArray
    known: IntArray
    rows: IntArray
    drivers: int
    level: int

    @property
    def mobility(self) -> int:
        """Degrees of freedom that are given in it: zero for a proper structural group."""
        return len(self.inputs) + self.drivers

    @property
    def redundant(self) -> int:
        """Number of redundant equations."""
        return len(self.rows) - len(self.dependent)


@dataclass(frozen=True)
class Decomposition:
    """A mechanism as groups in the order of solution.

    Attributes
    ----------
    model : str
        Its name.
    inputs : array of int
        Given coordinates ``z``.
    input_names : tuple of str
        Their names.
    groups : tuple of StructuralGroup
        In the order of solution.
    """

    model: str
    inputs: IntArray
    input_names: tuple[str, ...]
    groups: tuple[StructuralGroup, ...]

    @property
    def levels(self) -> int:
        """Number of levels: length of the longest chain of dependent groups."""
        return max((g.level for g in self.groups), default=0)


def decompose(
    system: System, t: float, q: FloatArray, inputs: Sequence[str] | None = None
) -> Decomposition:
    """Decompose a mechanism into structural groups.

    Parameters
    ----------
    system : System
        The mechanism.
    t, q : float, array
        A position that satisfies the constraints, where redundancy is determined.
    inputs : sequence of str, optional
        Names of the given coordinates; drivers are inputs by themselves. By default as many
        coordinates as there are degrees of freedom are chosen, of bodies near the ground.

    Raises
    ------
    OptionError
        If these inputs do not determine the mechanism: it names the bodies that stay undetermined
        or the joints that contradict, and coordinates that could be inputs.
    """
    graph = ConstraintGraph(system, t, q)
    excluded = _input_columns(system, inputs or ())
    found = eliminate(graph.rows, graph.order, frozenset(excluded), graph.distance_of_column)
    driven = {system.n_q + int(k) for k in system.data.driven}
    if driven and (found.redundant or found.contradicted):
        passive = [r for r in graph.order if r not in driven]
        alone = eliminate(graph.rows, passive, frozenset(), graph.distance_of_column)
        dof = system.n_q - len(alone.pivots)
        if len(driven) + len(excluded) > dof:
            raise too_many(system, sorted(driven), excluded, dof)
    if found.contradicted:
        raise contradiction(system, graph.rows, found, excluded)
    free = sorted(set(range(system.n_q)) - set(found.pivots.values()) - set(excluded))
    if free and inputs is not None:
        raise undetermined(system, found, excluded, free)
    given = np.array([*excluded, *free], np.int64)
    groups = _groups(system, graph, found, given)
    names = tuple(system.names.coordinates[k] for k in given)
    return Decomposition(system.data.model, given, names, groups)


def independent_rows(system: System, t: float, q: FloatArray, inputs: IntArray) -> IntArray:
    """Return as many constraint rows as determine the other coordinates at a position."""
    graph = ConstraintGraph(system, t, q)
    excluded = frozenset(inputs.tolist())
    found = eliminate(graph.rows, graph.order, excluded, graph.distance_of_column)
    return np.array(sorted(found.pivots), np.int64)


def _input_columns(system: System, inputs: Iterable[str]) -> list[int]:
    """Return the coordinates of some names."""
    index_of = {name: k for k, name in enumerate(system.names.coordinates)}
    wanted = [inputs] if isinstance(inputs, str) else list(inputs)
    for name in wanted:
        if name not in index_of:
            raise unknown_coordinate(system, name)
        if wanted.count(name) > 1:
            raise OptionError(f"The input '{name}' is named twice.", "Name every input once.")
    return [index_of[name] for name in wanted]


def _groups(
    system: System, graph: ConstraintGraph, found: GroupElimination, given: IntArray
) -> tuple[StructuralGroup, ...]:
    """Match, find what needs each other, merge by bodies, and order."""
    inputs = set(given.tolist())
    unknown = {r: [c for c in columns if c not in inputs] for r, columns in graph.pattern.items()}
    needs = _needs(system, graph, unknown, list(found.pivots))
    label = components(len(graph.bodies), needs)
    position = in_order(label, needs)
    members: list[list[int]] = [[] for _ in set(label.tolist())]
    for b, component in enumerate(label):
        members[position[component]].append(b)
    rows: list[list[int]] = [[] for _ in members]
    for r in sorted(unknown):
        if unknown[r]:  # redundant rows belong to the last group that they involve
            rows[max(int(position[label[graph.body_of[c]]]) for c in unknown[r])].append(r)
    return _levelled(system, graph, members, rows, inputs)


def _needs(
    system: System,
    graph: ConstraintGraph,
    unknown: dict[int, list[int]],
    independent: Sequence[int],
) -> set[tuple[int, int]]:
    """Return pairs (body, body that its equations need); a joint is not cut into two groups."""
    columns = sorted({c for r in independent for c in unknown[r]})
    index_of = {c: k for k, c in enumerate(columns)}
    indices = [index_of[c] for r in independent for c in unknown[r]]
    indptr = np.cumsum([0, *(len(unknown[r]) for r in independent)])
    shape = (len(independent), len(columns))
    incidence = sp.csr_array((np.ones(len(indices)), indices, indptr), shape=shape)
    if not len(independent):
        return set()
    matched = maximum_bipartite_matching(sp.csr_matrix(incidence), perm_type="column")
    assert (matched >= 0).all(), "independent rows of a square matrix always match"
    found = set()
    solved: dict[str, int] = {}
    for r, k in zip(independent, matched, strict=True):
        body = int(graph.body_of[columns[k]])
        found |= {(body, other) for other in graph.bodies_of(unknown[r]) if other != body}
        other = solved.setdefault(system.names.row_owners[r], body)
        if other != body:
            found |= {(body, other), (other, body)}
    return found


def _levelled(
    system: System,
    graph: ConstraintGraph,
    members: Sequence[Sequence[int]],
    rows: Sequence[Sequence[int]],
    inputs: set[int],
) -> tuple[StructuralGroup, ...]:
    """Return the groups with what they read, and the level that follows from it."""
    driven = {system.n_q + int(k) for k in system.data.driven}
    names = system.names.row_owners
    group_of = {b: k for k, group in enumerate(members) for b in group}
    level: list[int] = []
    groups = []
    for bodies, own in zip(members, rows, strict=True):
        mine = np.flatnonzero(np.isin(graph.body_of, bodies))
        read = sorted({c for r in own for c in graph.pattern[r]} - (set(mine.tolist()) - inputs))
        earlier = {group_of[int(graph.body_of[c])] for c in read if c not in inputs}
        level.append(1 + max((level[k] for k in earlier), default=0))
        owners = dict.fromkeys(names[r] for r in own if r >= system.n_q)
        groups.append(
            StructuralGroup(
                bodies=tuple(graph.bodies[b] for b in bodies),
                joints=tuple(o for o in owners if o not in graph.bodies),
                dependent=np.array([c for c in mine if c not in inputs], np.int64),
                inputs=np.array([c for c in mine if c in inputs], np.int64),
                known=np.array(read, np.int64),
                rows=np.array(own, np.int64),
                drivers=sum(r in driven for r in own),
                level=level[-1],
            )
        )
    return tuple(groups)


# Strongly connected components of bodies, and their order of solution.
def components(n: int, needs: set[tuple[int, int]]) -> IntArray:
    """Return for each body the number of its strongly connected component."""
    pairs = np.array(sorted(needs), np.int64).reshape(-1, 2)
    matrix = sp.csr_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    return np.asarray(connected_components(matrix, directed=True, connection="strong")[1])


def in_order(label: IntArray, needs: set[tuple[int, int]]) -> list[int]:
    """Return the position of every component in topological order, else in order of creation."""
    count = int(label.max(initial=-1)) + 1
    first = np.unique(label, return_index=True)[1].tolist()
    before: list[set[int]] = [set() for _ in range(count)]
    for body, other in needs:
        if label[body] != label[other]:
            before[label[body]].add(int(label[other]))
    level = [0] * count
    for component in _topological(before):
        level[component] = 1 + max((level[k] for k in before[component]), default=0)
    order = sorted(range(count), key=lambda k: (level[k], first[k]))
    position = [0] * count
    for at, component in enumerate(order):
        position[component] = at
    return position


def _topological(before: Sequence[set[int]]) -> list[int]:
    """Return all components, each behind those that it needs."""
    after: list[list[int]] = [[] for _ in before]
    missing = [len(b) for b in before]
    for k, needed in enumerate(before):
        for other in needed:
            after[other].append(k)
    order = [k for k, count in enumerate(missing) if count == 0]
    for k in order:  # grows while it is read
        for other in after[k]:
            missing[other] -= 1
            if missing[other] == 0:
                order.append(other)
    return order
