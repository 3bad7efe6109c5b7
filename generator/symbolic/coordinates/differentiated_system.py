"""Equations whose iteration matrix is derived by differentiating the graph of their rows."""

from abc import abstractmethod
from typing import Any

from mbdgen.interface import LEVELS
from mbdgen.symbolic.fuse.straight_system import Entries, StraightSystem
from mbdgen.symbolic.ir.graph_gradient import gradients


class DifferentiatedSystem(StraightSystem):
    """Mechanism in coordinates other than those of its elements; see `StraightSystem`."""

    @property
    @abstractmethod
    def constraint_rows(self) -> frozenset[int]:
        """Constraint rows, including norms."""

    def matrix(self, state: dict[str, Any]) -> Entries:
        """Return the derivatives of the rows; those of constraints have the weight 1."""
        b = self.builder
        inputs = {**state, "a": self.vector("a"), "lam": self.vector("lam")}
        rows = self.residual(inputs)
        one = b.const(1.0)
        dynamics = {node: {self.n_q + k: one} for k, node in enumerate(inputs["lam"])}
        for kind, weight in zip(LEVELS, state["w"], strict=True):
            if not b.is_zero(weight):
                dynamics.update({node: {k: weight} for k, node in enumerate(inputs[kind])})
        placed = {node: {k: one} for k, node in enumerate(inputs["q"])}
        constraints = self.constraint_rows
        entries: Entries = {}
        for chosen, seeds in (
            ([x for x in rows if x not in constraints], dynamics),
            ([x for x in rows if x in constraints], placed),
        ):
            nodes = [rows[x] for x in chosen]
            for row, gradient in zip(chosen, gradients(b, nodes, seeds), strict=True):
                entries.update({(row, column): node for column, node in gradient.items()})
        return self._at(entries, inputs, state)

    def _at(self, entries: Entries, inputs: dict[str, Any], state: dict[str, Any]) -> Entries:
        """Return the entries with accelerations and multipliers replaced by those of a state."""
        graph = self.builder.finish()
        needed = ((k, graph.nodes[k]) for k in graph.needed(entries.values()))
        names = {node[1]: k for k, node in needed if node[0] == "input"}
        for kind in ("a", "lam"):
            for given, node in zip(inputs[kind], state[kind], strict=True):
                names[graph.nodes[given][1]] = node
        nodes = self.builder.inline(graph, list(entries.values()), names)
        pairs = zip(entries, nodes, strict=True)
        return {place: node for place, node in pairs if not self.builder.is_zero(node)}
