"""The flat layout: every instance inlined, known numbers folded, equal things computed once."""

from collections.abc import Sequence
from typing import Any

from mbdgen.runtime.data import IntArray
from mbdgen.symbolic.graph import GraphBuilder
from mbdgen.symbolic.labels import labels_of, owners
from mbdgen.symbolic.numbering import Numbering, global_indices
from mbdgen.symbolic.system_ir import FlatKernel, TypeTable

WEIGHTS = ("c_q", "c_v", "c_a")


def flatten(
    tables: Sequence[TypeTable],
    scatter: Sequence[IntArray],
    p: Any,
    parametric: set[int],
    numbering: Numbering,
    names: dict[str, tuple[str, ...]],
) -> tuple[FlatKernel, ...]:
    """Return the five kernels of the whole mechanism.

    Parameters
    ----------
    names : dict
        Names of coordinates and multipliers.
    p : array
        Table of real parameters.
    parametric : set of int
        Its entries that stay changeable; the others are folded into the code.
    """
    kernels = ("residual", "matrix", "rates", "energies", "outputs")
    found = []
    for kernel in kernels:
        whole = Whole(tables, scatter, p, parametric, numbering, names)
        values = whole.values(kernel, whole.state())
        found.append(whole.finish(kernel, sorted(values.items())))
    return tuple(found)


class Whole:
    """All instances of a mechanism inlined into one graph.

    Parameters
    ----------
    tables, scatter, p, parametric, numbering, names
        As for `flatten`.
    """

    def __init__(
        self,
        tables: Sequence[TypeTable],
        scatter: Sequence[IntArray],
        p: Any,
        parametric: set[int],
        numbering: Numbering,
        names: dict[str, tuple[str, ...]],
    ) -> None:
        self.builder = GraphBuilder()
        self.numbering = numbering
        self._tables, self._scatter, self.p = tables, scatter, p
        self._parametric = parametric
        self.variables = _variables(names)
        self.sources: dict[str, tuple[str, int]] = {"t": ("t", 0)}
        self._rows = [global_indices(t.ir, t.links) for t in tables]
        self._owners = [owners(t.ir) for t in tables]
        self._body_at = {place: name for name, place in numbering.body.items()}

    def load(self, name: str, array: str, index: int) -> int:
        """Return the node of an entry of an input array."""
        self.sources[name] = (array, index)
        return self.builder.input(name)

    def vector(self, kind: str, array: str | None = None) -> list[int]:
        """Return the nodes of a state vector, read from its own array or from another."""
        names = self.variables[kind]
        return [self.load(name, array or kind, k) for k, name in enumerate(names)]

    def zeros(self, kind: str) -> list[int]:
        """Return zeros in the place of a state vector."""
        return [self.builder.const(0.0)] * len(self.variables[kind])

    def state(self, **given: Any) -> dict[str, Any]:
        """Return the state that kernels are evaluated at: inputs, unless nodes are given."""
        found: dict[str, Any] = {
            kind: given[kind] if kind in given else self.vector(kind)
            for kind in ("q", "v", "a", "lam")
        }
        weights = given.get("w")
        found["w"] = weights or [self.load(n, "w", k) for k, n in enumerate(WEIGHTS)]
        return found

    def values(self, kernel: str, state: dict[str, Any], what: str = "") -> dict[int, int]:
        """Return what a kernel writes at a state, as nodes by place in its output.

        Parameters
        ----------
        what : str
            Which of several quantities of one kernel this is, for headings.
        """
        sums: dict[int, list[int]] = {}
        tail = f", {what}" if what else ""
        for place, table in enumerate(self._tables):
            entries = table.ir.entries(kernel)
            if not entries:
                continue
            rows, s = self._rows[place], self._scatter[place]
            for e, instance in enumerate(table.instances):
                self.builder.section(f"{table.ir.title} '{instance}'{tail}")
                inputs = self._inputs(table, e, state)
                labels = labels_of(table.ir, self._owners[place], instance, self._bodies(table, e))
                nodes = self.builder.inline(table.ir.graph, [n for _, n in entries], inputs, labels)
                for j, ((index, _), node) in enumerate(zip(entries, nodes, strict=True)):
                    at = _target(kernel, table, e, index, j, rows, s, self.numbering.n)
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
        order = {"t": 0, "w": 1, "q": 2, "v": 3, "a": 4, "lam": 5, "p": 6}
        listed = sorted(found, key=lambda i: (order[i[1]], i[2]))
        return FlatKernel(name, graph, tuple(listed), tuple(outputs), tuple(guards))

    def _inputs(self, table: TypeTable, e: int, state: dict[str, Any]) -> dict[str, int]:
        """Return nodes for all inputs of an instance; numbers that are known become constants."""
        nodes = dict(zip(WEIGHTS, state["w"], strict=True))
        nodes["t"] = self.builder.input("t")
        link = dict(zip(table.link_names, (int(x) for x in table.links[e]), strict=True))
        for local, array, body, k in table.ir.state_names():
            nodes[local] = state[array][link[f"i_{table.ir.labels[body]}"] + k]
        for k in range(table.ir.n_lam):
            nodes[f"lam_{k}"] = state["lam"][link["k"] + k]
        for label, kept in table.ir.reads:
            for k in range(len(kept)):
                nodes[f"lam_{label}_{k}"] = state["lam"][link[f"k_{label}"] + k]
        first = table.p_offset + e * len(table.columns)
        for k, column in enumerate(table.columns):
            if first + k in self._parametric:
                nodes[column] = self._parameter(table, e, column, first + k)
            else:
                nodes[column] = self.builder.const(float(self.p[first + k]))
        return nodes

    def _parameter(self, table: TypeTable, e: int, column: str, index: int) -> int:
        """Return the node of a changeable parameter, under a name that nothing else has."""
        local = column.removesuffix("_a") if table.ir.role == "body" else column
        name = f"{table.instances[e]}_{local}"
        while self.sources.get(name, ("p", index)) != ("p", index):
            name += "_"
        return self.load(name, "p", index)

    def _bodies(self, table: TypeTable, e: int) -> dict[str, str]:
        """Return the names of the bodies of an instance by their letters."""
        link = table.links[e]
        return {label: self._body_at[int(link[b])] for b, label in enumerate(table.ir.labels)}


def _variables(names: dict[str, tuple[str, ...]]) -> dict[str, list[str]]:
    """Return the variable that stands for each entry of each state array."""
    q = [c.replace(".", "_") for c in names["coordinates"]]
    return {
        "q": q,
        "v": [f"{c}_dot" for c in q],
        "a": [f"{c}_ddot" for c in q],
        "lam": [f"lam_{c.replace('[', '_').rstrip(']')}" for c in names["multipliers"]],
    }


def _target(
    kernel: str,
    table: TypeTable,
    e: int,
    index: tuple[int, ...],
    j: int,
    rows: IntArray,
    scatter: IntArray,
    n: int,
) -> int:
    """Return the place in the kernel's output."""
    if kernel == "matrix":
        return int(scatter[e, j])
    if kernel == "energies":
        return index[0]
    if kernel == "outputs":
        return int(table.links[e, -1]) + index[0]
    row = int(rows[e, index[-1]])
    return row + n * index[0] if kernel == "rates" else row
