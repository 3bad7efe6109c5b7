"""Fronts of the group-wise elimination of penalty equations: the entries that each group reads.

Elimination goes from the last group to the first: the remaining entries in the rows of a group,
including the fill-in by later groups, must be in its own coordinates. Groups of one type are all
eliminated, or none.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from mbdgen.grouping.condensing import Places
from mbdgen.grouping.kernels_of import GroupKernels
from mbdgen.runtime.system.system_data import IntArray


def fronts(types: Sequence[GroupKernels], mass: IntArray) -> list[Places | None]:
    """Return for each type the local entries that its elimination reads, None without elimination.

    Parameters
    ----------
    types : sequence of GroupKernels
        Types with known ``pattern``.
    mass : array, shape (entries, 2)
        Rows and columns of the structurally non-zero entries of the mass matrix.
    """
    allowed = [one.symmetric for one in types]
    while True:
        found, failed = _pass(types, mass, allowed)
        if not failed:
            return found
        for k in failed:
            allowed[k] = False


def _pass(
    types: Sequence[GroupKernels], mass: IntArray, allowed: Sequence[bool]
) -> tuple[list[Places | None], set[int]]:
    """Eliminate symbolically; return the fronts, and the types that cannot be eliminated."""
    touching: dict[int, set[int]] = defaultdict(set)
    for r, c in mass.tolist():
        touching[r].add(c)
        touching[c].add(r)
    read: list[set[tuple[int, int]]] = [set() for _ in types]
    failed: set[int] = set()
    order = sorted(
        ((int(level), k, i) for k, one in enumerate(types) for i, level in enumerate(one.levels)),
        reverse=True,
    )
    for _, k, i in order:
        coordinates = types[k].coordinates[i].tolist()
        place = {c: j for j, c in enumerate(coordinates)}
        stiff = {(coordinates[r], coordinates[c]) for r, c in types[k].pattern}
        if not allowed[k]:
            for r, c in stiff:
                touching[r].add(c)
            continue
        own = {coordinates[j] for j in types[k].dependent}
        border = {c for pair in stiff for c in pair} - own
        for r in sorted(own):
            for c in touching.pop(r, set()):
                if c not in place:
                    failed.add(k)
                    break
                a, b = sorted((place[r], place[c]))
                read[k].add((a, b))
                border |= {c} - own
        for r in border:
            touching[r] -= own
            touching[r] |= border
    return [tuple(sorted(x)) if ok else None for x, ok in zip(read, allowed, strict=True)], failed


def mass_pattern(rows: IntArray, columns: IntArray, values: Sequence[np.ndarray]) -> IntArray:
    """Return the non-zero entries of a mass matrix; all entries if it is not constant."""
    first, *others = values
    constant = all(np.array_equal(first, x) for x in others)
    kept = first != 0.0 if constant else np.ones(len(first), bool)
    return np.column_stack([rows[kept], columns[kept]])
