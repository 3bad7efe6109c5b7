r"""Equations of motion in relative coordinates (recursive Newton-Euler algorithm), as one graph.

Positions, velocities and accelerations of the bodies follow outwards from the coordinates of the
branches; wrenches on the bodies, :math:`M a - f - G^T\lambda` with the multipliers of cut joints
only, are summed inwards, and the row of a branch is the virtual work of the outboard sum on the
screws of its moves: the recursive Newton-Euler algorithm. Derivatives are those of the graph.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mbdgen.interface import LEVELS
from mbdgen.language.bodies.coordinates import Coordinates
from mbdgen.symbolic.coordinates.differentiated_system import DifferentiatedSystem
from mbdgen.symbolic.coordinates.relative_numbering import Joined, Relation
from mbdgen.symbolic.fuse.straight_system import Substituted
from mbdgen.symbolic.ir.vector_nodes import (
    Nodes,
    Placement,
    combined,
    cross,
    dot,
    minus,
    placement,
    plus,
)
from mbdgen.symbolic.lower.flatten import Instances, WholeMechanism
from mbdgen.topology.tree import GROUND

State = dict[str, Any]


@dataclass(frozen=True)
class Wrench:
    """Force and moment about the origin of a body, in global components."""

    force: Nodes
    moment: Nodes


class RelativeSystem(DifferentiatedSystem, Substituted):
    """Mechanism in relative coordinates; see `DifferentiatedSystem`.

    Parameters
    ----------
    relation : Relation
        Relative coordinates and numbering.
    instances : Instances
        The mechanism in absolute coordinates.
    numbers : mapping of joint to {input: index}
        Indices of the parameters of the branches in the table of parameters.
    names : mapping
        Names of the relative coordinates and of their multipliers.
    """

    def __init__(
        self,
        relation: Relation,
        instances: Instances,
        numbers: Mapping[str, Mapping[str, int]],
        names: Mapping[str, tuple[str, ...]],
    ) -> None:
        super().__init__(WholeMechanism(instances))
        self._relation, self._numbers = relation, numbers
        self._parametric = instances.parametric
        ends = (end for j in relation.joined for end in (j.branch.a, j.branch.b))
        self._bodies = {end.name: end.body for end in ends if end.body is not None}
        self._bodies |= {name: body for name, (body, _) in relation.free.items()}
        self.n_q, self.n_lam = relation.n_q, len(relation.multipliers)
        self.multipliers = range(self.n_lam)
        q = [c.replace(".", "_") for c in names["coordinates"]]
        lam = [f"lam_{c.replace('[', '_').rstrip(']')}" for c in names["multipliers"]]
        self._variables = {
            "q": q,
            "v": [f"{c}_dot" for c in q],
            "a": [f"{c}_ddot" for c in q],
            "lam": lam,
        }

    def vector(self, kind: str, array: str | None = None) -> Nodes:
        """Return the nodes of a state vector."""
        names = self._variables[kind]
        return [self.load(name, array or kind, k) for k, name in enumerate(names)]

    def residual(self, state: State) -> dict[int, int]:
        """Return the rows of branches, of free bodies and of cut joints."""
        full = self.full(state)
        rows = self.rows(full)
        found = self._summed(full, rows)
        for first, row in self._relation.norms:
            p = state["q"][first : first + 4]
            found[row] = self.builder.sub(dot(self.builder, p, p), self.builder.const(1.0))
        return {**found, **self._constraints(rows)}

    def rates(self, state: State) -> dict[int, int]:
        """Return phi_dot of the rows, then phi_ddot."""
        b = self.builder
        full = self.full(state)
        rates = self._whole.values("rates", full, "rates")
        n = self._whole.numbering.n
        found: dict[int, int] = {}
        for level in (0, 1):
            own = {row: rates[n * level + row] for row in range(n) if n * level + row in rates}
            constraints = {**self._constraints(own), **self._norms_of_free(own)}
            found |= {self.n * level + row: x for row, x in constraints.items()}
        for first, row in self._relation.norms:
            p, dp, ddp = (state[kind][first : first + 4] for kind in LEVELS)
            two = b.const(2.0)
            found[row] = b.mul(two, dot(b, p, dp))
            found[self.n + row] = b.mul(two, b.add(dot(b, dp, dp), dot(b, p, ddp)))
        return found

    def power(self, state: State) -> int:
        """Return the power of loads and drivers."""
        return self.values("energies", state).get(2, self.builder.const(0.0))

    def values(self, kernel: str, state: State, lam: Nodes | None = None) -> dict[int, int]:
        """Return the results of a kernel that are independent of the choice of coordinates."""
        full = self.full(state)
        if lam is not None:
            full["lam"] = lam
        return self._whole.values(kernel, full)

    @property
    def constraint_rows(self) -> frozenset[int]:
        """Rows of norms and of cut joints."""
        rows = {row for _, row in self._relation.norms} | set(range(self.n_q, self.n))
        for body, first in self._relation.free.values():
            assert body.kind is not None
            rows |= set(range(first + body.kind.n_u, first + body.kind.n_q))
        return frozenset(rows)

    def full(self, state: State) -> State:
        """Return the state of the mechanism, with zeros for multipliers of branches."""
        b, whole = self.builder, self._whole
        zero = b.const(0.0)
        full = {kind: [zero] * whole.numbering.n_q for kind in LEVELS}
        for body, first in self._relation.free.values():
            assert body.kind is not None
            at, size = whole.numbering.body[body.name], body.kind.n_q
            for kind in LEVELS:
                full[kind][at : at + size] = state[kind][first : first + size]
        for joined in self._relation.joined:
            self._place(joined, state, full)
        lam = [zero] * whole.numbering.n_lam
        for k, node in zip(self._relation.multipliers, state["lam"], strict=True):
            lam[k] = node
        return {**full, "lam": lam, "w": state["w"], "own": state["q"]}

    def rows(self, full: State) -> dict[int, int]:
        """Return the residual in absolute coordinates."""
        return self._whole.values("residual", full, "residual")

    def child(self, joint: str) -> str:
        """Return the child body of a joint."""
        found = (j.branch.child.name for j in self._relation.joined if j.branch.joint == joint)
        return next(found)

    def first(self, body: str) -> int:
        """Return the first row of a body in the residual of `rows`."""
        return self._whole.numbering.body[body]

    def wrenches(self, full: State, rows: Mapping[int, int]) -> dict[str, Wrench]:
        """Return for every body the sum of the wrenches on it and on all outboard bodies."""
        b = self.builder
        names = (end.name for j in self._relation.joined for end in (j.branch.a, j.branch.b))
        found = {name: self._wrench(name, full, rows) for name in names if name != GROUND}
        for joined in reversed(self._relation.joined):
            parent = joined.branch.parent.body
            if parent is not None:
                child = joined.branch.child.name
                carried, mine = found[child], found[parent.name]
                ends = (self._placement(name, full).origin for name in (child, parent.name))
                arm = cross(b, minus(b, *ends), carried.force)
                moment = plus(b, mine.moment, plus(b, carried.moment, arm))
                found[parent.name] = Wrench(plus(b, mine.force, carried.force), moment)
        return found

    def body_rows(self, name: str, full: State, wrench: Wrench) -> dict[int, int]:
        """Return a wrench as rows of a body, by local index."""
        kind, b = self._kind(name), self.builder
        place = self._placement(name, full)
        found = dict(zip(kind.position, wrench.force, strict=False))
        if kind.quaternion is not None:
            first = kind.quaternion.moments
            found |= {first + k: dot(b, e, wrench.moment) for k, e in enumerate(place.columns)}
        elif kind.angle is not None:
            found[kind.angle] = wrench.moment[2]
        return found

    def _place(self, joined: Joined, state: State, full: State) -> None:
        """Write the coordinates of a child and their rates into the full state."""
        graph, first, n_s = joined.geometry, joined.first, joined.n_q
        inputs = self._inputs(joined, full)
        for kind, end in zip(LEVELS, ("", "_dot", "_ddot"), strict=True):
            own = state[kind][first : first + n_s]
            inputs |= {f"s{k}{end}": node for k, node in enumerate(own)}
        at = self._whole.numbering.body[joined.branch.child.name]
        self.builder.section(f"from {joined.branch.joint} to {joined.branch.child.name}")
        for kind, nodes in zip(LEVELS, (graph.q, graph.v, graph.a), strict=True):
            found = self.builder.inline(graph.graph, nodes, inputs, {})
            full[kind][at : at + len(found)] = found

    def _inputs(self, joined: Joined, full: State) -> dict[str, int]:
        """Return the nodes of the parent and the parameters of a branch."""
        inputs = {
            name: self._number(joined.branch.joint, name, place)
            for name, place in self._numbers[joined.branch.joint].items()
        }
        parent = joined.branch.parent.body
        if parent is not None and parent.kind is not None:
            at = self._whole.numbering.body[parent.name]
            for kind, end in zip(LEVELS, ("", "_dot", "_ddot"), strict=True):
                nodes = full[kind][at : at + parent.kind.n_q]
                inputs |= {f"p{k}{end}": node for k, node in enumerate(nodes)}
        return inputs

    def _summed(self, full: State, rows: Mapping[int, int]) -> dict[int, int]:
        """Return the dynamics rows of branches, and all rows of free bodies."""
        wrenches = self.wrenches(full, rows)
        found: dict[int, int] = {}
        for joined in self._relation.joined:
            found |= self._row_of_branch(joined, full, wrenches[joined.branch.child.name])
        carriers = {j.branch.parent.name for j in self._relation.joined}
        for body, first in self._relation.free.values():
            assert body.kind is not None
            at = self._whole.numbering.body[body.name]
            found |= {first + k: rows[at + k] for k in range(body.kind.n_q) if at + k in rows}
            if body.name in carriers:
                own = self.body_rows(body.name, full, wrenches[body.name])
                found |= {first + k: node for k, node in own.items()}
        return found

    def _row_of_branch(self, joined: Joined, full: State, wrench: Wrench) -> dict[int, int]:
        b = self.builder
        inputs = self._inputs(joined, full)
        inputs |= {f"s{k}": node for k, node in enumerate(self._own(joined, full))}
        found = {}
        for k, screw in enumerate(joined.geometry.screws):
            column = b.inline(joined.geometry.graph, screw, inputs, {})
            found[joined.first + k] = dot(b, column, [*wrench.force, *wrench.moment])
        return found

    def _own(self, joined: Joined, full: State) -> Nodes:
        nodes: Nodes = full["own"][joined.first : joined.first + joined.n_q]
        return nodes

    def _number(self, joint: str, name: str, place: int) -> int:
        """Return the node of a parameter of a branch; constants are folded in."""
        if place in self._parametric:
            return self.load(f"{joint}_{name}", "p", place)
        return self.builder.const(float(self.p[place]))

    def _kind(self, name: str) -> Coordinates:
        kind = self._bodies[name].kind
        assert kind is not None
        return kind

    def _placement(self, name: str, full: State) -> Placement:
        kind, at = self._kind(name), self._whole.numbering.body[name]
        q = full["q"][at : at + kind.n_q]
        return placement(self.builder, self._bodies[name], q, kind.planar)

    def _wrench(self, name: str, full: State, rows: Mapping[int, int]) -> Wrench:
        """Return the wrench on a single body."""
        b, kind, at = self.builder, self._kind(name), self._whole.numbering.body[name]
        zero = b.const(0.0)
        force = [rows.get(at + k, zero) for k in kind.position]
        if kind.quaternion is None:
            return Wrench([*force, zero], [zero, zero, rows.get(at + (kind.angle or 0), zero)])
        first = at + kind.quaternion.moments
        moments = [rows.get(first + k, zero) for k in range(3)]
        return Wrench(force, combined(b, self._placement(name, full).columns, moments))

    def _constraints(self, rows: Mapping[int, int]) -> dict[int, int]:
        """Return the rows of cut joints."""
        first, zero = self._whole.numbering.n_q, self.builder.const(0.0)
        kept = enumerate(self._relation.multipliers)
        return {self.n_q + j: rows.get(first + k, zero) for j, k in kept}

    def _norms_of_free(self, rows: Mapping[int, int]) -> dict[int, int]:
        found = {}
        for body, first in self._relation.free.values():
            at, kind = self._whole.numbering.body[body.name], self._kind(body.name)
            for k in range(kind.n_u, kind.n_q):
                found[first + k] = rows[at + k]
        return found
