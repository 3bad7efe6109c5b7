r"""Equations of a mechanism with its linear constraints eliminated.

With :math:`q = B q_i + b(t)` of `mbdgen.symbolic.coordinates.linear_constraints` the dynamics rows
become :math:`B^T r`, in which the multipliers of the linear rows do not appear; the matrix becomes
:math:`B^T A B`. These multipliers are constant combinations of the rows that they balance. If
:math:`b` depends on time, its rates enter :math:`r`, and the multipliers of drivers do work.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mbdgen.interface import LEVELS
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.symbolic.coordinates.linear_constraints import LinearElimination
from mbdgen.symbolic.fuse.straight_system import AllCoordinates, Entries, Nodes, Substituted

State = dict[str, Any]


class EliminatedSystem(Substituted):
    """Mechanism in the independent coordinates of its linear constraints.

    Parameters
    ----------
    elimination : LinearElimination
        Elimination of the linear constraints.
    inner : AllCoordinates
        The equations in all coordinates, in an empty graph.
    names : mapping
        Names of the independent coordinates, and of the multipliers.
    drivers : sequence of int
        Multipliers of drivers, which do work.
    """

    def __init__(
        self,
        elimination: LinearElimination,
        inner: AllCoordinates,
        names: Mapping[str, tuple[str, ...]],
        drivers: Sequence[int] = (),
    ) -> None:
        super().__init__(inner.whole)
        self._inner, self._found, self._drivers = inner, elimination, frozenset(drivers)
        gone = set(elimination.rows)
        self._kept = [k for k in range(inner.n_lam) if k not in gone]
        self.n_q, self.n_lam = len(elimination.free), len(self._kept)
        # The interface of a module of these equations has the remaining multipliers.
        self.multipliers = range(self.n_lam)
        self._variables = variables(names)
        self._place = places(elimination, inner.n_q, self._kept)
        self._shares = _shares(elimination)

    def vector(self, kind: str, array: str | None = None) -> Nodes:
        """Return the nodes of a state vector."""
        return [self.load(x, array or kind, k) for k, x in enumerate(self._variables[kind])]

    def full(self, state: State) -> State:
        """Return the state of the mechanism, with zeros for eliminated multipliers."""
        b = self.builder
        zero = b.const(0.0)
        found: State = {"w": state["w"], "lam": [zero] * self._inner.n_lam}
        for k, node in zip(self._kept, state["lam"], strict=True):
            found["lam"][k] = node
        for kind, constants in zip(LEVELS, self._constants(state["w"]), strict=True):
            found[kind] = [zero] * self._inner.n_q
            for k, node in zip(self._found.free, state[kind], strict=True):
                found[kind][k] = node
            for j, k in enumerate(self._found.given):
                of_free = self._weighted(self._found.by_free[j], state[kind])
                of_time = self._weighted(self._found.by_constant[j], constants)
                found[kind][k] = b.add(of_free, of_time)
        return found

    def residual(self, state: State) -> dict[int, int]:
        """Return the remaining rows of the residual."""
        return self._summed(self._inner.residual(self.full(state)))

    def rates(self, state: State) -> dict[int, int]:
        """Return phi_dot of the rows, then phi_ddot."""
        n = self._inner.n
        found = {}
        for at, node in self._inner.rates(self.full(state)).items():
            level, row = divmod(at, n)
            if row in self._place:
                found[level * self.n + self._place[row]] = node
        return found

    def power(self, state: State) -> int:
        """Return the power of loads and drivers."""
        return self._inner.power({**self.full(state), "lam": self._working(state)})

    def values(self, kernel: str, state: State, lam: Nodes | None = None) -> dict[int, int]:
        """Return the results of a kernel that are independent of the choice of coordinates."""
        full = {**self.full(state), "lam": self._working(state) if lam is None else lam}
        return self._whole.values(kernel, full)

    def matrix(self, state: State) -> Entries:
        """Return ``B^T A B``, with the remaining rows and columns."""
        b = self.builder
        terms: dict[tuple[int, int], list[int]] = {}
        for (row, column), node in self._inner.matrix(self.full(state)).items():
            for i, x in self._shares_of(row):
                for j, y in self._shares_of(column):
                    terms.setdefault((i, j), []).append(b.mul(node, b.const(x * y)))
        sums = ((place, b.total(nodes)) for place, nodes in terms.items())
        return {place: node for place, node in sums if not b.is_zero(node)}

    def all_multipliers(self, state: State) -> Nodes:
        """Return all multipliers, the eliminated ones from the rows that they balance."""
        b, full = self.builder, self.full(state)
        lam: Nodes = list(full["lam"])
        if not self._found.rows:
            return lam
        rows = self._inner.residual(full)
        unbalanced = [rows.get(k, b.const(0.0)) for k in self._found.given]
        for k, part in zip(self._found.rows, self._found.reactions, strict=True):
            lam[k] = self._weighted(part, unbalanced)
        return lam

    @property
    def constraint_rows(self) -> frozenset[int]:
        """Rows with multipliers; norm rows are not differentiated."""
        return frozenset(range(self.n_q, self.n))

    def _constants(self, w: Nodes) -> list[Nodes]:
        """Return c of the linear rows, and its rates: the rows at zero coordinates and rates."""
        inner = self._inner
        still = {kind: inner.zeros(kind) for kind in (*LEVELS, "lam")}
        zero = self.builder.const(0.0)
        state = {**still, "w": w}
        residual, rates = inner.residual(state), inner.rates(state)
        at = [inner.n_q + k for k in self._found.pivots]
        first = [residual.get(k, zero) for k in at]
        return [first, *([rates.get(j * inner.n + k, zero) for k in at] for j in (0, 1))]

    def _working(self, state: State) -> Nodes:
        """Return the multipliers that do work; the others are not computed."""
        if self._drivers.isdisjoint(self._found.rows):
            return list(self.full(state)["lam"])
        return self.all_multipliers(state)

    def _weighted(self, weights: FloatArray, nodes: Nodes) -> int:
        b = self.builder
        used = [(float(x), node) for x, node in zip(weights, nodes, strict=True) if x]
        return b.total([b.mul(b.const(x), node) for x, node in used])

    def _summed(self, rows: Mapping[int, int]) -> dict[int, int]:
        """Return ``B^T r`` of the dynamics rows, and the other rows at their new indices."""
        b = self.builder
        terms: dict[int, list[int]] = {}
        for row, node in rows.items():
            for i, x in self._shares_of(row):
                terms.setdefault(i, []).append(b.mul(node, b.const(x)))
        return {i: b.total(nodes) for i, nodes in terms.items()}

    def _shares_of(self, index: int) -> list[tuple[int, float]]:
        """Return the remaining rows (or unknowns) that one of all contributes to, with factors."""
        if index in self._shares:
            return self._shares[index]
        return [(self._place[index], 1.0)] if index in self._place else []


def variables(names: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    """Return the names of the unknowns in generated code."""
    q = [c.replace(".", "_") for c in names["coordinates"]]
    lam = [f"lam_{c.replace('[', '_').rstrip(']')}" for c in names["multipliers"]]
    return {"q": q, "v": [f"{c}_dot" for c in q], "a": [f"{c}_ddot" for c in q], "lam": lam}


def places(elimination: LinearElimination, n_q: int, multipliers: list[int]) -> dict[int, int]:
    """Return the new index of every remaining row (and unknown)."""
    free = {k: j for j, k in enumerate(elimination.free)}
    first = len(elimination.free)
    return free | {n_q + k: first + j for j, k in enumerate(multipliers)}


def _shares(elimination: LinearElimination) -> dict[int, list[tuple[int, float]]]:
    """Return the row of B of every dependent coordinate."""
    return {
        k: [(int(j), float(row[j])) for j in np.flatnonzero(row)]
        for k, row in zip(elimination.given, elimination.by_free, strict=True)
    }
