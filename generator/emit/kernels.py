"""What templates receive: finished pieces of text, no mathematics and no types left to decide."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mbdgen.emit.conditions import NOTHING, Asked, asked
from mbdgen.emit.notes import as_comment, as_name, local_notes, result_notes
from mbdgen.emit.parts import Line, Part, split
from mbdgen.emit.printer import Printer
from mbdgen.emit.quadrature import Places, summed, with_places
from mbdgen.emit.schedule import Code, schedule
from mbdgen.emit.titles import contribution
from mbdgen.interface import (
    DISPLACEMENT_ROOM,
    DISPLACEMENTS,
    ELEMENT_KERNELS,
    RESULTS,
    STATE,
    VARIATION_KERNELS,
    WEIGHTS,
)
from mbdgen.symbolic.conditions import unconditional
from mbdgen.symbolic.graph import Graph
from mbdgen.symbolic.index_1 import index_1_entries
from mbdgen.symbolic.system_ir import FlatKernel, SystemIR, TypeTable
from mbdgen.symbolic.variation import (
    change_of,
    parameter_changes,
    varied_kernel,
    vary_derived,
    vary_element,
)
from mbdgen.topology.elements import column_note

RECURSIVE = ("residual", "rates", "energies", "outputs")  # of relative coordinates in loops
_SCATTERED = ("matrix", "mass", "slopes")  # written through the scatter map
MOST_NAMES = 8  # in a docstring
_WORD = re.compile(r"[A-Za-z_]\w*")
ENDLESS = 24  # parts; clang takes 3 s for 14, 60 s for 56 of a thousand temporaries


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


@dataclass(frozen=True)
class SystemKernel:
    """One kernel of the interface.

    Attributes
    ----------
    name, comment : str
        Kernel kind and what it computes.
    size : str
        Length of its result as an expression of the integer table.
    calls : tuple of str
        Element functions that it calls (layout loop).
    loads, body, stores : tuple of Line
        Straight-line code (layout flat).
    operations : int
        Of one call.
    guards : tuple of Line
        Pivot and the magnitude it must exceed.
    parts : tuple of Part
        The same code in functions of a length that compilers can take (layout flat).
    places : int
        Length of the array through which parts pass results on.
    crowds : tuple of int
        Where the tables of many contacts begin whose pairs it needs.
    """

    name: str
    comment: str
    size: str
    calls: tuple[str, ...]
    loads: tuple[Line, ...]
    body: tuple[Line, ...]
    stores: tuple[Line, ...]
    operations: int
    guards: tuple[Line, ...] = ()
    parts: tuple[Part, ...] = ()
    places: int = 0
    crowds: tuple[int, ...] = ()

    @property
    def cut(self) -> bool:
        """Whether there is more than one part."""
        return len(self.parts) > 1

    @property
    def endless(self) -> bool:
        """Whether it is too long in one piece for every compiler."""
        return len(self.parts) > ENDLESS


def element_kernels(system: SystemIR, printer: Printer) -> list[ElementKernel]:
    """Return the element functions of the layout loop, types in order, quantities in order."""
    if system.flat:
        return []
    wanted = _names(system) if system.recursion is None else RECURSIVE
    found = [
        _element_kernel(table, kernel, printer, places)
        for table, places in map(with_places, system.types)
        for kernel in wanted
        if not (table.crowd and kernel in _SCATTERED) and _entries(table, kernel)[1]
    ]
    # An output may be zero whatever happens: there is nothing to add then, and no empty loop.
    return [function for function in found if function.stores]


def system_kernels(
    system: SystemIR, elements: Sequence[ElementKernel], printer: Printer, part_size: int
) -> list[SystemKernel]:
    """Return the kernels of the interface.

    Parameters
    ----------
    part_size : int
        Largest number of straight-line statements in one function.
    """
    sizes = {"residual": "m[0]", "rates": "2*m[0]", "energies": "3"}
    sizes |= {"slopes": "2*m[1]", "jerks": "m[0]", DISPLACEMENTS: f"{DISPLACEMENT_ROOM}*m[2]"}
    sizes |= dict.fromkeys(("matrix", "mass"), "m[1]")
    sizes["outputs"] = str(system.sizes["n_out"])
    sizes |= {name: sizes[varied_kernel(name)] for name in VARIATION_KERNELS}
    flat = {k.name: k for k in system.flat}
    found = []
    if flat:
        notes = result_notes(system)
        return [
            _flat_kernel(k, sizes.get(k.name, "0"), notes.get(k.name, {}), printer, part_size)
            for k in system.flat
        ]
    for kernel in _names(system):
        calls = [e for e in elements if e.name.endswith("_" + kernel)]
        counts = {f"{t.title}_{kernel}": t.times for t in system.types}
        operations = sum(counts[e.name] * e.operations for e in calls)
        names = tuple(e.name for e in calls)
        crowds = system.crowds if any(e.crowded for e in calls) else ()
        found.append(
            SystemKernel(
                *(kernel, RESULTS[kernel], sizes[kernel], names, (), (), (), operations),
                crowds=crowds,
            )
        )
    return found


def derived_code(system: SystemIR, printer: Printer) -> Code:
    """Return the code that evaluates the expressions of the named parameters."""
    return schedule(system.derived.graph, system.derived.roots, printer)


def bounded_code(system: SystemIR, printer: Printer) -> Code:
    """Return the code that evaluates what must lie in an interval."""
    roots = [bound.root for bound in system.derived.bounds]
    return schedule(system.derived.graph, roots, printer)


def derived_variation_code(system: SystemIR, printer: Printer) -> Code:
    """Return the code of their changes for changes of the parameters."""
    graph, roots = vary_derived(system.derived)
    return schedule(graph, roots, printer)


def parameter_change_names(system: SystemIR) -> tuple[str, ...]:
    """Return what the changes of the parameters are called there."""
    return parameter_changes(system.derived.names)


def _names(system: SystemIR) -> list[str]:
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
        scattered=writes in _SCATTERED,
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


def loads_of(table: TypeTable) -> list[Line]:
    """Return where every input of a type comes from, arrays in order."""
    inputs = list(table.ir.inputs())
    lines = [
        Line(x.name, f"{array}[{_at(x.link, x.offset)}]")
        for array in STATE
        for x in inputs
        if x.array == array
    ]
    last = ""
    for i, c in enumerate(table.columns):
        note = column_note(table.ir.role, c)
        lines.append(Line(c, f"p[{_at('j', i)}]", note=note if note != last else ""))
        last = note
    return lines + _loads_of_changes(table) + [Line(w, f"w[{i}]") for i, w in enumerate(WEIGHTS)]


def _loads_of_changes(table: TypeTable) -> list[Line]:
    """Return where changes of inputs come from, see `mbdgen.interface.VARIATION_KERNELS`."""
    behind = dict.fromkeys(STATE, "m[2]") | {"lam": "m[3]"}
    of_state = [
        Line(change_of(x.name), f"{x.array}[{_at(f'{behind[x.array]} + {x.link}', x.offset)}]")
        for x in table.ir.inputs()
    ]
    of_columns = [Line(change_of(c), f"w[{_at('j', i)}]") for i, c in enumerate(table.columns)]
    return of_state + of_columns


def _at(base: str, k: int) -> str:
    return f"{base} + {k}" if k else base


def used_links(table: TypeTable, loads: Sequence[Line], stores: Sequence[Line]) -> list[Line]:
    """Return where the links that inputs and results read come from."""
    text = " ".join([line.text for line in loads] + [line.target for line in stores])
    words = set(text.replace("[", " ").replace("]", " ").split())
    return [
        Line(name, f"m[{_at('c', i)}]")
        for i, name in enumerate(table.ir.link_names())
        if name in words
    ]


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


def store_of(table: TypeTable, kernel: str, index: tuple[int, ...]) -> str:
    """Return where an entry of a quantity is written."""
    if kernel in _SCATTERED:
        place = f"m[{_at('s', index[0])}]"
        return f"out[m[1] + {place}]" if index[1:] == (1,) else f"out[{place}]"
    if kernel == "energies":
        return f"out[{index[0]}]"
    if kernel == "outputs":
        return f"out[{_at('o', index[0])}]"
    if kernel == DISPLACEMENTS:
        return f"out[{_at(f'{DISPLACEMENT_ROOM}*i_{table.ir.labels[0]}', index[0])}]"
    local = index[-1]
    of_bodies = table.ir.coordinate_links()
    place = _at(*of_bodies[local]) if local < len(of_bodies) else _at("row", local - len(of_bodies))
    if kernel == "rates" and index[0] == 1:
        place = f"m[0] + {place}"
    return f"out[{place}]"


def _flat_kernel(
    kernel: FlatKernel, size: str, notes: Mapping[int, str], printer: Printer, part_size: int
) -> SystemKernel:
    roots = [*(n for _, n in kernel.outputs), *(n for n, _ in kernel.guards)]
    names = [as_name(notes.get(at, "")) for at, _ in kernel.outputs]
    code = schedule(kernel.graph, roots, printer, names)
    guarded = code.results[len(kernel.outputs) :]
    loads = tuple(Line(printer.variable(n), f"{a}[{k}]") for n, a, k in kernel.inputs if a != "t")
    body = tuple(
        Line(n, e, section=title)
        for (n, e), title in zip(code.assignments, code.sections, strict=True)
    )
    guards = tuple(
        Line(text, repr(limit)) for text, (_, limit) in zip(guarded, kernel.guards, strict=True)
    )
    stores = tuple(
        Line(f"out[{at}]", text, note=notes.get(at, ""))
        for (at, _), text in zip(kernel.outputs, code.results, strict=False)
        if size == "0" or text != "0.0"  # else it has been zeroed
    )
    parts, places = split(loads, body, guards, stores, part_size)
    return SystemKernel(
        name=kernel.name,
        comment=RESULTS[kernel.name],
        size=size,
        calls=(),
        loads=loads,
        body=body,
        stores=stores,
        operations=code.operations,
        guards=guards,
        parts=parts,
        places=places,
    )
