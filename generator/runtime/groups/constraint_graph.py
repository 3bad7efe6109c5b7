"""Constraint graph: incidence of constraint equations, coordinates and bodies."""

from collections.abc import Iterable

import numpy as np

from mbdgen.runtime.groups.group_elimination import Row
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray

WIGGLES = 2
"""Number of perturbed positions at which structural zeros are verified."""


class ConstraintGraph:
    """The constraint graph at a position: entries of ``H``, bodies, distances from the ground."""

    def __init__(self, system: System, t: float, q: FloatArray) -> None:
        owners = system.names.row_owners
        self.bodies = list(dict.fromkeys(owners[: system.n_q]))
        number = {name: k for k, name in enumerate(self.bodies)}
        self.body_of = np.array([number[o] for o in owners[: system.n_q]], np.int64)
        self.pattern = _entries(system, t, q)
        value = {int(r): h for r, h in zip(system.work.rows, _rows(system, t, q), strict=True)}
        self.rows = {r: {c: value[r].get(c, 0.0) for c in self.pattern[r]} for r in self.pattern}
        self.distance = self._distances(system)
        self.distance_of_column = [float(self.distance[b]) for b in self.body_of]
        self.order = sorted(self.pattern, key=lambda r: (self._far(r), r >= system.n_q, r))

    def bodies_of(self, columns: Iterable[int]) -> set[int]:
        """Return the bodies of some coordinates."""
        return {int(self.body_of[c]) for c in columns}

    def _far(self, row: int) -> int:
        return max((int(self.distance[b]) for b in self.bodies_of(self.pattern[row])), default=0)

    def _distances(self, system: System) -> IntArray:
        """Return how many joints there are between each body and the ground."""
        n = len(self.bodies)
        joints: dict[str, set[int]] = {}
        for row, columns in self.pattern.items():
            if row >= system.n_q:
                owner = system.names.row_owners[row]
                joints.setdefault(owner, set()).update(self.bodies_of(columns))
        for name in self.bodies:
            joints.pop(name, None)  # a rigid length connects a body to no other
        at: list[list[set[int]]] = [[] for _ in range(n)]
        for tied in joints.values():
            for b in tied:
                at[b].append(tied)
        distance = np.full(n, n + 1, np.int64)
        waiting = [b for tied in joints.values() if len(tied) == 1 for b in tied] or [0][:n]
        distance[waiting] = 1
        for b in waiting:  # grows while it is read: breadth first
            for other in (c for tied in at[b] for c in sorted(tied)):
                if distance[other] > distance[b] + 1:
                    distance[other] = distance[b] + 1
                    waiting.append(other)
        return distance


def _rows(system: System, t: float, q: FloatArray) -> list[Row]:
    """Return the rows of ``H``."""
    matrix = system.jacobian(t, q).tocsr()
    cut = [slice(a, b) for a, b in zip(matrix.indptr, matrix.indptr[1:], strict=False)]
    columns, values = matrix.indices.tolist(), matrix.data.tolist()
    return [dict(zip(columns[s], values[s], strict=True)) for s in cut]


def _entries(system: System, t: float, q: FloatArray) -> dict[int, list[int]]:
    """Return by row the columns of entries that are not zero at every position nearby."""
    wiggle = np.sin(1.7 * np.arange(1, system.n_q + 1))
    found: list[set[int]] = [set() for _ in system.work.rows]
    for k in range(WIGGLES + 1):
        for columns, row in zip(
            found, _rows(system, t + 0.1 * k, q + 0.05 * k * wiggle), strict=True
        ):
            columns.update(c for c, x in row.items() if x != 0.0)
    return {int(r): sorted(c) for r, c in zip(system.work.rows, found, strict=True)}
