r"""Straight-line sparse LU factorisation and solution, as graph nodes (Markowitz pivoting).

Pivots are chosen once, at some representative states: least fill-in (Markowitz), among entries that
are not small in any of them. Constants (masses, ones in a Jacobian) are folded by the graph.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from mbdgen.symbolic.fuse.pivot_order import Candidates, NoPivotError, Place, Sample
from mbdgen.symbolic.ir.graph import GraphBuilder

SAFETY = 1e-6  # smallest admissible pivot, relative to its representative value


@dataclass(frozen=True)
class StraightFactors:
    """Factorisation as nodes, for solving with any right-hand side.

    Attributes
    ----------
    pivots : tuple of (row, column)
        In order of elimination.
    inverses : tuple of int
        Nodes of the inverse pivots.
    below : tuple of dict
        For each pivot: row -> node of the entry that is eliminated.
    right : tuple of dict
        For each pivot: column -> node of the entry in the pivot row, divided by the pivot.
    guards : tuple of (node, limit)
        Pivots that depend on the state, and their smallest admissible magnitude.
    """

    pivots: tuple[Place, ...]
    inverses: tuple[int, ...]
    below: tuple[dict[int, int], ...]
    right: tuple[dict[int, int], ...]
    guards: tuple[tuple[int, float], ...]

    def variable(self, builder: GraphBuilder) -> list[int]:
        """Return the nodes that depend on the state, each once."""
        nodes = [n for part in (*self.below, *self.right) for n in part.values()]
        every = dict.fromkeys([*self.inverses, *nodes])
        return [n for n in every if not builder.is_constant(n)]

    def renamed(self, names: Mapping[int, int]) -> "StraightFactors":
        """Return the same elimination with some nodes replaced."""

        def swapped(part: dict[int, int]) -> dict[int, int]:
            return {k: names.get(node, node) for k, node in part.items()}

        return StraightFactors(
            self.pivots,
            tuple(names.get(node, node) for node in self.inverses),
            tuple(map(swapped, self.below)),
            tuple(map(swapped, self.right)),
            (),
        )


def factorise(
    builder: GraphBuilder,
    entries: Mapping[Place, int],
    values: Mapping[Place, Sequence[float]],
    n: int,
    far: bool = False,
) -> StraightFactors:
    """Factorise a sparse matrix by Gaussian elimination.

    Parameters
    ----------
    entries : dict of (row, column) to node
        Entries that are not structurally zero.
    values : dict of (row, column) to sequence of float
        Their values at the representative states.
    n : int
        Size.
    far : bool
        Whether these states are far apart.

    Raises
    ------
    NoPivotError
        If it is singular there, or NaN.
    """
    rows: list[dict[int, int]] = [{} for _ in range(n)]
    numbers: list[dict[int, Sample]] = [{} for _ in range(n)]
    columns: list[set[int]] = [set() for _ in range(n)]
    for (r, c), node in entries.items():
        rows[r][c], numbers[r][c] = node, tuple(map(float, values[r, c]))
        columns[c].add(r)
    if not all(isfinite(x) for row in numbers for sample in row.values() for x in sample):
        raise NoPivotError
    builder.section("factors of the matrix")
    candidates = Candidates(numbers, columns, far)
    pivots, inverses, below, right, guards = [], [], [], [], []
    for _ in range(n):
        r, c = candidates.take()
        pivot, number = rows[r].pop(c), numbers[r].pop(c)
        if not builder.is_constant(pivot):
            guards.append((pivot, SAFETY * min(map(abs, number))))
        inverse = builder.div(builder.const(1.0), pivot)
        builder.label(pivot, f"pivot_{r}_{c}")
        builder.label(inverse, f"inverse_{r}_{c}")
        others = {k: builder.mul(node, inverse) for k, node in rows[r].items()}
        for k, node in others.items():
            builder.label(node, f"U_{r}_{k}")
        lower: dict[int, int] = {}
        for i in sorted(columns[c] - {r}):
            entry, value = rows[i].pop(c), numbers[i].pop(c)
            lower[i] = entry
            for k, node in others.items():
                update = builder.mul(entry, node)
                old = rows[i].get(k)
                rows[i][k] = builder.neg(update) if old is None else builder.sub(old, update)
                numbers[i][k] = _updated(numbers[i].get(k), value, numbers[r][k], number)
                columns[k].add(i)
        for k in others:
            columns[k].discard(r)
        columns[c] = set()
        candidates.changed(lower, others)
        pivots.append((r, c))
        inverses.append(inverse)
        below.append(lower)
        right.append(others)
    return StraightFactors(
        tuple(pivots), tuple(inverses), tuple(below), tuple(right), tuple(guards)
    )


def solve(builder: GraphBuilder, factors: StraightFactors, rhs: Sequence[int]) -> list[int]:
    """Return the nodes of the solution for a right-hand side."""
    builder.section("forward and backward substitution")
    b = list(rhs)
    scaled: list[int] = []
    for (r, _), inverse, lower in zip(factors.pivots, factors.inverses, factors.below, strict=True):
        y = builder.mul(b[r], inverse)
        scaled.append(y)
        for i, entry in lower.items():
            b[i] = builder.sub(b[i], builder.mul(entry, y))
    x = [builder.const(0.0)] * len(b)
    for (_, c), y, row in reversed(list(zip(factors.pivots, scaled, factors.right, strict=True))):
        known = builder.total([builder.mul(node, x[k]) for k, node in row.items()])
        x[c] = builder.sub(y, known)
    return x


def _updated(old: Sample | None, left: Sample, right: Sample, pivot: Sample) -> Sample:
    """Return ``old - left right / pivot`` for every representative state."""
    changes = (a * b / p for a, b, p in zip(left, right, pivot, strict=True))
    return tuple(x - d for x, d in zip(old or (0.0,) * len(pivot), changes, strict=True))
