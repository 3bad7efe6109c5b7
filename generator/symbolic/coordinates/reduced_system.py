"""Equations of a reduced mechanism, in the remaining coordinates and multipliers.

The remaining rows are functions of the remaining state; for a tree this is the recursive
Newton-Euler algorithm. Their exact derivatives are those of the resulting graph.
"""

from collections.abc import Sequence
from typing import Any

from mbdgen.interface import LEVELS
from mbdgen.symbolic.coordinates.differentiated_system import DifferentiatedSystem
from mbdgen.symbolic.coordinates.orientation_elimination import angle_of
from mbdgen.symbolic.coordinates.reduction import Reduction
from mbdgen.symbolic.fuse.straight_system import Nodes
from mbdgen.symbolic.ir.graph_gradient import gradients
from mbdgen.symbolic.ir.system_ir import FlatKernel
from mbdgen.symbolic.lower.flatten import WholeMechanism

Full = dict[str, dict[int, int]]  # q, v, a, lam -> index -> node


class ReducedSystem(DifferentiatedSystem):
    """The reduced equations in one new graph; see `DifferentiatedSystem`."""

    def __init__(self, reduction: Reduction) -> None:
        super().__init__(WholeMechanism(reduction.instances))
        self._reduction = reduction
        self.n_q, self.n_lam = len(reduction.coordinates), len(reduction.multipliers)
        self.multipliers = reduction.multipliers

    def vector(self, kind: str, array: str | None = None) -> Nodes:
        """Return the nodes of a reduced state vector."""
        names = self._reduction.names[kind]
        kept = self._kept(kind)
        return [self.load(names[k], array or kind, at) for at, k in enumerate(kept)]

    def residual(self, state: dict[str, Any]) -> dict[int, int]:
        """Return the remaining rows."""
        return self._remaining("residual", self.full(state))

    def rates(self, state: dict[str, Any]) -> dict[int, int]:
        """Return phi_dot of the remaining rows, then phi_ddot."""
        full = self.full(state)
        second = self._remaining("phi_ddot", full)
        return {**self._remaining("phi_dot", full), **{self.n + r: x for r, x in second.items()}}

    def power(self, state: dict[str, Any]) -> int:
        """Return the power of loads and drivers."""
        values = self._whole.values("energies", {**self._listed(self.full(state)), "w": state["w"]})
        return values.get(2, self.builder.const(0.0))

    @property
    def constraint_rows(self) -> frozenset[int]:
        """Constraints that remain."""
        return frozenset(self._reduction.constraint_rows)

    def expand(self) -> FlatKernel:
        """Return the kernel of all coordinates, velocities, accelerations and multipliers."""
        full = self._listed(self.full(self.state(w=[self.builder.const(0.0)] * 3)))
        nodes = [node for kind in (*LEVELS, "lam") for node in full[kind]]
        return self.finish("expand", list(enumerate(nodes)))

    def gather(self) -> FlatKernel:
        """Return the kernel that writes the reduced state of a full one."""
        b, r = self.builder, self._reduction
        full = {kind: self._whole.vector(kind) for kind in (*LEVELS, "lam")}
        found: Full = {kind: dict(enumerate(nodes)) for kind, nodes in full.items()}
        seeds = {
            node: {0: rate}
            for x, y in ("qv", "va")
            for node, rate in zip(full[x], full[y], strict=True)
        }
        for place, t in r.angles.items():
            parent, child = ([full["q"][k] for k in part] for part in (t.parent, t.quaternion))
            node = angle_of(b, t.turn, parent, child)
            for kind in LEVELS:
                found[kind][place] = node
                node = gradients(b, [node], seeds)[0].get(0, b.const(0.0))
        nodes = [found[kind][k] for kind in (*LEVELS, "lam") for k in self._kept(kind)]
        return self.finish("gather", list(enumerate(nodes)))

    def full(self, state: dict[str, Any]) -> Full:
        """Return all coordinates, velocities, accelerations and multipliers."""
        r, b = self._reduction, self.builder
        zero = b.const(0.0)
        full: Full = {kind: dict.fromkeys(r.names[kind], zero) for kind in (*LEVELS, "lam")}
        for kind in full:
            full[kind].update(zip(self._kept(kind), state[kind], strict=True))
        for kind, formulas in r.given.items():
            for place, node in formulas.items():
                (full[kind][place],) = self._inlined([node], full)
        for balance in r.balances:
            rest = self._inlined(balance.nodes, full)
            for k, row in zip(balance.multipliers, balance.inverse, strict=True):
                terms = [b.mul(b.const(float(x)), y) for x, y in zip(row, rest, strict=True)]
                full["lam"][k] = b.neg(b.total(terms))
        return full

    def _kept(self, kind: str) -> Sequence[int]:
        r = self._reduction
        return r.multipliers if kind == "lam" else r.coordinates

    def _listed(self, full: Full) -> dict[str, Any]:
        """Return the state of the mechanism without the new angles."""
        size = {"lam": self._whole.numbering.n_lam}
        n_q = self._whole.numbering.n_q
        return {
            kind: [nodes[k] for k in range(size.get(kind, n_q))] for kind, nodes in full.items()
        }

    def _remaining(self, level: str, full: Full) -> dict[int, int]:
        rows = self._reduction.rows[level]
        nodes = self._inlined(list(rows.values()), full)
        return {self._reduction.places[row]: node for row, node in zip(rows, nodes, strict=True)}

    def _inlined(self, nodes: Sequence[int], full: Full) -> Nodes:
        """Copy nodes of the whole mechanism with the full state substituted."""
        r = self._reduction
        inputs = {
            r.names[kind][place]: node
            for kind, values in full.items()
            for place, node in values.items()
        }
        for name, (array, k) in r.sources.items():
            inputs[name] = self.load(name, array, k)
        return self.builder.inline(r.graph, nodes, inputs)
