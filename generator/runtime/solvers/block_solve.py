"""Block-diagonal solution for accelerations: independent subsystems, above all free bodies.

``[M, -G^T; H, 0] [a; lam] = [f; gamma]`` has a diagonal block for each set of bodies connected by
joints, or by forces whose tangent is in the sparsity pattern. A block is solved by Gaussian
elimination with complete pivoting; redundant equations are dropped. There is no matrix of the whole
mechanism, so work and memory are linear in the number of blocks.
"""

from typing import Any

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.constraint_combination import evaluate_all, imposed, of_unknowns
from mbdgen.runtime.solvers.constraint_levels import take_positions
from mbdgen.runtime.solvers.dense_workspace import DENSE, DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import slopes
from mbdgen.runtime.system.kernel_calls import largest
from mbdgen.runtime.system.run_workspace import (
    FACTORISATIONS,
    INT_TABLE,
    KERNEL_FAILED,
    NOT_FINITE,
    OK,
    SINGULAR_MASS,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

# Rows of ``solvers.equation_blocks``: unknowns block by block, start of each block, index of an
# unknown in its block, number of blocks, and unknowns in the largest.
_ORDER, _BEGIN, _PLACE, _COUNT, _LARGEST = range(5)
DEPENDENT = 1e-11
"""Relative pivot, to the largest entry, below which a row is redundant."""
CONTRADICTION = 1e-6
"""Residual relative to the largest right-hand side above which a redundant row is inconsistent."""


@internal
def _root(parent: IntArray, k: int) -> int:
    while parent[k] != k:
        parent[k] = parent[parent[k]]
        k = parent[k]
    return k


@separate(types.void(WORK, INT_TABLE))
def find_blocks(work: RunWorkspace, found: IntArray) -> None:
    """Find the connected components of the pattern, and number rows and unknowns block by block."""
    n = len(work.x)
    parent, order, begin, place = found[_PLACE + 3], found[_ORDER], found[_BEGIN], found[_PLACE]
    for k in range(n):
        parent[k] = k
    for j in range(n):
        for p in range(work.indptr[j], work.indptr[j + 1]):
            a, b = _root(parent, j), _root(parent, work.indices[p])
            parent[max(a, b)] = min(a, b)
    # The first unknown of a block is its root: count the members of each, then number them.
    blocks, largest_block = 0, 0
    sizes = np.zeros(n, np.int64)
    for k in range(n):
        sizes[_root(parent, k)] += 1
    at = 0
    for k in range(n):
        if sizes[k] > 0:
            begin[blocks] = at
            at += sizes[k]
            largest_block = max(largest_block, sizes[k])
            place[k] = blocks  # temporarily: block number
            sizes[k] = 0
            blocks += 1
    for k in range(n):
        root = _root(parent, k)
        block = place[root] if root == k else found[_COUNT, root]
        found[_COUNT, k] = block
    for k in range(n):
        block, root = found[_COUNT, k], _root(parent, k)
        order[begin[block] + sizes[root]] = k
        place[k] = sizes[root]
        sizes[root] += 1
    found[_COUNT, 0], found[_LARGEST, 0] = blocks, largest_block


@internal
def _eliminate(table: FloatArray, rhs: FloatArray, swap: IntArray, k: int, x: FloatArray) -> bool:
    """Solve the first ``k`` equations; False if they are inconsistent."""
    top = limit = 0.0
    for i in range(k):
        swap[i] = i
        limit = max(limit, abs(rhs[i]))
        for j in range(k):
            top = max(top, abs(table[i, j]))
    rank = 0
    while rank < k:
        pivot, row, column = 0.0, rank, rank
        for i in range(rank, k):
            for j in range(rank, k):
                if abs(table[i, j]) > pivot:
                    pivot, row, column = abs(table[i, j]), i, j
        if pivot <= DEPENDENT * top:
            break
        for j in range(k):
            table[rank, j], table[row, j] = table[row, j], table[rank, j]
        for i in range(k):
            table[i, rank], table[i, column] = table[i, column], table[i, rank]
        rhs[rank], rhs[row] = rhs[row], rhs[rank]
        swap[rank], swap[column] = swap[column], swap[rank]
        for i in range(rank + 1, k):
            factor = table[i, rank] / table[rank, rank]
            if factor != 0.0:
                for j in range(rank + 1, k):
                    table[i, j] -= factor * table[rank, j]
                rhs[i] -= factor * rhs[rank]
        rank += 1
    for i in range(rank, k):
        if not abs(rhs[i]) <= CONTRADICTION * limit:
            return False
        rhs[i] = 0.0
    for back in range(rank):
        i = rank - 1 - back
        total = rhs[i]
        for j in range(i + 1, rank):
            total -= table[i, j] * rhs[j]
        rhs[i] = total / table[i, i]
    for i in range(k):
        x[swap[i]] = rhs[i]
    return True


@separate(types.int64(KERNELS, WORK, STATE, DENSE))
def solve_blocks(kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace) -> int:
    """``dense.x <- (a, lam)`` of ``dense.rhs``, with the matrix at the state."""
    found = dense.blocks
    if found[_LARGEST, 0] == 0:
        find_blocks(work, found)
    work.weights[0], work.weights[1], work.weights[2] = 0.0, 0.0, 1.0
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    if kernels.mass(
        *(t, q.ctypes, v.ctypes, a.ctypes, lam.ctypes, work.weights.ctypes, work.p.ctypes),
        *(work.m.ctypes, work.values.ctypes),
    ):
        return KERNEL_FAILED
    most, blocks = found[_LARGEST, 0], found[_COUNT, 0]
    table, rhs, x = np.zeros((most, most)), np.zeros(most), np.zeros(most)
    swap = np.zeros(most, np.int64)
    for block in range(blocks):
        begin = found[_BEGIN, block]
        end = found[_BEGIN, block + 1] if block + 1 < blocks else len(dense.rhs)
        k = end - begin
        table[:k, :k] = 0.0
        for j in range(k):
            column = found[_ORDER, begin + j]
            rhs[j] = dense.rhs[column]
            for p in range(work.indptr[column], work.indptr[column + 1]):
                table[found[_PLACE, work.indices[p]], j] = work.values[p]
        if not _eliminate(table, rhs, swap, k, x):
            return SINGULAR_MASS
        for j in range(k):
            dense.x[found[_ORDER, begin + j]] = x[j]
    work.counters[FACTORISATIONS] += 1
    return OK


@slopes
def block_slope(
    eliminate: Any,
    complete: Any,
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    t: float,
    y: FloatArray,
    y_dot: FloatArray,
) -> int:
    """``y_dot = (v, a)``; see `mbdgen.runtime.solvers.scheme_functions`."""
    n_q = len(state.q)
    state.clock[0] = t
    take_positions(state, dense, y)
    for i in range(n_q):
        state.a[i] = 0.0
    for k in range(len(state.lam)):
        state.lam[k] = 0.0
    status = evaluate_all(kernels, work, state)
    if status != OK:
        return status
    for i in range(len(dense.rhs)):
        dense.rhs[i] = -work.residual[i]
    for row in work.rows:
        weight = of_unknowns(work, dense.numbers, row, 0.0, 0.0)
        dense.rhs[row] = -imposed(work, dense.numbers, row) / weight
    if not largest(dense.rhs) <= 1e300:
        return NOT_FINITE
    status = solve_blocks(kernels, work, state, dense)
    if status != OK:
        return status
    for i in range(n_q):
        state.a[i] = dense.x[i]
        y_dot[i], y_dot[n_q + i] = state.v[i], state.a[i]
    for k in range(len(state.lam)):
        state.lam[k] = dense.x[n_q + k]
    return OK
