"""From derived types to the whole mechanism in relative coordinates.

Input: the mechanism in the coordinates of its bodies and its spanning tree. Output: what a
`SystemIR` has in their place: sizes, names, initial state, pattern and straight-line kernels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from mbdgen.errors import BuildError
from mbdgen.interface import DISPLACEMENTS, SECOND_KERNELS
from mbdgen.language.coordinates import initial_of
from mbdgen.language.model import Model
from mbdgen.options import BuildOptions
from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.symbolic.branches import TURN_OVER, numbers_of
from mbdgen.symbolic.evaluate import evaluate
from mbdgen.symbolic.expressions import ParameterExpressions
from mbdgen.symbolic.fits import unfit
from mbdgen.symbolic.flatten import Instances
from mbdgen.symbolic.fused import NOT_FUSED, Fused, fuse
from mbdgen.symbolic.ir import ElementIR
from mbdgen.symbolic.kernels import Straight, straight
from mbdgen.symbolic.layout import Limits, statements
from mbdgen.symbolic.numbering import Numbering, group
from mbdgen.symbolic.reactions import with_reactions
from mbdgen.symbolic.recursion import Recursion, inertia, recursion
from mbdgen.symbolic.relation import Joined, Relation, names_in, relate, roles_in
from mbdgen.symbolic.relative import RelativeSystem
from mbdgen.symbolic.relative_state import InitialBranches
from mbdgen.symbolic.roles import names_of, roles_of
from mbdgen.symbolic.system_ir import HEADER, SystemIR, TypeTable
from mbdgen.symbolic.tables import (
    integer_table,
    is_powered,
    numbers_of_types,
    parameter_tables,
)
from mbdgen.topology.elements import ElementSpec
from mbdgen.topology.tree import Tree, grow

Numbers = dict[str, dict[str, int]]


@dataclass(frozen=True)
class Start:
    """The initial state of a mechanism as its model describes it.

    Attributes
    ----------
    model : Model
        The description.
    book : ParameterExpressions
        Where numbers that depend on parameters are noted.
    branches : InitialBranches
        Finds the state of joints.
    """

    model: Model
    book: ParameterExpressions
    branches: InitialBranches

    def of(self, joined: Joined) -> tuple[Any, Any]:
        """Return coordinates and rates of a branch."""
        attached = self.model.attached[joined.branch.joint]
        a, b = attached.markers[:2]
        element: Any = attached.element
        return self.branches.state(joined.branch, element, a, b)

    def state(self, relation: Relation) -> tuple[FloatArray, FloatArray]:
        """Return all coordinates and velocities."""
        q0, v0 = np.zeros(relation.n_q), np.zeros(relation.n_q)
        for body, joined in relation.in_order(self.model):
            assert body.kind is not None
            if joined is None:
                first = relation.free[body.name][1]
                q, v = initial_of(body.kind, body.motion)
            else:
                first = joined.first
                q, v = self.of(joined)
            what = f"initial state of body '{body.name}'"
            for k, (x, y) in enumerate(zip(q, v, strict=True)):
                q0[first + k] = self.book.place(x, "q", first + k, what)
                v0[first + k] = self.book.place(y, "v", first + k, what)
        return q0, v0

    def numbers(self, relation: Relation, p: FloatArray) -> tuple[Numbers, FloatArray]:
        """Put the numbers of all branches behind the table of parameters."""
        places: Numbers = {}
        values = p.tolist()
        for joined in relation.joined:
            joint, numbers = joined.branch.joint, numbers_of(joined.branch)
            if TURN_OVER in numbers:
                numbers[TURN_OVER] += self._whole_turns(joined, numbers[TURN_OVER])
            elif self._opposite(joined, numbers):
                # The axes of the child as the other quaternion, so that its own is as at the start.
                end = "a" if joined.branch.backward else "b"
                numbers |= {f"m_{end}{k}": -numbers[f"m_{end}{k}"] for k in range(4)}
            own = places[joint] = {}
            for name, x in numbers.items():
                own[name] = len(values)
                values.append(self.book.place(x, "p", len(values), f"{name} of joint '{joint}'"))
        return places, np.array(values, float)

    def _opposite(self, joined: Joined, numbers: Mapping[str, Any]) -> bool:
        """Whether a branch gives minus the quaternion that its child has at the start."""
        parent, child = joined.branch.parent.body, joined.branch.child.body
        assert child is not None and child.kind is not None and child.kind.quaternion is not None
        inputs = {name: self.book.value(x, name) for name, x in numbers.items()}
        if parent is not None and parent.kind is not None:
            q, _ = initial_of(parent.kind, parent.motion)
            inputs |= {f"p{k}": self.book.value(x, "coordinate") for k, x in enumerate(q)}
        own, _ = self.of(joined)
        inputs |= {f"s{k}": self.book.value(x, "coordinate") for k, x in enumerate(own)}
        first = child.kind.quaternion.coordinates
        nodes = joined.geometry.q[first : first + 4]
        q, _ = initial_of(child.kind, child.motion)
        wanted = [self.book.value(x, "coordinate") for x in q[first : first + 4]]
        given = evaluate(joined.geometry.graph, nodes, inputs)
        return sum(x * y for x, y in zip(given, wanted, strict=True)) < 0.0

    def _whole_turns(self, joined: Joined, offset: Any) -> float:
        """Return the turns by which initial angles in the plane differ from the joint's own."""
        branch = joined.branch
        angles = []
        for end in (branch.b, branch.a):
            angle = 0.0 if end.body is None else end.body.motion.plane_angle()
            angles.append(self.book.value(angle, "angle"))
        q, _ = self.of(joined)
        axis = 1.0 - 2.0 * (branch.a.axes[1] ** 2 + branch.a.axes[2] ** 2)
        own = sum(
            axis * self.book.value(x, "angle")
            for x, move in zip(q, branch.moves, strict=True)
            if move.rotates
        )
        return 2.0 * pi * round((angles[0] - angles[1] - own - offset) / (2.0 * pi))


@dataclass(frozen=True)
class Parts:
    """A mechanism in the coordinates of its bodies, before it is laid out.

    Attributes
    ----------
    model, specs, irs
        Its description, its elements and their types.
    numbering : Numbering
        Places in the coordinates of the bodies.
    """

    model: Model
    specs: Sequence[ElementSpec]
    irs: Mapping[str, ElementIR]
    numbering: Numbering

    def tables(
        self, book: ParameterExpressions, without: frozenset[str] = frozenset()
    ) -> tuple[list[TypeTable], FloatArray]:
        """Return types and parameters of all elements but some."""
        kept = [spec for spec in self.specs if spec.name not in without]
        tables, p, _ = parameter_tables(group(kept, self.irs), self.numbering, book)
        return tables, p

    def tree(self) -> Tree:
        """Return the spanning tree of joints that say what they leave free, and do so.

        Raises
        ------
        BuildError
            If no joint gives the place of a body.
        """
        tree = grow(self.specs, unfit(self.model, self.specs, self.irs))
        if not tree.branches:
            listed = sorted({s.title for s in self.specs if s.role == "joint"})
            raise BuildError(
                f"The mechanism '{self.model.name}' has no relative coordinates: none of its "
                f"joints ({', '.join(listed) or 'there are none'}) gives the place of a body.",
                "Use other coordinates. Bodies with quaternion or planar coordinates can be given "
                "by joints that list their moves: revolute, prismatic, spherical and others.",
            )
        return tree

    def sizes(self) -> dict[str, int]:
        """Return how many multipliers every element has."""
        return {spec.name: self.irs[spec.key].n_lam for spec in self.specs}

    def asked_reactions(self, relation: Relation) -> list[tuple[str, range]]:
        """Return the branches whose reactions are outputs, with their multipliers."""
        labels = ((s, dict(self.irs[s.key].reads)) for s in self.specs if s.role == "output")
        read = {part.owner for s, names in labels for part in s.parts if part.label in names}
        sizes, first = self.sizes(), self.numbering.multiplier
        joints = (j.branch.joint for j in relation.joined)
        return [
            (name, range(first[name], first[name] + sizes[name]))
            for name in joints
            if name in read and name in first
        ]


def lower_relative(parts: Parts, options: BuildOptions, limits: Limits) -> SystemIR:
    """Return the mechanism in relative coordinates, ready to be printed."""
    _require_known(parts, options)
    model, numbering, frozen = parts.model, parts.numbering, frozenset(options.freeze)
    relation = relate(model, parts.tree(), numbering, parts.sizes())
    book = ParameterExpressions(model, frozen)
    tables, p = parts.tables(book)
    size = statements(tables)
    read = parts.asked_reactions(relation)
    looped = _in_loops(parts, relation, bool(read), size, options, limits)
    if looped:  # their multipliers are zero, and nobody asks for their rows
        book = ParameterExpressions(model, frozen)
        tables, p = parts.tables(book, frozenset(j.branch.joint for j in relation.joined))
    start = Start(model, book, InitialBranches())
    places, p = start.numbers(relation, p)
    q0, v0 = start.state(relation)
    names = names_of(model, parts.specs, parts.irs, numbering)
    roles = roles_of(model, parts.specs, parts.irs, numbering, ())
    parametric = frozenset(int(k) for k, _ in book.targets("p"))
    scatter = tuple(np.zeros((len(t.instances), 0), np.int64) for t in tables)
    instances = Instances(model.name, tuple(tables), scatter, p, parametric, numbering, names, 0)
    own_names, own_roles = names_in(relation, model, names), roles_in(relation, model, roles)

    def make() -> RelativeSystem:
        return RelativeSystem(relation, instances, places, own_names)

    def multipliers(system: RelativeSystem, state: dict[str, Any]) -> list[int]:
        return with_reactions(system, state, read)

    n_out = len(names["outputs"])
    if looped:
        lines, fused, own_tables = loops(parts, tables, relation, places, n_out)
    else:
        lines = straight(make, multipliers, n_out, options.second)
        own_tables = Tables(
            np.array(
                [make().n, len(lines.indices), relation.n_q, len(relation.multipliers)], np.int64
            ),
            None,
        )
        operations = sum(k.graph.operation_count([n for _, n in k.outputs]) for k in lines.kernels)
        fused = NOT_FUSED
        if operations <= limits.fuse:
            fused = fuse(make, own_roles.constraint_rows, q0, v0)
    shape = (make().n, len(lines.indices), relation.n_q, len(relation.multipliers))
    sizes = dict(zip(HEADER, shape, strict=True)) | {
        "n_out": len(own_names["outputs"]) + len(own_names["bodies"]),
        "fused": fused.size,
        "powered": int(is_powered(tables)),
        "reads": 0,
    }
    return SystemIR(
        model=model.name,
        layout="loop" if looped else "flat",
        types=tuple(tables) if looped else (),
        flat=(*lines.kernels, *fused.kernels),
        statements=size,
        sizes=sizes,
        names=own_names,
        roles=own_roles,
        p=p,
        m=own_tables.m,
        q0=q0,
        v0=v0,
        indptr=lines.indptr,
        indices=lines.indices,
        reduced=None,
        optional=SECOND_KERNELS if options.second else (),
        sensitivities=False,
        numbers=(*numbers_of_types(tables), *(f"{j}: {x}" for j in places for x in places[j])),
        recursion=own_tables.recursion,
        tree=relation.tree,
        derived=book.finish(),
    )


def _require_known(parts: Parts, options: BuildOptions) -> None:
    """Refuse what relative coordinates do not know.

    Raises
    ------
    BuildError
        Naming it.
    """
    irs = [(spec.name, spec.role, parts.irs[spec.key]) for spec in parts.specs]
    rolling = [f"'{name}'" for name, _, ir in irs if ir.n_velocity]
    reading = [f"'{name}'" for name, role, ir in irs if role == "force" and ir.reads]
    turned = [f"'{name}'" for name, _, ir in irs if ir.entries(DISPLACEMENTS)]
    obstacle = ""
    if rolling:
        obstacle = f"{', '.join(rolling)} constrains velocities"
    elif turned:
        obstacle = f"body {', '.join(turned)} has an orientation in other numbers than a quaternion"
    elif reading:
        obstacle = f"{', '.join(reading)} depends on reactions"
    elif parts.model.shared:
        names = sorted({f"'{end[0]}'" for pair in parts.model.shared for end in (pair.a, pair.b)})
        obstacle = f"bodies {', '.join(names)} share points or vectors"
    elif options.sensitivities:
        obstacle = "they have no sensitivities"
    if obstacle:
        raise BuildError(
            f"The mechanism '{parts.model.name}' has no relative coordinates: {obstacle}.",
            "Use the coordinates of its bodies.",
        )


@dataclass(frozen=True)
class Tables:
    """The table of integers, and the loops that read it, if there are any."""

    m: IntArray
    recursion: Recursion | None


def _in_loops(
    parts: Parts,
    relation: Relation,
    read: bool,
    size: int,
    options: BuildOptions,
    limits: Limits,
) -> bool:
    """Whether a mechanism is printed as loops.

    Raises
    ------
    BuildError
        If loops were asked for that are not possible.
    """
    obstacle = ""
    if not limits.recursive:
        obstacle = f"the backend {options.backend} has none"
    elif relation.free:
        obstacle = f"no joint gives the place of body '{next(iter(relation.free))}'"
    elif read:
        obstacle = "an output is the reaction of a joint that gives a place"
    elif options.second:
        obstacle = "they have no second derivatives"
    if options.layout == "loop" and obstacle:
        raise BuildError(
            f"The mechanism '{parts.model.name}' has no loops in relative coordinates: {obstacle}.",
            "Choose the layout flat, or other coordinates.",
        )
    return not obstacle and (
        options.layout == "loop" or (options.layout == "auto" and size > limits.flat)
    )


def loops(
    parts: Parts, tables: Sequence[TypeTable], relation: Relation, places: Numbers, named: int
) -> tuple[Straight, Fused, Tables]:
    """Return the pattern, the fused kernels and the tables of loops."""
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
    every = Straight((), np.arange(n + 1) * n, np.tile(np.arange(n), n))
    size = 0 if relation.multipliers else 2 * relation.n_q + 1
    return every, Fused((), size), Tables(m, found)
