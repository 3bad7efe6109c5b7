"""Vectorised functions of generated modules: motion of bodies, and quantities along bodies."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mbdgen.emit.array_addresses import loads_of
from mbdgen.emit.code_parts import CodeLine
from mbdgen.emit.notes import as_name
from mbdgen.emit.python_printer import NumpyPrinter
from mbdgen.emit.schedule import schedule
from mbdgen.interface import ALONG, LEVELS, MOTION, MOTION_PARTS
from mbdgen.runtime.system.system_data import IntArray
from mbdgen.symbolic.ir.system_ir import SystemIR, TypeTable
from mbdgen.symbolic.lower.numbering import global_indices


@dataclass(frozen=True)
class ArrayFunction:
    """Vectorised function of the coordinates of the elements of one type.

    Attributes
    ----------
    name : str
        Name of the function; types with equal code share it.
    loads, body, stores : tuple of CodeLine
        Inputs, temporaries, results.
    numbers : tuple of int
        Columns of its type that it reads, in the order of ``p``.
    """

    name: str
    loads: tuple[CodeLine, ...]
    body: tuple[CodeLine, ...]
    stores: tuple[CodeLine, ...]
    numbers: tuple[int, ...]

    @property
    def text(self) -> tuple[tuple[CodeLine, ...], ...]:
        """Its code without the name."""
        return self.loads, self.body, self.stores


@dataclass(frozen=True)
class ArrayType:
    """Elements of one type and their function.

    Attributes
    ----------
    table : TypeTable
        The type.
    function : ArrayFunction
        Function of the type.
    places : array of int, shape (elements, 1 + coordinates + numbers)
        For each the index of its (first) body, of its coordinates and of its parameters.
    """

    table: TypeTable
    function: ArrayFunction
    places: IntArray

    @property
    def row(self) -> str:
        """Its entry in the table of the module: function, elements, coordinates, parameters."""
        n_p = len(self.function.numbers)
        n_q = self.places.shape[1] - 1 - n_p
        return f"({self.function.name}, {len(self.places)}, {n_q}, {n_p})"

    @property
    def rule(self) -> int:
        """Number of quadrature points, if it is an integral."""
        return len(self.table.rule)

    @property
    def quantities(self) -> tuple[str, ...]:
        """Names of its quantities at each quadrature point."""
        return tuple(f"{name} [{unit}]" for name, unit in self.table.ir.told)


def moving_types(system: SystemIR) -> list[ArrayType]:
    """Return the types of bodies of a system with their functions."""
    return _types(system, system.bodies, MOTION)


def telling_types(system: SystemIR) -> list[ArrayType]:
    """Return the types of elements with quantities at every point along a flexible body."""
    return _types(system, system.telling, ALONG)


def _types(system: SystemIR, tables: Sequence[TypeTable], quantity: str) -> list[ArrayType]:
    number = {name: k for k, name in enumerate(system.names["moving"])}
    shared: dict[object, ArrayFunction] = {}
    found = []
    for table in tables:
        own = _function(table, quantity)
        function = replace(shared.setdefault(own.text, own), numbers=own.numbers)
        coordinates = global_indices(table.ir, table.links, 0)[:, : table.ir.n_q]
        first = table.p_offset + len(table.columns) * np.arange(len(table.instances))
        numbers = first[:, None] + np.array(function.numbers, np.int64)
        bodies = np.array([[number[names[0]]] for names in table.bodies], np.int64)
        found.append(ArrayType(table, function, np.hstack([bodies, coordinates, numbers])))
    return found


def array_functions(types: list[ArrayType]) -> list[ArrayFunction]:
    """Return the distinct functions."""
    return list({x.function.name: x.function for x in types}.values())


def array_table(types: list[ArrayType]) -> IntArray:
    """Return the indices of all types in one row."""
    return np.concatenate([np.zeros(0, np.int64), *(x.places.ravel() for x in types)])


def _function(table: TypeTable, quantity: str) -> ArrayFunction:
    nodes = [node for _, node in table.ir.entries(quantity)]
    results = _components() if quantity == MOTION else _quantities(table)
    printer = NumpyPrinter()
    code = schedule(table.ir.graph, nodes, printer, [name for _, name in results])
    needed = set(code.inputs)
    links = dict(zip(table.ir.coordinate_links(), range(table.ir.n_q), strict=True))
    state = [
        CodeLine(printer.variable(x.name), f"{x.array}[{links[x.link, x.offset]}]")
        for array in LEVELS
        for x in table.ir.inputs()
        if x.array == array and x.name in needed
    ]
    numbers = [k for k, name in enumerate(table.columns) if name in needed]
    notes = {line.target: line.note for line in loads_of(table)}
    given = [
        CodeLine(printer.variable(name), f"p[{place}]", note=notes[name])
        for place, name in enumerate(table.columns[k] for k in numbers)
    ]
    return ArrayFunction(
        name=f"{table.title}_{quantity}",
        loads=(*state, *given),
        body=tuple(CodeLine(n, e) for n, e in code.assignments),
        stores=tuple(_stores(code.results, results)),
        numbers=tuple(numbers),
    )


def _components() -> list[tuple[str, str]]:
    """Return heading (or empty) and name of each component."""
    found = []
    for part, meaning in MOTION_PARTS.items():
        names = [f"R_{k}_{c}" for k in "123" for c in "xyz"] if part == "R" else []
        names = names or [f"{part}_{c}" for c in "xyz"]
        found += [(meaning if k == 0 else "", name) for k, name in enumerate(names)]
    return found


def _quantities(table: TypeTable) -> list[tuple[str, str]]:
    """Return the same for the quantities of elements along their body."""
    return [(f"{name} [{unit}]", as_name(name)) for name, unit in table.ir.told]


def _stores(results: tuple[str, ...], names: list[tuple[str, str]]) -> list[CodeLine]:
    return [
        CodeLine(f"out[{k}]", text, section=heading)
        for k, (text, (heading, _)) in enumerate(zip(results, names, strict=True))
    ]
