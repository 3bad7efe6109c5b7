"""The flat layout: every instance inlined, known numbers folded, equal things computed once."""

from collections.abc import Sequence
from typing import Any

from mbdgen.runtime.data import IntArray
from mbdgen.symbolic.graph import GraphBuilder
from mbdgen.symbolic.numbering import Numbering, global_indices
from mbdgen.symbolic.system_ir import FlatKernel, TypeTable


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
    variables = _variables(names)
    return tuple(_kernel(k, tables, scatter, p, parametric, numbering, variables) for k in kernels)


def _variables(names: dict[str, tuple[str, ...]]) -> dict[str, list[str]]:
    """Return the variable that stands for each entry of each state array."""
    q = [c.replace(".", "_") for c in names["coordinates"]]
    return {
        "q": q,
        "v": [f"{c}_dot" for c in q],
        "a": [f"{c}_ddot" for c in q],
        "lam": [f"lam_{c.replace('[', '_').rstrip(']')}" for c in names["multipliers"]],
    }


def _kernel(
    kernel: str,
    tables: Sequence[TypeTable],
    scatter: Sequence[IntArray],
    p: Any,
    parametric: set[int],
    numbering: Numbering,
    variables: dict[str, list[str]],
) -> FlatKernel:
    builder = GraphBuilder()
    sums: dict[int, list[int]] = {}
    sources: dict[str, tuple[str, int]] = {"t": ("t", 0)}
    for w, name in enumerate(("c_q", "c_v", "c_a")):
        sources[name] = ("w", w)
    for table, s in zip(tables, scatter, strict=True):
        entries = table.ir.entries(kernel)
        if not entries:
            continue
        rows = global_indices(table.ir, table.links)
        for e in range(len(table.instances)):
            inputs = _inputs(builder, table, e, p, parametric, sources, variables)
            nodes = builder.inline(
                table.ir.graph, [n for _, n in entries], inputs, table.instances[e]
            )
            for j, ((index, _), node) in enumerate(zip(entries, nodes, strict=True)):
                at = _target(kernel, table, e, index, j, rows, s, numbering.n)
                sums.setdefault(at, []).append(node)
    outputs = tuple((at, builder.total(terms)) for at, terms in sorted(sums.items()))
    graph = builder.finish()
    needed = graph.needed(n for _, n in outputs)
    used = {graph.nodes[k][1] for k in needed if graph.nodes[k][0] == "input"}
    found = ((name, *sources[name]) for name in sources if name in used)
    order = {"t": 0, "w": 1, "q": 2, "v": 3, "a": 4, "lam": 5, "p": 6}
    listed = sorted(found, key=lambda i: (order[i[1]], i[2]))
    return FlatKernel(kernel, graph, tuple(listed), outputs)


def _inputs(
    builder: GraphBuilder,
    table: TypeTable,
    e: int,
    p: Any,
    parametric: set[int],
    sources: dict[str, tuple[str, int]],
    variables: dict[str, list[str]],
) -> dict[str, int]:
    """Return nodes for all inputs of an instance: loads, or constants where numbers are known."""
    nodes = {name: builder.input(name) for name in ("t", "c_q", "c_v", "c_a")}
    link = dict(zip(table.link_names, (int(x) for x in table.links[e]), strict=True))

    def load(local: str, array: str, index: int) -> None:
        name = variables[array][index] if array in variables else f"{array}_{index}"
        sources[name] = (array, index)
        nodes[local] = builder.input(name)

    for local, array, body, k in table.ir.state_names():
        load(local, array, link[f"i_{table.ir.labels[body]}"] + k)
    for k in range(table.ir.n_lam):
        load(f"lam_{k}", "lam", link["k"] + k)
    for label, kept in table.ir.reads:
        for k in range(len(kept)):
            load(f"lam_{label}_{k}", "lam", link[f"k_{label}"] + k)
    first = table.p_offset + e * len(table.columns)
    for k, column in enumerate(table.columns):
        if first + k in parametric:
            load(column, "p", first + k)
        else:
            nodes[column] = builder.const(float(p[first + k]))
    return nodes


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
