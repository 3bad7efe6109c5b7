"""Tables of neighbour lists of crowds: their layout in ``m``, and storage for them.

`mbdgen.runtime.monitors.contact_detection` fills them during a run. It is compiled, and only
kernels of mechanisms with crowds import it; all systems need this module.
"""

from typing import TYPE_CHECKING

import numpy as np

from mbdgen.interface import CROWD, CROWD_TABLE
from mbdgen.runtime.system.system_data import IntArray

if TYPE_CHECKING:
    from mbdgen.runtime.system.system import System

PAIRS_PER_MEMBER = 6
"""Initial capacity in pairs for each member; equal spheres have up to 6."""
GROWTH = 1.3

(MEMBERS, WIDTH, KINDS, TABLES, PLANES, NUMBERS, STIFFNESS, EXPONENT) = range(8)
(CAPACITY, NEEDED, RENEWALS, REFERENCE, BUCKETS, HEADS, NEXT) = range(8, 15)
PLANE_NUMBERS = 6
"""Point and normal of a plane."""
HEAD, EACH = len(CROWD), len(CROWD_TABLE)
COUNT, LINKS = 0, 2  # indices into the header of a type


def with_storage(table: IntArray, crowds: IntArray, pairs: IntArray) -> IntArray:
    """Return a table of integers with storage for the pairs of its crowds, initially empty.

    Parameters
    ----------
    table : array of int
        Table of a generated module.
    crowds : array of int
        Indices at which the tables of crowds begin.
    pairs : array of int
        Capacity of each in pairs of members.
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
            header = m[at + HEAD + EACH * k]
            m[header + COUNT], m[header + LINKS] = 0, end
            size = n * (links + 1) if planes else int(capacity) * (2 * links + 1)
            parts.append(np.zeros(size, np.int64))
            end += size
    return np.concatenate([m, *parts])


def first_storage(table: IntArray, crowds: IntArray) -> IntArray:
    """Return a table with storage for as many pairs as equal spheres have."""
    return with_storage(table, crowds, PAIRS_PER_MEMBER * table[crowds + MEMBERS])


def grow(system: "System") -> bool:
    """Enlarge the storage that a kernel found too small; return whether there was any."""
    m, crowds = system.work.m, system.data.crowds
    needed, capacity = m[crowds + NEEDED], m[crowds + CAPACITY]
    if not (needed > capacity).any():
        return False
    pairs = np.where(needed > capacity, GROWTH * needed, capacity).astype(np.int64)
    system.work = system.work._replace(m=with_storage(system.data.tables.m, crowds, pairs))
    return True


def forget(system: "System") -> None:
    """Invalidate all neighbour lists after a change of parameters that they depend on."""
    m = system.work.m
    for at in system.data.crowds:
        begin = m[at + REFERENCE]
        m[begin : begin + 3 * m[at + MEMBERS]] = np.full(1, np.nan).view(np.int64)


def pairs_near(system: "System") -> dict[str, int]:
    """Return the number of listed pairs, of rebuilds, and the capacity."""
    m, crowds = system.work.m, system.data.crowds
    tables = [m[at + HEAD + EACH * k] for at in crowds for k in range(m[at + TABLES])]
    return {
        "pairs": int(sum(m[header + COUNT] for header in tables)),
        "renewals": int(m[crowds + RENEWALS].sum()),
        "capacity": int(m[crowds + CAPACITY].sum()),
    }
