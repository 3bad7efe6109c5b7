"""Flat layout: all instances inlined, constants folded, common subexpressions shared."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mbdgen.interface import (
    ANGLES,
    DISPLACEMENT_ROOM,
    DISPLACEMENTS,
    ELEMENT_KERNELS,
    QUADRATURE,
    STATE,
    WEIGHTS,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.symbolic.ir.system_ir import FlatKernel, TypeTable
from mbdgen.symbolic.lower.instance_labels import labels_of, owners
from mbdgen.symbolic.lower.numbering import Numbering, global_indices


@dataclass(frozen=True)
class Instances:
    """All elements with their parameters and indices, as input of straight-line code.

    Attributes
    ----------
    model : str
        Name of the mechanism, for messages.
    tables : tuple of TypeTable
        Types with their instances.
    scatter : tuple of array
        For each type the scatter map of its matrix entries.
    p : array
        Table of real parameters.
    parametric : frozenset of int
        Its variable entries; the others are folded into the code.
    numbering : Numbering
        Indices of bodies and joints.
    names : dict
        Names of coordinates and multipliers.
    nnz : int
        Number of structurally non-zero entries of the matrix.
    """

    model: str
    tables: tuple[TypeTable, ...]
    scatter: tuple[IntArray, ...]
    p: FloatArray
    parametric: frozenset[int]
    numbering: Numbering
    names: dict[str, tuple[str, ...]]
    nnz: int


def flatten(
    instances: Instances, kernels: Sequence[str] = ELEMENT_KERNELS
) -> tuple[FlatKernel, ...]:
    """Return the kernels that sum the contributions of the elements."""
    found = []
    for kernel in kernels:
        whole = WholeMechanism(instances)
        values = whole.values(kernel, whole.state())
        found.append(whole.finish(kernel, sorted(values.items())))
    return tuple(found)


class WholeMechanism:
    """All instances of a mechanism inlined into one graph.

    Parameters
    ----------
    instances : Instances
        Elements that are inlined.
    """

    def __init__(self, instances: Instances) -> None:
        self.builder = GraphBuilder()
        self._instances = instances
        self.numbering, self.p = instances.numbering, instances.p
        self.variables = _variables(instances.names)
        self.sources: dict[str, tuple[str, int]] = {"t": ("t", 0)}
        self._rows = [global_indices(t.ir, t.links, self.numbering.n_q) for t in instances.tables]
        self._owners = [owners(t.ir) for t in instances.tables]

    @property
    def tables(self) -> tuple[TypeTable, ...]:
        """Types with their instances."""
        return self._instances.tables

    def load(self, name: str, array: str, index: int) -> int:
        """Return the node of an entry of an input array."""
        self.sources[name] = (array, index)
        return self.builder.input(name)

    def vector(self, kind: str, array: str | None = None) -> list[int]:
        """Return the nodes of a state vector, read from its own array or from another."""
        names = self.variables[kind]
        return [self.load(name, array or kind, k) for k, name in enumerate(names)]

    def zeros(self, kind: str) -> list[int]:
        """Return zero nodes instead of a state vector."""
        return [self.builder.const(0.0)] * len(self.variables[kind])

    def state(self, **given: Any) -> dict[str, Any]:
        """Return the state that kernels are evaluated at: inputs, unless nodes are given."""
        found: dict[str, Any] = {
            kind: given[kind] if kind in given else self.vector(kind) for kind in STATE
        }
        weights = given.get("w")
        found["w"] = weights or [self.load(n, "w", k) for k, n in enumerate(WEIGHTS)]
        return found

    def values(self, kernel: str, state: dict[str, Any], what: str = "") -> dict[int, int]:
        """Return the results of a kernel at a state, as nodes by output index.

        Parameters
        ----------
        what : str
            Name of one of several quantities of a kernel, for headings.
        """
        sums: dict[int, list[int]] = {}
        tail = f", {what}" if what else ""
        for k, table in enumerate(self._instances.tables):
            entries = table.ir.entries(kernel)
            if not entries:
                continue
            rows, s = self._rows[k], self._instances.scatter[k]
            for e, instance in enumerate(table.instances):
                self.builder.section(f"{table.ir.title} '{instance}'{tail}")
                inputs = self._inputs(table, e, state)
                labels = labels_of(table.ir, self._owners[k], instance, self._bodies(table, e))
                places = self._places(kernel, table, e, rows[e], s[e])
                for place in table.rule or ((),):
                    inputs |= zip(QUADRATURE, map(self.builder.const, place), strict=False)
                    nodes = self.builder.inline(
                        table.ir.graph, [n for _, n in entries], inputs, labels
                    )
                    for at, node in zip(places, nodes, strict=True):
                        sums.setdefault(at, []).append(node)
        self.builder.section(f"sums over all elements{tail}")
        return {at: self.builder.total(terms) for at, terms in sums.items()}

    def finish(
        self,
        name: str,
        outputs: Sequence[tuple[int, int]],
        guards: Sequence[tuple[int, float]] = (),
    ) -> FlatKernel:
        """Return a kernel that writes the given nodes."""
        graph = self.builder.finish()
        needed = graph.needed([*(n for _, n in outputs), *(n for n, _ in guards)])
        used = {graph.nodes[k][1] for k in needed if graph.nodes[k][0] == "input"}
        found = ((n, *self.sources[n]) for n in self.sources if n in used)
        order = ("t", "w", *STATE, "p")
        listed = sorted(found, key=lambda i: (order.index(i[1]), i[2]))
        return FlatKernel(name, graph, tuple(listed), tuple(outputs), tuple(guards))

    def _inputs(self, table: TypeTable, e: int, state: dict[str, Any]) -> dict[str, int]:
        """Return nodes for all inputs of an instance; known values become constants."""
        nodes = dict(zip(WEIGHTS, state["w"], strict=True))
        nodes["t"] = self.builder.input("t")
        numbers = (int(x) for x in table.links[e])
        link = dict(zip(table.ir.link_names(), numbers, strict=True))
        for x in table.ir.inputs():
            nodes[x.name] = state[x.array][link[x.link] + x.offset]
        first = table.p_offset + e * len(table.columns)
        for k, column in enumerate(table.columns):
            if first + k in self._instances.parametric:
                nodes[column] = self._parameter(table, e, column, first + k)
            else:
                nodes[column] = self.builder.const(float(self.p[first + k]))
        return nodes

    def _parameter(self, table: TypeTable, e: int, column: str, index: int) -> int:
        """Return the node of a variable parameter, with a unique name."""
        local = column.removesuffix("_a") if table.ir.role == "body" else column
        name = f"{table.instances[e]}_{local}"
        while self.sources.get(name, ("p", index)) != ("p", index):
            name += "_"
        return self.load(name, "p", index)

    def _bodies(self, table: TypeTable, e: int) -> dict[str, str]:
        """Return the names of the bodies of an instance by their letters."""
        return dict(zip(table.ir.labels, table.bodies[e], strict=True))

    def _places(
        self, kernel: str, table: TypeTable, e: int, rows: IntArray, scatter: IntArray
    ) -> list[int]:
        """Return the output index of each entry of an instance."""
        indices = [index for index, _ in table.ir.entries(kernel)]
        if kernel == "matrix":
            return [int(at) for at in scatter]
        if kernel == "slopes":
            places, nnz = table.ir.matrix_places(), self._instances.nnz
            return [int(scatter[places[i, j]]) + level * nnz for level, i, j in indices]
        if kernel == DISPLACEMENTS:
            return [DISPLACEMENT_ROOM * int(rows[0]) + k for (k,) in indices]
        if kernel == ANGLES:
            first = table.ir.link_names().index("g")
            return [int(table.links[e, first]) + k for (k,) in indices]
        if kernel == "energies":
            return [k for (k,) in indices]
        if kernel == "outputs":
            return [int(table.links[e, -1]) + k for (k,) in indices]
        if kernel == "rates":
            return [int(rows[row]) + self.numbering.n * level for level, row in indices]
        return [int(rows[row]) for (row,) in indices]


def _variables(names: dict[str, tuple[str, ...]]) -> dict[str, list[str]]:
    """Return the variable name of each entry of each state array."""
    q = [c.replace(".", "_") for c in names["coordinates"]]
    return {
        "q": q,
        "v": [f"{c}_dot" for c in q],
        "a": [f"{c}_ddot" for c in q],
        "lam": [f"lam_{c.replace('[', '_').rstrip(']')}" for c in names["multipliers"]],
    }
