"""Element kernels (layout loop): one quantity of one element type, for all instances."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from mbdgen.emit.array_addresses import SCATTERED, loads_of, store_of, used_links
from mbdgen.emit.code_parts import CodeLine
from mbdgen.emit.element_integrals import QuadraturePlaces, summed, with_places
from mbdgen.emit.notes import as_comment, as_name, local_notes
from mbdgen.emit.printer import Printer
from mbdgen.emit.schedule import schedule
from mbdgen.interface import CONDITIONS, ELEMENT_KERNELS, RESULTS, VARIATION_KERNELS
from mbdgen.symbolic.derive.variation import varied_kernel, vary_element
from mbdgen.symbolic.fuse.index1_kernel import index_1_entries
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.graph import Graph
from mbdgen.symbolic.ir.system_ir import SystemIR, TypeTable
from mbdgen.symbolic.statement.active_conditions import unconditional


# Conditions in generated loops: checked before the body is executed.
@dataclass(frozen=True)
class Asked:
    """Conditions of a loop.

    Attributes
    ----------
    lines : tuple of CodeLine
        Temporaries.
    holds : tuple of str
        Relations that must all hold.
    inputs : tuple of str
        Inputs that are read.
    """

    lines: tuple[CodeLine, ...]
    holds: tuple[str, ...]
    inputs: tuple[str, ...]


NOTHING = Asked((), (), ())


def asked(ir: ElementIR, places: QuadraturePlaces | None, printer: Printer) -> tuple[Asked, Asked]:
    """Return the conditions of an element, and those at every quadrature point."""
    own: Collection[str] = () if places is None else places.columns
    graph = ir.graph
    once: list[int] = []
    everywhere: list[int] = []
    for _, node in ir.entries(CONDITIONS):
        inputs = {graph.nodes[k][1] for k in graph.needed([node]) if graph.nodes[k][0] == "input"}
        (once if inputs.isdisjoint(own) else everywhere).append(node)
    return _asked(ir, once, printer), _asked(ir, everywhere, printer)


def _asked(ir: ElementIR, nodes: Sequence[int], printer: Printer) -> Asked:
    nodes = [k for k in nodes if ir.graph.nodes[k][0] != "const"]
    if not nodes:
        return NOTHING
    code = schedule(ir.graph, nodes, printer, ["counts"] * len(nodes), ir.graph.inputs)
    lines = tuple(CodeLine(name, text) for name, text in code.assignments)
    return Asked(lines, code.results, code.inputs)


RECURSIVE = (
    "residual",
    "rates",
    "energies",
    "outputs",
    "angles",
)  # of relative coordinates in loops
MOST_NAMES = 8  # in a docstring
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class ElementKernel:
    """Function that evaluates one quantity of one element type for all instances.

    Attributes
    ----------
    name : str
        Function name.
    comment : str
        Description of its contribution.
    elements : str
        Names of the elements, and their description.
    header : int
        Index of its counts and offsets in the integer table.
    n_columns, n_links, n_scatter : int
        Strides of its tables.
    links, loads, body, stores : tuple of CodeLine
        Connectivity, inputs, temporaries, results.
    sums : tuple of CodeLine
        For an integral: the contributions of a quadrature point to the result variables.
    operations : int
        Per instance and quadrature point.
    scattered : bool
        Whether it writes through the scatter map.
    crowded : bool
        Whether a run writes the links of its instances, with the indices of their parameters.
    places : QuadraturePlaces or None
        For an integral: the body is evaluated at every quadrature point and summed.
    asked, asked_there : Asked
        Conditions for an instance to be active, and for a quadrature point.
    """

    name: str
    comment: str
    elements: str
    header: int
    n_columns: int
    n_links: int
    n_scatter: int
    links: tuple[CodeLine, ...]
    loads: tuple[CodeLine, ...]
    body: tuple[CodeLine, ...]
    stores: tuple[CodeLine, ...]
    sums: tuple[CodeLine, ...]
    operations: int
    scattered: bool
    crowded: bool
    places: QuadraturePlaces | None
    asked: Asked = NOTHING
    asked_there: Asked = NOTHING

    @property
    def read(self) -> tuple[tuple[int, str], ...]:
        """Columns of the table of quadrature points that it reads."""
        assert self.places is not None
        lines = (*self.asked_there.lines, *self.body, *self.sums)
        texts = (*self.asked_there.holds, *(line.text for line in lines))
        words = set(_WORD.findall(" ".join(texts)))
        return tuple((k, name) for k, name in enumerate(self.places.columns) if name in words)

    @property
    def stride(self) -> int:
        """Stride of the links of instances."""
        return self.n_links + self.crowded


def element_kernels(system: SystemIR, printer: Printer) -> list[ElementKernel]:
    """Return the element functions of the layout loop, types in order, quantities in order."""
    if system.flat:
        return []
    wanted = kernel_names(system) if system.recursion is None else RECURSIVE
    found = [
        _element_kernel(table, kernel, printer, places)
        for table, places in map(with_places, system.types)
        for kernel in wanted
        if not (table.crowd and kernel in SCATTERED) and _entries(table, kernel)[1]
    ]
    # An output may be identically zero: then no loop is generated.
    return [function for function in found if function.stores]


def kernel_names(system: SystemIR) -> list[str]:
    """Return the kernels of the layout loop, optional ones last."""
    varied = VARIATION_KERNELS if system.sensitivities else ()
    return [*ELEMENT_KERNELS, "mass", *system.optional, *varied]


def _element_kernel(
    table: TypeTable, kernel: str, printer: Printer, places: QuadraturePlaces | None
) -> ElementKernel:
    graph, entries = _entries(table, kernel)
    notes = _local_notes(table, kernel)
    names = [as_name(notes.get(index, "")) for index, _ in entries]
    once, there = asked(table.ir, places, printer)
    code = schedule(graph, [n for _, n in entries], printer, names)
    needed = {*code.inputs, *once.inputs, *there.inputs}
    loads = [
        replace(line, target=printer.variable(line.target))
        for line in loads_of(table)
        if line.target in needed
    ]
    writes = varied_kernel(kernel) or kernel
    stores = [
        CodeLine(store_of(table, writes, index), text, add=True, note=notes.get(index, ""))
        for (index, _), text in zip(entries, code.results, strict=True)
        if text != "0.0"
    ]
    sums: tuple[CodeLine, ...] = ()
    if places is not None:
        sums, stores = summed(stores)
    scatter = table.ir.entries("matrix")
    return ElementKernel(
        name=f"{table.title}_{kernel}",
        comment=contribution(table.ir.role, kernel),
        elements=element_names(table),
        header=table.header,
        n_columns=len(table.columns),
        n_links=len(table.ir.link_names()),
        n_scatter=len(scatter),
        links=tuple(used_links(table, loads, stores)),
        loads=tuple(loads),
        body=tuple(CodeLine(n, e) for n, e in code.assignments),
        stores=tuple(stores),
        sums=sums,
        operations=code.operations,
        scattered=writes in SCATTERED,
        crowded=table.crowd is not None,
        places=places,
        asked=once,
        asked_there=there,
    )


def element_names(table: TypeTable) -> str:
    """Return the description of a type, and the names of its elements."""
    names = table.instances
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    listed = ", ".join(names[:MOST_NAMES]) + more
    return f"{as_comment(table.statement)} Here: {table.ir.title} {listed}."


def _entries(table: TypeTable, kernel: str) -> tuple[Graph, list[tuple[tuple[int, ...], int]]]:
    """Return a graph and the nodes of a quantity; matrices are indexed by the scatter map."""
    ir = unconditional(table.ir)
    if varied := varied_kernel(kernel):
        return vary_element(ir, varied, table.columns)
    if kernel == "mass":
        graph, kept = index_1_entries(ir)
        return graph, [((j,), node) for j, node in kept]
    entries = ir.entries(kernel)
    if kernel == "matrix":
        return ir.graph, [((j,), node) for j, (_, node) in enumerate(entries)]
    if kernel == "slopes":
        places = ir.matrix_places()
        return ir.graph, [((places[i, j], level), node) for (level, i, j), node in entries]
    return ir.graph, list(entries)


def _local_notes(table: TypeTable, kernel: str) -> dict[tuple[int, ...], str]:
    varied = varied_kernel(kernel) or kernel
    notes = local_notes(table, "matrix" if varied == "mass" else varied)
    return notes if varied == kernel else {k: f"change of {note}" for k, note in notes.items()}


# Description of each kernel with equations: docstrings of generated functions.
_CONTRIBUTIONS = {
    "body": {
        "residual": "M a - f, and phi of conditions of its own",
        "matrix": "c_q d(M a - f)/dq + c_v d(M a - f)/dv + c_a M, and H of conditions of its own",
        "mass": "M, and H of conditions of its own",
        "energies": "kinetic energy and potential energy of gravity",
    },
    "joint": {
        "residual": "-G^T lam to the rows of its bodies, phi to its own",
        "matrix": "-c_q d(G^T lam)/dq, -G^T and H",
        "mass": "-G^T and H",
        "energies": "power -lam . phi_t of a driver",
    },
    "force": {
        "residual": "-f to the rows of its bodies",
        "matrix": "-c_q df/dq - c_v df/dv",
        "mass": "-df/da",
        "energies": "potential energy and power",
    },
    "output": {},
}


def contribution(role: str, kernel: str) -> str:
    """Return the description of the contribution of an element of that role to a kernel."""
    return _CONTRIBUTIONS[role].get(kernel, RESULTS[kernel])
