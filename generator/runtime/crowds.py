"""Pairs of many contacts: found on a grid, kept in the table ``m``, renewed when something moved.

Two members are a pair while the gap between their surfaces is less than a skin, and so are a member
and a plane. Pairs are sought again as soon as any member has moved by half the skin since they were
sought last: until then no two that are not listed can touch. Listed ones that do not touch have a
law that gives nothing, so results do not depend on when pairs were sought. They stand in the order
of their first and then of their second members, so that not even round-off does.

Kernels call `renew_pairs` before anything else. Where there is no room for all pairs they return
`CROWDED`, and Python makes more.
"""

from math import floor
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import carray, cfunc, types

from mbdgen.errors import OptionError
from mbdgen.interface import CROWD, CROWD_TABLE
from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import IntArray

if TYPE_CHECKING:
    from mbdgen.runtime.scheme import Scheme
    from mbdgen.runtime.system import System

CROWDED = 2
"""What a kernel returns that has no room for all pairs."""
FIRST_ROOM = 6
"""Pairs for each member that there is room for at the beginning; equal spheres have up to 6."""
MORE_ROOM = 1.3

(MEMBERS, WIDTH, KINDS, TABLES, PLANES, NUMBERS) = range(6)
(CAPACITY, NEEDED, RENEWALS, REFERENCE, BUCKETS, HEADS, NEXT) = range(6, 13)
_HEAD, _EACH = len(CROWD), len(CROWD_TABLE)
_COUNT, _LINKS = 0, 2  # places in the header of a type
_NUMBER = 6  # point and normal of a plane
_FARTHEST = 1e100
_REALS, _INTEGERS = types.CPointer(types.float64), types.CPointer(types.int64)


@internal
def _listed(m: Any, at: int) -> int:
    """Return where the kinds and links of members begin."""
    others = 1 if m[at + PLANES] > 0 else m[at + KINDS]
    return at + _HEAD + m[at + TABLES] * (_EACH + m[at + KINDS] * others)


@internal
def _bucket(x: int, y: int, z: int, mask: int) -> int:
    """Return the bucket of a cell."""
    return (x * 73856093 ^ y * 19349663 ^ z * 83492791) & mask


@internal
def _cell(x: float, size: float) -> int:
    return floor(x / size)


@internal
def _write_pair(q: Any, m: Any, to: int, width: int, first: int, second: int, begin: int) -> int:
    """Write the links of a pair at ``to``, before those from ``begin`` on that come after it.

    Returns where they were written; the place of the parameters behind them is left to the caller.
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
    """Put every member into the bucket of its cell, those of a bucket in their order."""
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
    """List the pairs of members that are near to each other; return how many there are."""
    n, width, kinds = m[at + MEMBERS], m[at + WIDTH], m[at + KINDS]
    numbers, capacity = m[at + NUMBERS], m[at + CAPACITY]
    heads, following, mask = m[at + HEADS], m[at + NEXT], m[at + BUCKETS] - 1
    skin, largest = p[numbers], 0.0
    for s in range(kinds):
        largest = max(largest, p[numbers + 1 + s])
    size = 2.0 * largest + skin
    _fill_grid(q, m, at, listed, size)
    rows, links = at + _HEAD + _EACH, m[m[at + _HEAD] + _LINKS]
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
    m[m[at + _HEAD] + _COUNT] = min(count, capacity)
    return count


@internal
def _seek_planes(q: Any, p: Any, m: Any, at: int, listed: int) -> None:
    """List for every plane the members that are near to it."""
    n, width, kinds = m[at + MEMBERS], m[at + WIDTH], m[at + KINDS]
    tables, numbers = m[at + TABLES], m[at + NUMBERS]
    rows, skin = at + _HEAD + _EACH * tables, p[numbers]
    for table in range(tables):
        header = m[at + _HEAD + _EACH * table]
        to, count = m[header + _LINKS], 0
        plane = numbers + 1 + kinds + _NUMBER * table
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
        m[header + _COUNT] = count


@cfunc(types.int64(_REALS, _REALS, _INTEGERS, types.int64), cache=True, error_model="numpy")
def renew_pairs(q: Any, p: Any, m: Any, at: int) -> int:
    """Seek the pairs of the crowd whose table begins ``at`` again, if any member has moved so far.

    Returns 0, or 1 if there is no room for them.
    """
    n, width = m[at + MEMBERS], m[at + WIDTH]
    listed, reference = _listed(m, at), m[at + REFERENCE]
    # positions are kept among the integers: what a run finds out is one array, and no parameter
    before = carray(m, (reference + 3 * n,)).view(np.float64)
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
            return 0  # the step has failed, and will be told so
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


def with_room(table: IntArray, crowds: IntArray, pairs: IntArray) -> IntArray:
    """Return a table of integers with room for the pairs of its crowds, of which none is known.

    Parameters
    ----------
    table : array of int
        That of a module.
    crowds : array of int
        Where the tables of crowds begin.
    pairs : array of int
        How many pairs of members there shall be room for, in each.
    """
    m, parts, end = table.copy(), [], len(table)
    for at, capacity in zip(crowds, pairs, strict=True):
        n, links = int(m[at + MEMBERS]), int(m[at + WIDTH]) - 1
        planes = bool(m[at + PLANES])
        buckets = 1 if planes else 1 << (2 * n - 1).bit_length()
        m[at + CAPACITY], m[at + BUCKETS] = capacity, buckets
        m[at + REFERENCE], m[at + HEADS] = end, end + 3 * n
        m[at + NEXT] = end + 3 * n + buckets
        parts += [np.full(3 * n, np.nan).view(np.int64), np.zeros(buckets + n, np.int64)]
        end += 4 * n + buckets
        for k in range(int(m[at + TABLES])):
            header = m[at + _HEAD + _EACH * k]
            m[header + _COUNT], m[header + _LINKS] = 0, end
            size = n * (links + 1) if planes else int(capacity) * (2 * links + 1)
            parts.append(np.zeros(size, np.int64))
            end += size
    return np.concatenate([m, *parts])


def first_room(table: IntArray, crowds: IntArray) -> IntArray:
    """Return a table with room for as many pairs as equal spheres have."""
    return with_room(table, crowds, FIRST_ROOM * table[crowds + MEMBERS])


def grow(system: "System") -> bool:
    """Make room for the pairs that a kernel had none for; return whether there was such a one."""
    m, crowds = system.work.m, system.data.crowds
    needed, capacity = m[crowds + NEEDED], m[crowds + CAPACITY]
    if not (needed > capacity).any():
        return False
    pairs = np.where(needed > capacity, MORE_ROOM * needed, capacity).astype(np.int64)
    system.work = system.work._replace(m=with_room(system.data.tables.m, crowds, pairs))
    return True


def forget(system: "System") -> None:
    """Let the next evaluation seek all pairs: numbers have changed that they depend on."""
    m = system.work.m
    for at in system.data.crowds:
        begin = m[at + REFERENCE]
        m[begin : begin + 3 * m[at + MEMBERS]] = np.full(1, np.nan).view(np.int64)


def pairs_near(system: "System") -> dict[str, int]:
    """Return how many pairs are listed, how often they were sought, and for how many is room."""
    m, crowds = system.work.m, system.data.crowds
    tables = [m[at + _HEAD + _EACH * k] for at in crowds for k in range(m[at + TABLES])]
    return {
        "pairs": int(sum(m[header + _COUNT] for header in tables)),
        "renewals": int(m[crowds + RENEWALS].sum()),
        "capacity": int(m[crowds + CAPACITY].sum()),
    }


def require_pairs_given(system: "System", what: str) -> None:
    """Refuse what needs to know all pairs, and the stiffness between them, beforehand."""
    if len(system.data.crowds):
        raise OptionError(
            f"Contacts of '{system.data.model}' find their pairs while they run, so that {what}.",
            "Take an explicit method (rk4, heun, central-difference with formulation='blocks'), or "
            "name single contacts of two bodies.",
        )


def require_explicit(system: "System", scheme: "Scheme") -> None:
    """Refuse methods that need derivatives of forces."""
    method = scheme.method
    if scheme.formulation is None:
        explicit = tuple(method.tangent_weights(1e-3, scheme.numbers)) == (0.0, 0.0, 1.0)
    else:
        explicit = method.needs in ("slope", "jerk") and not scheme.step_alone
    if not explicit:
        require_pairs_given(system, f"the implicit method '{method.name}' has no tangent")
