r"""The equations of a mechanism in the coordinates that no constraint row gives explicitly.

With the pairs of `mbdgen.symbolic.explicit`, in their order,

.. math::
    q_e = -\frac{\phi_k|_{q_e=0}}{c}, \quad v_e = -\frac{\dot\phi_k|_{v_e=0}}{c}, \quad
    a_e = -\frac{\ddot\phi_k|_{a_e=0}}{c}, \quad
    \lambda_k = -\frac{r_e|_{\lambda_k=0}}{\partial r_e/\partial\lambda_k}

(multipliers in reverse order: from the tips of the mechanism to the ground). The remaining rows
are functions of the remaining coordinates; for a tree this is the recursive Newton-Euler algorithm.
Their derivatives are those of the resulting graph, exact.
"""

from collections.abc import Sequence
from typing import Any

from mbdgen.symbolic.explicit import Explicit, explicit_coordinates
from mbdgen.symbolic.flatten import Whole
from mbdgen.symbolic.gradient import gradients
from mbdgen.symbolic.straight import Entries, Nodes, StraightSystem
from mbdgen.symbolic.system_ir import FlatKernel

LEVELS = {"q": "residual", "v": "phi_dot", "a": "phi_ddot"}


class Reduction:
    """What is eliminated, and the equations that it follows from.

    Parameters
    ----------
    arguments : tuple
        Arguments of `Whole`.
    constraint_rows : sequence of int
        Rows that hold constraints.

    Attributes
    ----------
    explicit : tuple of Explicit
        Eliminated pairs.
    coordinates, multipliers : tuple of int
        Those that remain.
    """

    def __init__(self, arguments: tuple[Any, ...], constraint_rows: Sequence[int]) -> None:
        whole = Whole(*arguments)
        numbering, self._arguments = whole.numbering, arguments
        self.n_q, self.n_lam = numbering.n_q, numbering.n_lam
        n = numbering.n
        state = whole.state()
        rates = whole.values("rates", state)
        zero = whole.builder.const(0.0)
        self.rows = {
            "residual": whole.values("residual", state),
            "phi_dot": {r: rates.get(r, zero) for r in constraint_rows},
            "phi_ddot": {r: rates.get(n + r, zero) for r in constraint_rows},
        }
        self.names = whole.variables
        self.explicit = self._explicit(whole, state, frozenset(constraint_rows))
        self.graph, self.sources = whole.builder.finish(), dict(whole.sources)
        gone = {e.coordinate for e in self.explicit}
        self.coordinates = tuple(k for k in range(self.n_q) if k not in gone)
        solved = {e.row - self.n_q for e in self.explicit}
        self.multipliers = tuple(k for k in range(self.n_lam) if k not in solved)
        kept = [*self.coordinates, *(self.n_q + k for k in self.multipliers)]
        self.kept_rows = {row: k for k, row in enumerate(kept)}
        self.constraint_rows = tuple(
            self.kept_rows[r] for r in sorted(constraint_rows) if r in self.kept_rows
        )

    def system(self) -> "ReducedSystem":
        """Return a new graph with the reduced equations."""
        return ReducedSystem(self, Whole(*self._arguments))

    def _explicit(
        self, whole: Whole, state: dict[str, Any], constraints: frozenset[int]
    ) -> tuple[Explicit, ...]:
        one = whole.builder.const(1.0)
        residual = self.rows["residual"]

        def derivatives(rows: list[int], nodes: list[int], first: int) -> dict[int, Any]:
            seeds = {node: {first + k: one} for k, node in enumerate(nodes)}
            found = gradients(whole.builder, [residual[r] for r in rows], seeds)
            return dict(zip(rows, found, strict=True))

        rows = sorted(residual)
        jacobian = derivatives([r for r in rows if r in constraints], state["q"], 0)
        dynamics = [r for r in rows if r not in constraints]
        reactions = derivatives(dynamics, state["lam"], self.n_q)
        return explicit_coordinates(whole.builder.finish(), self.n_q, jacobian, reactions)


class ReducedSystem(StraightSystem):
    """The reduced equations in one graph; see `StraightSystem`."""

    def __init__(self, reduction: Reduction, whole: Whole) -> None:
        super().__init__(whole)
        self._reduction = reduction
        self.n_q, self.n_lam = len(reduction.coordinates), len(reduction.multipliers)
        self.multipliers = reduction.multipliers

    def vector(self, kind: str, array: str | None = None) -> Nodes:
        """Return the nodes of a reduced state vector."""
        r = self._reduction
        kept = r.multipliers if kind == "lam" else r.coordinates
        names = r.names[kind]
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
        full: dict[str, Any] = self.full(state)
        full["w"] = state["w"]
        return self._whole.values("energies", full).get(2, self.builder.const(0.0))

    def matrix(self, state: dict[str, Any]) -> Entries:
        """Return the derivatives of the remaining rows, constraints with weight 1."""
        r, b = self._reduction, self.builder
        inputs = {**state, "a": self.vector("a"), "lam": self.vector("lam")}
        rows = self._remaining("residual", self.full(inputs))
        constraints = frozenset(r.constraint_rows)
        one = b.const(1.0)
        dynamics = {node: {self.n_q + k: one} for k, node in enumerate(inputs["lam"])}
        for kind, weight in zip("qva", state["w"], strict=True):
            if not b.is_zero(weight):
                dynamics.update({node: {k: weight} for k, node in enumerate(inputs[kind])})
        placed = {node: {k: one} for k, node in enumerate(inputs["q"])}
        entries: Entries = {}
        for chosen, seeds in (
            ([x for x in rows if x not in constraints], dynamics),
            ([x for x in rows if x in constraints], placed),
        ):
            nodes = [rows[x] for x in chosen]
            for row, gradient in zip(chosen, gradients(b, nodes, seeds), strict=True):
                entries.update({(row, column): node for column, node in gradient.items()})
        return self._where(entries, inputs, state)

    def _where(self, entries: Entries, inputs: dict[str, Any], state: dict[str, Any]) -> Entries:
        """Return the entries with the inputs replaced by the nodes of a state."""
        graph = self.builder.finish()
        names = {
            graph.nodes[k][1]: k
            for k in graph.needed(entries.values())
            if graph.nodes[k][0] == "input"
        }
        for kind in ("a", "lam"):
            for given, node in zip(inputs[kind], state[kind], strict=True):
                names[graph.nodes[given][1]] = node
        nodes = self.builder.inline(graph, list(entries.values()), names, "")
        return {
            place: node
            for place, node in zip(entries, nodes, strict=True)
            if not self.builder.is_zero(node)
        }

    def expand(self) -> FlatKernel:
        """Return the kernel that writes all coordinates, velocities, accelerations, multipliers."""
        full = self.full(self.state(w=[self.builder.const(0.0)] * 3))
        nodes = [node for kind in ("q", "v", "a", "lam") for node in full[kind]]
        return self.finish("expand", list(enumerate(nodes)))

    def full(self, state: dict[str, Any]) -> dict[str, Nodes]:
        """Return all coordinates, velocities, accelerations and multipliers."""
        r, zero = self._reduction, self.builder.const(0.0)
        full = {kind: [zero] * len(r.names[kind]) for kind in ("q", "v", "a", "lam")}
        for kind, values in full.items():
            kept = r.multipliers if kind == "lam" else r.coordinates
            for k, node in zip(kept, state[kind], strict=True):
                values[k] = node
        for kind, level in LEVELS.items():
            for e in r.explicit:
                full[kind][e.coordinate] = self._solved(level, e.row, e.slope, full)
        for e in reversed(r.explicit):
            k = e.row - r.n_q
            full["lam"][k] = self._solved("residual", e.coordinate, e.reaction, full)
        return full

    def _solved(self, level: str, row: int, slope: float, full: dict[str, Nodes]) -> int:
        (rest,) = self._inlined([self._reduction.rows[level][row]], full)
        return self.builder.div(self.builder.neg(rest), self.builder.const(slope))

    def _remaining(self, level: str, full: dict[str, Nodes]) -> dict[int, int]:
        r = self._reduction
        chosen = [row for row in r.rows[level] if row in r.kept_rows]
        nodes = self._inlined([r.rows[level][row] for row in chosen], full)
        return {r.kept_rows[row]: node for row, node in zip(chosen, nodes, strict=True)}

    def _inlined(self, nodes: Sequence[int], full: dict[str, Nodes]) -> Nodes:
        """Copy nodes of the whole mechanism with the full state put in."""
        r = self._reduction
        inputs = {
            name: node
            for kind, values in full.items()
            for name, node in zip(r.names[kind], values, strict=True)
        }
        for name, (array, k) in r.sources.items():
            if array in ("t", "p", "w"):
                inputs[name] = self.load(name, array, k)
        return self.builder.inline(r.graph, nodes, inputs, "")
