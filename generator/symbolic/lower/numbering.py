"""Numbering: indices of coordinates, rows and multipliers, links, sparsity, scatter maps.

Input: elements and their derived types. The cost is linear in the number of elements, with NumPy.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.sharing import common
from mbdgen.language.model import Model
from mbdgen.runtime.system.system_data import IntArray
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.system_ir import TypeTable
from mbdgen.topology.elements import ElementSpec


@dataclass(frozen=True)
class ElementGroup:
    """Element type with its elements."""

    ir: ElementIR
    title: str
    specs: tuple[ElementSpec, ...]


@dataclass(frozen=True)
class Numbering:
    """Offsets of all indexed quantities.

    Attributes
    ----------
    n_q, n_lam : int
        Coordinates and multipliers.
    blocks : dict of str to tuple of int
        First coordinate of every block of a body; several bodies may share one.
    multiplier : dict of str to int
        First multiplier of a joint, or of a body with constraints of its own.
    output : dict of str to int
        First index of an output.
    """

    n_q: int
    n_lam: int
    blocks: dict[str, tuple[int, ...]]
    multiplier: dict[str, int]
    output: dict[str, int]

    @property
    def body(self) -> dict[str, int]:
        """First coordinate of every body."""
        return {name: first[0] for name, first in self.blocks.items()}

    def coordinates(self, body: Body) -> list[int]:
        """Return the indices of all coordinates of a body."""
        assert body.kind is not None
        pairs = zip(self.blocks[body.name], body.kind.block_sizes, strict=True)
        return [first + k for first, size in pairs for k in range(size)]

    @property
    def n(self) -> int:
        """Rows and columns of the matrix."""
        return self.n_q + self.n_lam


def group(specs: Sequence[ElementSpec], irs: Mapping[str, ElementIR]) -> list[ElementGroup]:
    """Collect the elements of each type, in order of first appearance."""
    members: dict[tuple[str, tuple[str, int] | None], list[ElementSpec]] = {}
    for spec in specs:
        members.setdefault((spec.key, spec.crowd), []).append(spec)
    groups: list[ElementGroup] = []
    titles: dict[str, int] = {}
    for (key, _), found in members.items():
        title = _title(found[0])
        titles[title] = titles.get(title, 0) + 1
        unique = title if titles[title] == 1 else f"{title}_{titles[title]}"
        groups.append(ElementGroup(irs[key], unique, tuple(found)))
    return groups


def number(model: Model, specs: Sequence[ElementSpec], irs: Mapping[str, ElementIR]) -> Numbering:
    """Assign indices to all coordinates, multipliers and outputs."""
    multiplier, output = {}, {}
    n_lam = n_out = 0
    blocks, n_q = _blocks(model)
    joints_first = sorted(specs, key=lambda s: s.role != "joint")
    for spec in joints_first:
        ir = irs[spec.key]
        if ir.n_lam and spec.name not in multiplier:  # otherwise a further piece of a path
            multiplier[spec.name] = n_lam
            n_lam += ir.n_lam
        if spec.role == "output" and spec.name not in output:
            output[spec.name] = n_out
            n_out += len(spec.expressions)
    return Numbering(n_q, n_lam, blocks, multiplier, output)


def _blocks(model: Model) -> tuple[dict[str, tuple[int, ...]], int]:
    """Number the blocks of all bodies, shared ones once; return the number of coordinates."""
    same = common(model)
    first: dict[tuple[str, int], int] = {}
    blocks = {}
    n_q = 0
    for b in model.bodies.values():
        assert b.kind is not None
        for k, size in enumerate(b.kind.block_sizes):
            place = same[b.name, k]
            if place not in first:
                first[place] = n_q
                n_q += size
        blocks[b.name] = tuple(first[same[b.name, k]] for k in range(len(b.kind.block_sizes)))
    return blocks, n_q


def links(group: ElementGroup, numbering: Numbering, angles: int) -> IntArray:
    """Return the connectivity of a group: for every instance the links of its type.

    Parameters
    ----------
    angles : int
        Number of unwrapped angles read by earlier groups.
    """
    ir = group.ir
    rows: list[list[int]] = []
    instances = [spec for spec in group.specs if spec.crowd is None]  # pairs are found by a run
    for spec in instances:
        row = [first for b in spec.bodies for first in numbering.blocks[b.name]]
        if ir.n_lam:
            k = numbering.multiplier[spec.name]
            row += [numbering.n_q + k, k]
        owners = {p.label: p.owner for p in spec.parts}
        # A joint whose rows are all trivial has no multipliers, and they are not read.
        row += [numbering.multiplier.get(owners[label], 0) for label, _ in ir.reads]
        if ir.turns:
            row.append(2 * (angles + len(rows) * len(ir.turns)))
        if ir.role == "output":
            row.append(numbering.output[spec.name])
        rows.append(row)
    return np.array(rows, np.int64).reshape(len(instances), len(ir.link_names()))


def global_indices(ir: ElementIR, connectivity: IntArray, n_q: int) -> IntArray:
    """Return, per instance, the global index of every local row and of further columns.

    Parameters
    ----------
    n_q : int
        Number of coordinates: the column of the first multiplier, for those that an element reads.
    """
    parts = []
    links = ir.link_names()
    for b, (_, size) in enumerate(ir.block_links()):
        parts.append(connectivity[:, b : b + 1] + np.arange(size))
    if ir.n_lam:
        first = connectivity[:, links.index("row")]
        parts.append(first[:, None] + np.arange(ir.n_lam))
    for label, kept in ir.reads:
        read = connectivity[:, links.index(f"k_{label}")]
        parts.append(n_q + read[:, None] + np.arange(len(kept)))
    return np.concatenate(parts, axis=1) if parts else np.zeros((len(connectivity), 0), np.int64)


def pattern(
    numbering: Numbering, tables: Sequence[TypeTable]
) -> tuple[IntArray, IntArray, list[IntArray]]:
    """Return the sparsity pattern: column pointers, row indices, and scatter maps of types.

    The diagonal of the multiplier block is always part of the pattern.
    """
    n = numbering.n
    codes = []
    for table in tables:
        where = global_indices(table.ir, table.links, numbering.n_q)
        entries = np.array([i for i, _ in table.ir.entries("matrix")], np.int64).reshape(-1, 2)
        codes.append(where[:, entries[:, 1]] * n + where[:, entries[:, 0]])
    diagonal = np.arange(numbering.n_q, n, dtype=np.int64)
    everything = np.concatenate([*(c.ravel() for c in codes), diagonal * n + diagonal])
    unique = np.unique(everything)
    indptr = np.searchsorted(unique, np.arange(n + 1, dtype=np.int64) * n)
    scatter = [np.searchsorted(unique, c) for c in codes]
    return indptr.astype(np.int64), unique % n, scatter


def _title(spec: ElementSpec) -> str:
    """Return the name of a type, from its kind and its bodies."""
    if spec.role == "body":
        return spec.title.replace(" ", "_").replace("-", "_")
    kinds = [b.kind.name.replace("-", "_") for b in spec.bodies if b.kind is not None]
    if spec.role == "output":
        return "_".join(["output", *kinds])
    ends = ["ground" if f.body < 0 else kinds[f.body] for f in spec.frames]
    return "_".join([spec.title, *ends])
