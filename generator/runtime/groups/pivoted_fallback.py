"""Fallback solution of one group by Gaussian elimination with partial pivoting.

``[Phi_phi | B]`` has more rows than unknowns where equations are redundant. Gaussian elimination
takes the best row for every unknown; the remaining rows are redundant. It is slower than the
generated straight-line code with fixed pivots, but always stable.
"""

from typing import Any

import numpy as np

from mbdgen.runtime.groups.group_tables import (
    BLOCK,
    GROUPS,
    LOCAL_AT,
    N_DEPENDENT,
    N_KNOWN,
    N_LOCAL,
    N_P,
    N_ROWS,
    OTHER_PIVOTS,
    P_AT,
    Groups,
)
from mbdgen.runtime.program.address_calls import call_kernel
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.pointers import integers, reals
from mbdgen.runtime.system.run_workspace import (
    KERNEL_FAILED,
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    SINGULAR_TANGENT,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

SMALL = 1e-10
"""Relative pivot size below which the position is singular."""
PHI, PHI_DOT, PHI_DDOT = range(3)
"""Columns of right-hand sides of a group; that of ``R`` may follow the first two."""


@internal
def call_group(
    groups: Groups, k: int, i: int, kernel: int, t: float, q: Any, v: Any, a: Any, w: Any
) -> int:
    """Call a kernel of type ``k`` for group ``i``; it writes ``groups.out``."""
    head = groups.head
    m = integers(groups.local.ctypes.data + 8 * (head[k, LOCAL_AT] + i * head[k, N_LOCAL]))
    p = reals(groups.p.ctypes.data + 8 * (head[k, P_AT] + i * head[k, N_P]))
    out = groups.out.ctypes
    status: int = call_kernel(
        head[k, kernel], (t, q.ctypes, v.ctypes, a.ctypes, q.ctypes, w.ctypes, p, m, out)
    )
    return status


@separate(types.int64(REAL_ARRAY, types.int64, types.int64, types.int64))
def eliminate(table: FloatArray, m: int, n: int, width: int) -> int:
    """Solve ``[A | B]`` of ``m`` rows, ``n`` unknowns and ``width`` columns in all, in place.

    The solutions end in the first ``n`` rows of ``B``.
    """
    scale = np.zeros(m)
    for r in range(m):
        top = 0.0
        for c in range(n):
            top = max(top, abs(table[r * width + c]))
        scale[r] = 1.0 / top if top > 0.0 else 0.0
    for k in range(n):
        best, top = k, -1.0
        for r in range(k, m):
            size = abs(table[r * width + k]) * scale[r]
            if size > top:
                best, top = r, size
        if not top > SMALL:
            return SINGULAR_TANGENT if top >= 0.0 else NOT_FINITE
        if best != k:
            scale[k], scale[best] = scale[best], scale[k]
            for c in range(k, width):
                x = table[k * width + c]
                table[k * width + c] = table[best * width + c]
                table[best * width + c] = x
        inverse = 1.0 / table[k * width + k]
        for r in range(k + 1, m):
            factor = table[r * width + k] * inverse
            if factor != 0.0:
                for c in range(k + 1, width):
                    table[r * width + c] -= factor * table[k * width + c]
    for k in range(n - 1, -1, -1):
        for c in range(n, width):
            total = table[k * width + c]
            for j in range(k + 1, n):
                total -= table[k * width + j] * table[j * width + c]
            table[k * width + c] = total / table[k * width + k]
    return OK


@separate(
    types.int64(
        *(GROUPS, types.int64, types.int64, types.int64, types.boolean),
        *(types.float64, REAL_ARRAY, REAL_ARRAY, REAL_ARRAY),
    )
)
def solve_block(
    groups: Groups,
    k: int,
    i: int,
    side: int,
    with_known: bool,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
) -> int:
    """Solve ``Phi_phi x = -side``, and for ``-Phi_h`` if wanted; results begin ``groups.out``.

    Solutions are stored consecutively: ``x``, then the columns of ``R``.
    """
    head, out, table = groups.head, groups.out, groups.table
    m, n = head[k, N_ROWS], head[k, N_DEPENDENT]
    known = head[k, N_KNOWN]
    if call_group(groups, k, i, BLOCK, t, q, v, a, q) != OK:
        return KERNEL_FAILED
    more = known if with_known else 0
    width = n + 1 + more
    first = 3 * m
    for r in range(m):
        for c in range(n):
            table[r * width + c] = out[first + r * (n + known) + c]
        table[r * width + n] = -out[side * m + r]
        for c in range(more):
            table[r * width + n + 1 + c] = -out[first + r * (n + known) + n + c]
    groups.counters[OTHER_PIVOTS] += 1
    status: int = eliminate(table, m, n, width)
    for c in range(1 + more):
        for r in range(n):
            out[c * n + r] = table[r * width + n + c]
    return status
