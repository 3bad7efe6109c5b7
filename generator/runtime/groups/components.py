"""Bodies that need each other, and the order in which such components are solved."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from mbdgen.runtime.data import IntArray


def components(n: int, needs: set[tuple[int, int]]) -> IntArray:
    """Return for each body the number of its strongly connected component."""
    pairs = np.array(sorted(needs), np.int64).reshape(-1, 2)
    matrix = sp.csr_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    return np.asarray(connected_components(matrix, directed=True, connection="strong")[1])


def in_order(label: IntArray, needs: set[tuple[int, int]]) -> list[int]:
    """Return the place of every component: what is needed first, else as bodies were made."""
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
    place = [0] * count
    for at, component in enumerate(order):
        place[component] = at
    return place


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
