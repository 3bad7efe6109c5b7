"""Neighbour lists of crowds (Verlet lists): built on a grid, stored in ``m``, renewed after motion.

Two members are a pair while the gap between their surfaces is less than a skin, and so are a member
and a plane. The list is rebuilt as soon as any member has moved by half the skin since the last
time: until then no unlisted pair can touch. Listed pairs that do not touch exert no force, so
results do not depend on when the list was built. It is sorted by first and then by second members,
so that not even round-off does.

Kernels call `renew_pairs` before anything else. If there is not enough storage for all pairs they
return `CROWDED`, and Python allocates more.
"""

from math import floor
from typing import Any

from mbdgen.runtime.monitors.neighbour_lists import (
    BUCKETS,
    CAPACITY,
    COUNT,
    EACH,
    HEAD,
    HEADS,
    KINDS,
    LINKS,
    MEMBERS,
    NEEDED,
    NEXT,
    NUMBERS,
    PLANE_NUMBERS,
    PLANES,
    REFERENCE,
    RENEWALS,
    TABLES,
    WIDTH,
)
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.pointers import reals
from mbdgen.subset import types

CROWDED = 2
"""Status of a kernel without enough storage for all pairs."""
_FARTHEST = 1e100
_REALS, _INTEGERS = types.CPointer(types.float64), types.CPointer(types.int64)


@internal
def _listed(m: Any, at: int) -> int:
    """Return the index at which the kinds and links of members begin."""
    others = 1 if m[at + PLANES] > 0 else m[at + KINDS]
    return at + HEAD + m[at + TABLES] * (EACH + m[at + KINDS] * others)


@internal
def _bucket(x: int, y: int, z: int, mask: int) -> int:
    """Return the hash bucket of a cell."""
    return (x * 73856093 ^ y * 19349663 ^ z * 83492791) & mask


@internal
def _cell(x: float, size: float) -> int:
    return floor(x / size)


@internal
def _write_pair(q: Any, m: Any, to: int, width: int, first: int, second: int, begin: int) -> int:
    """Insert the links of a pair, sorted among those from ``begin`` to ``to``.

    Returns the index where they were written; the parameter index after them is left to the caller.
    """
    stride = 2 * (width - 1) + 1
    while to > begin and m[to - stride + width - 1] > m[second + 1]:
        for k in range(stride):
            m[to + k] = m[to - stride + k]
        to -= stride
    for k in range(width - 1):
        m[to + k] = m[first + 1 + k]
        m[to + width - 1 + k] = m[second + 1 + k]
    return to


@internal
def _fill_grid(q: Any, m: Any, at: int, listed: int, size: float) -> None:
    """Insert every member into the bucket of its cell, in ascending order."""
    n, width = m[at + MEMBERS], m[at + WIDTH]
    heads, following, buckets = m[at + HEADS], m[at + NEXT], m[at + BUCKETS]
    for k in range(buckets):
        m[heads + k] = -1
    for back in range(n):
        i = n - 1 - back
        x = m[listed + width * i + 1]
        k = heads + _bucket(
            _cell(q[x], size), _cell(q[x + 1], size), _cell(q[x + 2], size), buckets - 1
        )
        m[following + i] = m[k]
        m[k] = i


@internal
def _seek_pairs(q: Any, p: Any, m: Any, at: int, listed: int) -> int:
    """List the pairs of neighbouring members; return their number."""
    n, width, kinds = m[at + MEMBERS], m[at + WIDTH], m[at + KINDS]
    numbers, capacity = m[at + NUMBERS], m[at + CAPACITY]
    heads, following, mask = m[at + HEADS], m[at + NEXT], m[at + BUCKETS] - 1
    skin, largest = p[numbers], 0.0
    for s in range(kinds):
        largest = max(largest, p[numbers + 1 + s])
    size = 2.0 * largest + skin
    _fill_grid(q, m, at, listed, size)
    rows, links = at + HEAD + EACH, m[m[at + HEAD] + LINKS]
    stride, count = 2 * (width - 1) + 1, 0
    for i in range(n):
        first, begin = listed + width * i, links + stride * count
        x = m[first + 1]
        a, b, c = _cell(q[x], size), _cell(q[x + 1], size), _cell(q[x + 2], size)
        reach = p[numbers + 1 + m[first]] + skin
        for near in range(27):
            u, v, w = a + near // 9 - 1, b + near // 3 % 3 - 1, c + near % 3 - 1
            j = m[heads + _bucket(u, v, w, mask)]
            while j >= 0:
                second = listed + width * j
                y = m[second + 1]
                d, e, f = q[y] - q[x], q[y + 1] - q[x + 1], q[y + 2] - q[x + 2]
                far = reach + p[numbers + 1 + m[second]]
                if j > i and d * d + e * e + f * f < far * far:
                    # cells that share a bucket would find a pair twice
                    own = _cell(q[y], size) == u and _cell(q[y + 1], size) == v
                    if own and _cell(q[y + 2], size) == w:
                        if count < capacity:
                            to = links + stride * count
                            to = _write_pair(q, m, to, width, first, second, begin)
                            m[to + stride - 1] = m[rows + m[first] * kinds + m[second]]
                        count += 1
                j = m[following + j]
    m[m[at + HEAD] + COUNT] = min(count, capacity)
    return count


@internal
def _seek_planes(q: Any, p: Any, m: Any, at: int, listed: int) -> None:
    """List the neighbouring members of every plane."""
    n, width, kinds = m[at + MEMBERS], m[at + WIDTH], m[at + KINDS]
    tables, numbers = m[at + TABLES], m[at + NUMBERS]
    rows, skin = at + HEAD + EACH * tables, p[numbers]
    for table in range(tables):
        header = m[at + HEAD + EACH * table]
        to, count = m[header + LINKS], 0
        plane = numbers + 1 + kinds + PLANE_NUMBERS * table
        for i in range(n):
            first = listed + width * i
            x, height = m[first + 1], 0.0
            for k in range(3):
                height += p[plane + 3 + k] * (q[x + k] - p[plane + k])
            if height < p[numbers + 1 + m[first]] + skin:
                for k in range(width - 1):
                    m[to + k] = m[first + 1 + k]
                m[to + width - 1] = m[rows + kinds * table + m[first]]
                to += width
                count += 1
        m[header + COUNT] = count


@separate(types.int64(_REALS, _REALS, _INTEGERS, types.int64))
def renew_pairs(q: Any, p: Any, m: Any, at: int) -> int:
    """Rebuild the neighbour list of the crowd whose table begins at ``at``, if necessary.

    Returns 0, or 1 if there is not enough storage.
    """
    n, width = m[at + MEMBERS], m[at + WIDTH]
    listed, reference = _listed(m, at), m[at + REFERENCE]
    # Positions are stored among the integers: neighbour lists are one array, and no parameters.
    before = reals(m)
    limit, moved = (0.5 * p[m[at + NUMBERS]]) ** 2, False
    for i in range(n):
        x, r = m[listed + width * i + 1], reference + 3 * i
        d, e, f = q[x] - before[r], q[x + 1] - before[r + 1], q[x + 2] - before[r + 2]
        if not d * d + e * e + f * f <= limit:
            moved = True
            break
    if not moved:
        return 0
    for i in range(n):
        x = m[listed + width * i + 1]
        if not max(abs(q[x]), abs(q[x + 1]), abs(q[x + 2])) <= _FARTHEST:
            return 0  # the step has failed, and its status says so
    if m[at + PLANES] > 0:
        _seek_planes(q, p, m, at, listed)
    else:
        m[at + NEEDED] = _seek_pairs(q, p, m, at, listed)
        if m[at + NEEDED] > m[at + CAPACITY]:
            return 1
    for i in range(n):
        x, r = m[listed + width * i + 1], reference + 3 * i
        for k in range(3):
            before[r + k] = q[x + k]
    m[at + RENEWALS] += 1
    return 0
