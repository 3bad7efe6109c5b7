"""Elements of structural groups with local numbering; groups of equal structure share a type.

Local coordinates of a group are those of its own bodies, then those of the other bodies that its
equations read.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbdgen.errors import BuildError
from mbdgen.runtime.groups.group_decomposition import Decomposition, StructuralGroup
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.symbolic.ir.system_ir import SystemIR, TypeTable
from mbdgen.symbolic.lower.flatten import Instances
from mbdgen.symbolic.lower.numbering import Numbering, global_indices


@dataclass(frozen=True)
class GroupMember:
    """Element of a structural group.

    Attributes
    ----------
    table, instance : int
        Its type and its index there.
    bodies : tuple of int
        Indices of its bodies in the group.
    rows : tuple of int
        Local rows of the element that the group solves.
    """

    table: int
    instance: int
    bodies: tuple[int, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True)
class GroupMembers:
    """Structural group with its elements.

    Attributes
    ----------
    group : StructuralGroup
        The group.
    bodies : tuple of int
        Indices of the first coordinates of its bodies (of their blocks), then of those that it
        reads.
    sizes : tuple of int
        Numbers of coordinates of these.
    members : tuple of GroupMember
        Its elements, type by type.
    """

    group: StructuralGroup
    bodies: tuple[int, ...]
    sizes: tuple[int, ...]
    members: tuple[GroupMember, ...]

    @cached_property
    def coordinates(self) -> IntArray:
        """Global indices of the local coordinates."""
        parts = [np.arange(b, b + n) for b, n in zip(self.bodies, self.sizes, strict=True)]
        return np.concatenate(parts)

    @cached_property
    def place(self) -> dict[int, int]:
        """Local index of every global coordinate."""
        return {int(c): k for k, c in enumerate(self.coordinates)}

    def local(self, columns: Iterable[int]) -> tuple[int, ...]:
        """Local indices of global coordinates."""
        return tuple(self.place[int(c)] for c in columns)

    @property
    def structure(self) -> tuple[object, ...]:
        """Structure key: groups with equal keys share kernels."""
        members = tuple((m.table, m.bodies, m.rows) for m in self.members)
        dependent, known = self.local(self.group.dependent), self.local(self.group.known)
        return self.sizes, members, dependent, known


def members_of(system: SystemIR, decomposition: Decomposition) -> list[GroupMembers]:
    """Return the elements of every group that has equations."""
    owner: dict[int, tuple[int, int, int]] = {}
    for k, table in enumerate(system.types):
        if not table.ir.entries("rates"):
            continue
        where = global_indices(table.ir, table.links, system.sizes["n_q"])
        stated = sorted({row for (_, row), _ in table.ir.entries("rates")})
        for e, rows in enumerate(where):
            owner.update({int(rows[j]): (k, e, j) for j in stated})
    block_of, size_of = _blocks(system)
    return [
        _members(system, group, owner, block_of, size_of)
        for group in decomposition.groups
        if len(group.rows)
    ]


def _blocks(system: SystemIR) -> tuple[dict[int, int], dict[int, int]]:
    """Return the first coordinate of the block of every coordinate, and the size of each block."""
    block_of: dict[int, int] = {}
    size_of: dict[int, int] = {}
    for table in system.types:
        for place, (_, size) in enumerate(table.ir.block_links()):
            for first in map(int, table.links[:, place]):
                size_of[first] = size
                block_of.update(dict.fromkeys(range(first, first + size), first))
    return block_of, size_of


def _members(
    system: SystemIR,
    group: StructuralGroup,
    owner: dict[int, tuple[int, int, int]],
    block_of: dict[int, int],
    size_of: dict[int, int],
) -> GroupMembers:
    rows: dict[tuple[int, int], list[int]] = {}
    for r in group.rows:
        k, e, j = owner[int(r)]
        rows.setdefault((k, e), []).append(j)
    own = [block_of[int(c)] for c in group.dependent]
    bodies = dict.fromkeys(own)
    links = {}
    for k, e in sorted(rows):
        ir = system.types[k].ir
        links[k, e] = [int(b) for b in system.types[k].links[e, : len(ir.block_links())]]
        bodies.update(dict.fromkeys(links[k, e]))
    number = {b: place for place, b in enumerate(bodies)}
    members = tuple(
        GroupMember(k, e, tuple(number[b] for b in links[k, e]), tuple(rows[k, e]))
        for k, e in sorted(rows)
    )
    return GroupMembers(group, tuple(bodies), tuple(size_of[b] for b in bodies), members)


@dataclass(frozen=True)
class GroupType:
    """Type of structural groups: groups of equal structure.

    Attributes
    ----------
    name : str
        Unique name.
    groups : tuple of GroupMembers
        All groups of the type; the first one represents them.
    """

    name: str
    groups: tuple[GroupMembers, ...]

    @property
    def first(self) -> GroupMembers:
        """The representative group."""
        return self.groups[0]


def group_types(groups: Sequence[GroupMembers]) -> list[GroupType]:
    """Collect groups that share their kernels, in the order of their first appearance."""
    found: dict[tuple[object, ...], list[GroupMembers]] = {}
    for group in groups:
        found.setdefault(group.structure, []).append(group)
    return [GroupType(f"group_{k}", tuple(same)) for k, same in enumerate(found.values())]


def parameters_of(system: SystemIR, same: GroupType) -> IntArray:
    """Return the indices in the table ``p`` of the parameters of every group of a type."""
    rows = []
    for group in same.groups:
        row: list[int] = []
        for m in group.members:
            table = system.types[m.table]
            first = table.p_offset + m.instance * len(table.columns)
            row += range(first, first + len(table.columns))
        rows.append(row)
    return np.array(rows, np.int64).reshape(len(same.groups), -1)


def instances_of(system: SystemIR, same: GroupType, places: IntArray) -> Instances:
    """Return the elements of the first group of a type as a separate small mechanism.

    Data that are equal in all groups, and independent of parameters, are constants; matrix entries
    are scattered to ``row n + column``.
    """
    group = same.first
    starts = np.cumsum([0, *group.sizes]).tolist()
    n_q, n_lam, at = starts[-1], 0, 0
    tables: list[TypeTable] = []
    multipliers: list[str] = []
    for m in group.members:
        original = system.types[m.table]
        names = [starts[b] for b in m.bodies]
        row: list[int] = list(names)
        if original.ir.n_lam:
            row += [n_q + n_lam, n_lam]
            name = original.instances[m.instance]
            multipliers += [f"{name}[{k}]" for k in range(original.ir.n_lam)]
            n_lam += original.ir.n_lam
        if original.ir.turns:
            raise BuildError(
                f"Structural groups cannot have '{original.instances[m.instance]}': its equations "
                "count the turns of an angle.",
                "Choose another solver.",
            )
        tables.append(
            TypeTable(
                original.ir,
                original.title,
                (original.instances[m.instance],),
                (original.bodies[m.instance],),
                original.columns,
                np.array([row], np.int64),
                len(tables),
                at,
                original.rows,
                original.statement,
            )
        )
        at += len(original.columns)
    coordinates = [system.names["coordinates"][c] for c in group.coordinates]
    numbering = Numbering(n_q, n_lam, {}, {}, {})
    names_of = {"coordinates": tuple(coordinates), "multipliers": tuple(multipliers)}
    p = system.p[places]
    changing = np.isin(places, system.derived.p_targets[:, 0]).any(axis=0)
    differing = changing | (p != p[0]).any(axis=0)
    return Instances(
        system.model,
        tuple(tables),
        tuple(_codes(table, numbering.n, numbering.n_q) for table in tables),
        _first_row(p),
        frozenset(np.flatnonzero(differing).tolist()),
        numbering,
        names_of,
        numbering.n**2,
    )


def _first_row(p: FloatArray) -> FloatArray:
    return np.array(p[0], float) if len(p) else np.zeros(0)


def _codes(table: TypeTable, n: int, n_q: int) -> IntArray:
    where = global_indices(table.ir, table.links, n_q)
    entries = np.array([i for i, _ in table.ir.entries("matrix")], np.int64).reshape(-1, 2)
    return np.asarray(where[:, entries[:, 0]] * n + where[:, entries[:, 1]])


def rows_of(system: SystemIR, same: GroupType) -> tuple[int, ...]:
    """Return the local rows that groups of a type solve."""
    group = same.first
    n_q, n_lam = sum(group.sizes), 0
    starts = np.cumsum([0, *group.sizes]).tolist()
    found: list[int] = []
    for m in group.members:
        ir = system.types[m.table].ir
        where = [
            starts[b] + k
            for b, (_, size) in zip(m.bodies, ir.block_links(), strict=True)
            for k in range(size)
        ]
        where += range(n_q + n_lam, n_q + n_lam + ir.n_lam)
        n_lam += ir.n_lam
        found += [where[j] for j in m.rows]
    return tuple(found)
