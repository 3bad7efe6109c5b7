"""Functions of the layout loop: one quantity of one element type, for all its instances."""

import re
from dataclasses import dataclass, replace

from mbdgen.emit.addresses import SCATTERED, loads_of, store_of, used_links
from mbdgen.emit.conditions import NOTHING, Asked, asked
from mbdgen.emit.notes import as_comment, as_name, local_notes
from mbdgen.emit.parts import Line
from mbdgen.emit.printer import Printer
from mbdgen.emit.quadrature import Places, summed, with_places
from mbdgen.emit.schedule import schedule
from mbdgen.emit.titles import contribution
from mbdgen.interface import ELEMENT_KERNELS, VARIATION_KERNELS
from mbdgen.symbolic.conditions import unconditional
from mbdgen.symbolic.graph import Graph
from mbdgen.symbolic.index_1 import index_1_entries
from mbdgen.symbolic.system_ir import SystemIR, TypeTable
from mbdgen.symbolic.variation import varied_kernel, vary_element

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
    """A function that does one quantity of one element type for all instances.

    Attributes
    ----------
    name : str
        Function name.
    comment : str
        What it adds.
    elements : str
        For which elements, and what they state.
    header : int
        Where its counts and offsets stand in the integer table.
    n_columns, n_links, n_scatter : int
        Strides of its tables.
    links, loads, body, stores : tuple of Line
        Connectivity, inputs, temporaries, results.
    sums : tuple of Line
        Of an integral: what every place adds to the variables that the results are.
    operations : int
        Per instance, and place.
    scattered : bool
        Whether it writes through the scatter map.
    crowded : bool
        Whether a run writes the links of its instances, with the places of their parameters.
    places : Places or None
        Of an integral: the body is done at every place, and what it contributes is summed.
    asked, asked_there : Asked
        What must hold for an instance to count, and at every place for that place.
    """

    name: str
    comment: str
    elements: str
    header: int
    n_columns: int
    n_links: int
    n_scatter: int
    links: tuple[Line, ...]
    loads: tuple[Line, ...]
    body: tuple[Line, ...]
    stores: tuple[Line, ...]
    sums: tuple[Line, ...]
    operations: int
    scattered: bool
    crowded: bool
    places: Places | None
    asked: Asked = NOTHING
    asked_there: Asked = NOTHING

    @property
    def read(self) -> tuple[tuple[int, str], ...]:
        """Which columns of the places it reads."""
        assert self.places is not None
        lines = (*self.asked_there.lines, *self.body, *self.sums)
        texts = (*self.asked_there.holds, *(line.text for line in lines))
        words = set(_WORD.findall(" ".join(texts)))
        return tuple((k, name) for k, name in enumerate(self.places.columns) if name in words)

    @property
    def stride(self) -> int:
        """How far the links of two instances are apart."""
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
    # An output may be zero whatever happens: there is nothing to add then, and no empty loop.
    return [function for function in found if function.stores]


def kernel_names(system: SystemIR) -> list[str]:
    """Return the kernels of the layout loop, those that are there if they were asked for last."""
    varied = VARIATION_KERNELS if system.sensitivities else ()
    return [*ELEMENT_KERNELS, "mass", *system.optional, *varied]


def _element_kernel(
    table: TypeTable, kernel: str, printer: Printer, places: Places | None
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
        Line(store_of(table, writes, index), text, add=True, note=notes.get(index, ""))
        for (index, _), text in zip(entries, code.results, strict=True)
        if text != "0.0"
    ]
    sums: tuple[Line, ...] = ()
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
        body=tuple(Line(n, e) for n, e in code.assignments),
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
    """Return what elements of a type state, and which there are."""
    names = table.instances
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    listed = ", ".join(names[:MOST_NAMES]) + more
    return f"{as_comment(table.statement)} Here: {table.ir.title} {listed}."


def _entries(table: TypeTable, kernel: str) -> tuple[Graph, list[tuple[tuple[int, ...], int]]]:
    """Return a graph and the nodes of a quantity; places in the scatter map index a matrix."""
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
