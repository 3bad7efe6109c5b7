"""Lowering of a mechanism in relative (joint) coordinates.

Input: the mechanism in absolute coordinates and its spanning tree. Output: a `SystemIR` with the
sizes, names, initial state, sparsity pattern and kernels in relative coordinates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mbdgen.build_options import BuildOptions
from mbdgen.errors import BuildError
from mbdgen.language.expressions.runtime_values import Changing, Predicted, Remembered
from mbdgen.language.model import Model
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.symbolic.coordinates.recursion import Recursion, inertia, recursion
from mbdgen.symbolic.coordinates.relative_numbering import Relation, names_in, relate, roles_in
from mbdgen.symbolic.coordinates.relative_start import Numbers, Start
from mbdgen.symbolic.coordinates.relative_state import InitialBranches
from mbdgen.symbolic.coordinates.relative_system import RelativeSystem
from mbdgen.symbolic.derive.joint_reactions import with_reactions
from mbdgen.symbolic.fuse.fused_kernels import NOT_FUSED, Fused, fuse
from mbdgen.symbolic.fuse.substituted_kernels import StraightKernel, straight
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.system_ir import FlatKernel, SystemIR, TypeTable
from mbdgen.symbolic.lower.contact_numbering import appended
from mbdgen.symbolic.lower.flatten import Instances
from mbdgen.symbolic.lower.layout import LayoutLimits, optional_kernels, statements
from mbdgen.symbolic.lower.load_parameters import loads_of
from mbdgen.symbolic.lower.numbering import Numbering, group
from mbdgen.symbolic.lower.parameter_expressions import ParameterExpressions
from mbdgen.symbolic.lower.parameter_tables import (
    integer_table,
    moving_bodies,
    numbers_of_types,
    parameter_tables,
    sizes_of,
    telling_elements,
)
from mbdgen.symbolic.lower.path_ranges import range_numbers, ranges
from mbdgen.symbolic.lower.roles import names_of, roles_of
from mbdgen.symbolic.lower.stated_initial_state import stated_of
from mbdgen.symbolic.statement.verify_joint_moves import joints_with_wrong_moves
from mbdgen.topology.elements import ElementSpec
from mbdgen.topology.tree import Tree, free_joint, grow


@dataclass(frozen=True)
class RelativeParts:
    """Mechanism in absolute coordinates, before the choice of the layout.

    Attributes
    ----------
    model, specs, irs
        The model, its elements and their types.
    numbering : Numbering
        Indices in absolute coordinates.
    """

    model: Model
    specs: Sequence[ElementSpec]
    irs: Mapping[str, ElementIR]
    numbering: Numbering

    def tables(
        self, book: ParameterExpressions, without: frozenset[str] = frozenset()
    ) -> tuple[list[TypeTable], FloatArray, list[tuple[int, Changing]]]:
        """Return types and parameters of all but some elements, and those that runs change."""
        kept = [spec for spec in self.specs if spec.name not in without]
        tables, p, changing = parameter_tables(group(kept, self.irs), self.numbering, book)
        return tables, p, [(k, x) for k, x in changing if isinstance(x, Remembered | Predicted)]

    def tree(self) -> Tree:
        """Return the spanning tree of joints whose moves are verified.

        Raises
        ------
        BuildError
            If no joint gives the position of a body, or none has a degree of freedom.
        """
        tree = grow(self.specs, joints_with_wrong_moves(self.model, self.specs, self.irs))
        if not tree.branches:
            listed = sorted({s.title for s in self.specs if s.role == "joint"})
            raise BuildError(
                f"The mechanism '{self.model.name}' has no relative coordinates: none of its "
                f"joints ({', '.join(listed) or 'there are none'}) gives the place of a body.",
                "Use other coordinates. Bodies with quaternion or planar coordinates can be given "
                "by joints that list their moves: revolute, prismatic, spherical and others.",
            )
        if not tree.free and not any(branch.moves for branch in tree.branches):
            raise BuildError(
                f"The mechanism '{self.model.name}' has no relative coordinates: its joints let no "
                "body move.",
                "Take a joint that leaves a body free to move, or use other coordinates.",
            )
        return tree

    def sizes(self) -> dict[str, int]:
        """Return the number of multipliers of every element."""
        return {spec.name: self.irs[spec.key].n_lam for spec in self.specs}

    def asked_reactions(self, relation: Relation) -> list[tuple[str, range]]:
        """Return the branches whose reactions are read by outputs, with their multipliers."""
        labels = ((s, dict(self.irs[s.key].reads)) for s in self.specs if s.role == "output")
        read = {part.owner for s, names in labels for part in s.parts if part.label in names}
        sizes, first = self.sizes(), self.numbering.multiplier
        joints = (j.branch.joint for j in relation.joined)
        return [
            (name, range(first[name], first[name] + sizes[name]))
            for name in joints
            if name in read and name in first
        ]


@dataclass(frozen=True)
class RelativeCode:
    """Code in relative coordinates.

    Attributes
    ----------
    kernels : tuple of FlatKernel
        Straight-line kernels that evaluate; empty with loops.
    fused : Fused
        Kernels that solve.
    indptr, indices : array of int
        Sparsity pattern of the matrix.
    m : array of int, or None
        Table of integers for loops; straight-line code reads only the sizes.
    recursion : Recursion or None
        The loops.
    """

    kernels: tuple[FlatKernel, ...]
    fused: Fused
    indptr: IntArray
    indices: IntArray
    m: IntArray | None
    recursion: Recursion | None


def lower_relative(parts: RelativeParts, options: BuildOptions, limits: LayoutLimits) -> SystemIR:
    """Lower a mechanism in relative coordinates, ready for code generation."""
    model, numbering = parts.model, parts.numbering
    relation = relate(model, parts.tree(), numbering, parts.sizes())
    book = ParameterExpressions(model, frozenset(options.freeze))
    tables, p, remembered = parts.tables(book)
    size = statements(tables)
    read = parts.asked_reactions(relation)
    looped = _in_loops(parts, relation, bool(read), size, options, limits)
    if looped:  # their multipliers are zero, and their rows are not needed
        book = ParameterExpressions(model, frozenset(options.freeze))
        without = frozenset(j.branch.joint for j in relation.joined)
        tables, p, remembered = parts.tables(book, without)
    start = Start(model, book, InitialBranches())
    walked = relation.without_free() if looped else relation
    places, p = start.numbers(walked, p)
    q0, v0 = start.state(relation)
    ends = ranges(model, numbering, len(p))
    p = appended(p, range_numbers(model), book)
    given = [joined.branch.child.name for joined in relation.joined]
    stated, stated_values = stated_of(model, numbering, given, len(p))
    p = appended(p, stated_values, book)
    names = names_of(model, parts.specs, parts.irs, numbering)
    roles = roles_of(model, parts.specs, parts.irs, numbering, tables, remembered)
    roles = roles_in(relation, replace(roles, ranges=ends, stated=stated), numbering)
    own_names = names_in(relation, model, names)
    looked_up = frozenset(int(k) for k, _ in book.targets("p"))
    looked_up = looked_up.union(np.flatnonzero(p).tolist() if looped else ())
    loads = loads_of(tables, parts.specs, p, looked_up)
    roles = replace(roles, **loads._asdict())
    n_out = len(names["outputs"])

    def make() -> RelativeSystem:
        """Return the equations in a new graph."""
        targets = (int(k) for k, _ in book.targets("p"))
        parametric = frozenset([*targets, *(k for k, _ in remembered)])
        scatter = tuple(np.zeros((len(t.instances), 0), np.int64) for t in tables)
        elements = Instances(model.name, tuple(tables), scatter, p, parametric, numbering, names, 0)
        return RelativeSystem(relation, elements, places, own_names)

    def multipliers(system: RelativeSystem, state: dict[str, Any]) -> list[int]:
        return with_reactions(system, state, read)

    if looped:
        code = _loops(parts, tables, walked, places, n_out)
    else:
        lines = straight(make, multipliers, n_out, options.second)
        few = lines.operations <= limits.fuse
        code = _lines(lines, fuse(make, roles.constraint_rows, q0, v0) if few else NOT_FUSED)
    shape = (
        relation.n_q + len(relation.multipliers),
        len(code.indices),
        relation.n_q,
        len(relation.multipliers),
    )
    return SystemIR(
        model=model.name,
        layout="loop" if looped else "flat",
        types=tuple(tables) if looped else (),
        bodies=moving_bodies(tables),
        telling=telling_elements(tables),
        flat=(*code.kernels, *code.fused.kernels),
        statements=size,
        sizes=sizes_of(shape, own_names, tables, code.fused.size),
        names=own_names,
        roles=roles,
        p=p,
        m=np.array(shape, np.int64) if code.m is None else code.m,
        q0=q0,
        v0=v0,
        indptr=code.indptr,
        indices=code.indices,
        reduced=None,
        optional=optional_kernels(tables, options.second),
        sensitivities=False,
        numbers=(
            *numbers_of_types(tables),
            *(f"{j}: {x}" for j in places for x in places[j]),
            *(name for name, _ in (*range_numbers(model), *stated_values)),
        ),
        recursion=code.recursion,
        tree=relation.tree,
        derived=book.finish(),
    )


def _in_loops(
    parts: RelativeParts,
    relation: Relation,
    read: bool,
    size: int,
    options: BuildOptions,
    limits: LayoutLimits,
) -> bool:
    """Return whether a mechanism is printed as loops.

    Raises
    ------
    BuildError
        If loops were requested and are not possible.
    """
    obstacle = ""
    if unplaced := [name for name, (body, _) in relation.free.items() if not free_joint(body)]:
        obstacle = f"they cannot place body '{unplaced[0]}' by its coordinates"
    elif read:
        obstacle = "an output is the reaction of a joint that gives a place"
    if options.layout == "loop" and obstacle:
        raise BuildError(
            f"The mechanism '{parts.model.name}' has no loops in relative coordinates: {obstacle}.",
            "Choose the layout flat, or other coordinates.",
        )
    possible = limits.recursive and not options.second and not obstacle
    return possible and (
        options.layout == "loop" or (options.layout == "auto" and size > limits.flat)
    )


def _lines(straight_lines: StraightKernel, fused: Fused) -> RelativeCode:
    """Return straight-line code."""
    return RelativeCode(
        kernels=straight_lines.kernels,
        fused=fused,
        indptr=straight_lines.indptr,
        indices=straight_lines.indices,
        m=None,
        recursion=None,
    )


def _loops(
    parts: RelativeParts,
    tables: Sequence[TypeTable],
    relation: Relation,
    places: Numbers,
    named: int,
) -> RelativeCode:
    """Return loops, whose kernels are printed from the tree; their matrix is dense."""
    numbering = parts.numbering
    bodies = {spec.key: spec.bodies[0] for spec in parts.specs if spec.role == "body"}
    by_title = {t.title: t.ir for t in tables if t.ir.role == "body"}
    of_ir = {id(parts.irs[key]): body for key, body in bodies.items()}
    inertias = {title: inertia(ir, of_ir[id(ir)]) for title, ir in by_title.items()}
    shape = (numbering.n, 0, numbering.n_q, numbering.n_lam)
    nothing = [np.zeros(0, np.int64)] * len(tables)
    table = integer_table(shape, tables, nothing)
    found, m = recursion(relation, numbering, places, table, named, inertias)
    n = relation.n_q + len(relation.multipliers)
    return RelativeCode(
        kernels=(),
        fused=Fused((), 0 if relation.multipliers else 2 * relation.n_q + 1),
        indptr=np.arange(n + 1) * n,
        indices=np.tile(np.arange(n), n),
        m=m,
        recursion=found,
    )
