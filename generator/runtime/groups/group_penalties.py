r"""Penalty equations of a mechanism, assembled and condensed group by group.

From the last group to the first each adds its constraints as stiff elements, and most eliminate
their own unknowns at once (static condensation, `mbdgen.grouping.condensing`):
:math:`x = x_0 - X y`. The remaining system is solved as a whole, and the unknowns follow in the
order of the groups.
"""

from mbdgen.runtime.groups.group_tables import (
    ADDED_AT,
    BORDER_AT,
    CONDENSE,
    COUNT,
    DEPENDENT_AT,
    ENTRIES_AT,
    FRONT_AT,
    KEPT_AT,
    N_ADDED,
    N_BORDER,
    N_DEPENDENT,
    N_ENTRIES,
    N_FRONT,
    N_KEPT,
    N_PULLED,
    PENALTY,
    PULLED_AT,
    WEIGHTS,
    Groups,
)
from mbdgen.runtime.groups.group_workspace import GroupWorkspace
from mbdgen.runtime.groups.pivoted_fallback import call_group
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.system.run_workspace import KERNEL_FAILED, OK, SINGULAR_TANGENT
from mbdgen.runtime.system.system_data import FloatArray


@internal
def add_groups(groups: Groups, room: GroupWorkspace, t: float, q: FloatArray, v: FloatArray) -> int:
    """Add all groups to the matrix and to the right-hand side, the last one first."""
    head, out, record = groups.head, groups.out, groups.record
    for k in range(WEIGHTS):
        record[k] = room.weights[k]
    for k in range(head.shape[0] - 1, -1, -1):
        if head[k, CONDENSE] != 0:
            if _condense(groups, room, k, t, q, v) != OK:
                return SINGULAR_TANGENT
            continue
        entries, pulled = head[k, N_ENTRIES], head[k, N_PULLED]
        for i in range(head[k, COUNT]):
            if call_group(groups, k, i, PENALTY, t, q, v, v, room.weights) != OK:
                return KERNEL_FAILED
            first = head[k, ENTRIES_AT] + i * entries
            for e in range(entries):
                room.values[groups.entries[first + e]] += out[e]
            first = head[k, PULLED_AT] + i * pulled
            for e in range(pulled):
                room.rhs[groups.pulled[first + e]] -= out[entries + e]
    return OK


@internal
def _condense(
    groups: Groups, room: GroupWorkspace, k: int, t: float, q: FloatArray, v: FloatArray
) -> int:
    """Eliminate the unknowns of all groups of a type and level."""
    head, out, record = groups.head, groups.out, groups.record
    front, border, added = head[k, N_FRONT], head[k, N_BORDER], head[k, N_ADDED]
    kept = head[k, N_KEPT]
    for i in range(head[k, COUNT]):
        first = head[k, FRONT_AT] + i * front
        for e in range(front):
            record[WEIGHTS + e] = room.values[groups.front[first + e]]
        if call_group(groups, k, i, CONDENSE, t, q, v, room.rhs, record) != OK:
            return SINGULAR_TANGENT
        first = head[k, ADDED_AT] + i * added
        for e in range(added):
            room.values[groups.added[first + e]] += out[e]
        first = head[k, BORDER_AT] + i * border
        for e in range(border):
            room.rhs[groups.border[first + e]] += out[added + e]
        first = head[k, KEPT_AT] + i * kept
        for e in range(kept):
            groups.kept[first + e] = out[added + border + e]
    return OK


@internal
def follow(groups: Groups, a: FloatArray) -> None:
    """Compute the eliminated accelerations by back-substitution."""
    head = groups.head
    for k in range(head.shape[0]):
        if head[k, CONDENSE] == 0:
            continue
        n, border = head[k, N_DEPENDENT], head[k, N_BORDER]
        for i in range(head[k, COUNT]):
            own, kept = head[k, DEPENDENT_AT] + i * n, head[k, KEPT_AT] + i * head[k, N_KEPT]
            others = head[k, BORDER_AT] + i * border
            for j in range(n):
                total = groups.kept[kept + j]
                for c in range(border):
                    total -= groups.kept[kept + (1 + c) * n + j] * a[groups.border[others + c]]
                a[groups.dependent[own + j]] = total
