"""Elimination tree and postordering of a sparse pattern, and breadth-first distances."""

import numpy as np
import scipy.sparse as sp

from mbdgen.runtime.linalg.stable_sort import ascending_order
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.system.system_data import IntArray
from mbdgen.subset import types

_INTS = types.int64[::1]


def postorder(indptr: IntArray, indices: IntArray) -> IntArray:
    """Return a postordering of the elimination tree: equal fill-in, subtrees contiguous.

    Step ``k`` of the elimination reads and changes only ancestors of ``k`` in the elimination tree
    of ``A + A^T``, so steps of different subtrees commute: pivots and values are the same.
    """
    return _depth_first(elimination_tree(*symmetric_pattern(indptr, indices)))


def symmetric_pattern(indptr: IntArray, indices: IntArray) -> tuple[IntArray, IntArray]:
    """Return the pattern of ``A + A^T``."""
    n = indptr.size - 1
    pattern = sp.csc_array((np.ones(indices.size, np.int8), indices, indptr), shape=(n, n))
    both = sp.csc_array(pattern + pattern.T)
    return both.indptr.astype(np.int64), both.indices.astype(np.int64)


@separate(_INTS(_INTS, _INTS))
def distances(indptr: IntArray, indices: IntArray) -> IntArray:
    """Return the distance of every node from the one with most neighbours, in each component."""
    n = indptr.size - 1
    distance, queue = np.full(n, -1), np.empty(n, np.int64)
    roots = ascending_order(indptr[:-1] - indptr[1:])
    count = 0
    for root in roots:
        if distance[root] >= 0:
            continue
        distance[root] = 0
        queue[count] = root
        done = count
        count += 1
        while done < count:
            node = queue[done]
            done += 1
            for p in range(indptr[node], indptr[node + 1]):
                if distance[indices[p]] < 0:
                    distance[indices[p]] = distance[node] + 1
                    queue[count] = indices[p]
                    count += 1
    return distance


@separate(_INTS(_INTS, _INTS))
def elimination_tree(indptr: IntArray, indices: IntArray) -> IntArray:
    """Return the parent of every node in the elimination tree of a symmetric pattern (Liu)."""
    n = indptr.size - 1
    parent, ancestor = np.full(n, n), np.full(n, n)
    for k in range(n):
        for p in range(indptr[k], indptr[k + 1]):
            i = indices[p]
            while i < k:
                above = ancestor[i]
                ancestor[i] = k
                if above == n:
                    parent[i] = k
                i = above
    return parent


@separate(_INTS(_INTS))
def _depth_first(parent: IntArray) -> IntArray:
    """Return a postorder of a forest: children before their parent, each subtree contiguous."""
    n = parent.size
    child, sibling = np.full(n + 1, -1), np.full(n + 1, -1)
    for k in range(n - 1, -1, -1):
        sibling[k] = child[parent[k]]
        child[parent[k]] = k
    order = np.empty(n, np.int64)
    count, node = 0, n
    while count < n:
        while child[node] != -1:
            node = child[node]
        order[count] = node
        count += 1
        # The node is done: its sibling is the next child of the parent.
        above = parent[node]
        child[above] = sibling[node]
        node = above
    return order
