"""Kernels of the interface: calls of element functions, or straight-line code."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mbdgen.emit.code_parts import CodeLine, CodePart, split
from mbdgen.emit.element_kernels import ElementKernel, kernel_names
from mbdgen.emit.notes import as_name, result_notes
from mbdgen.emit.printer import Printer
from mbdgen.emit.schedule import schedule
from mbdgen.interface import ANGLES, DISPLACEMENT_ROOM, DISPLACEMENTS, RESULTS, VARIATION_KERNELS
from mbdgen.symbolic.derive.variation import varied_kernel
from mbdgen.symbolic.ir.system_ir import FlatKernel, SystemIR

ENDLESS = 24  # parts; clang takes 3 s for 14, 60 s for 56, of a thousand temporaries each


@dataclass(frozen=True)
class SystemKernel:
    """Kernel of the interface.

    Attributes
    ----------
    name, comment : str
        Name of the kernel, and description of its result.
    size : str
        Length of its result, as an expression of the integer table.
    calls : tuple of str
        Element functions that it calls (layout loop).
    loads, body, stores : tuple of CodeLine
        Straight-line code (layout flat).
    operations : int
        Arithmetic operations of one call.
    guards : tuple of CodeLine
        Pivot and its smallest admissible magnitude.
    parts : tuple of CodePart
        The same code divided into functions that compilers can handle (layout flat).
    places : int
        Length of the array for intermediate results passed between parts.
    crowds : tuple of int
        Offsets of the tables of many contacts whose pairs it needs.
    """

    name: str
    comment: str
    size: str
    calls: tuple[str, ...]
    loads: tuple[CodeLine, ...]
    body: tuple[CodeLine, ...]
    stores: tuple[CodeLine, ...]
    operations: int
    guards: tuple[CodeLine, ...] = ()
    parts: tuple[CodePart, ...] = ()
    places: int = 0
    crowds: tuple[int, ...] = ()

    @property
    def cut(self) -> bool:
        """Whether there is more than one part."""
        return len(self.parts) > 1

    @property
    def endless(self) -> bool:
        """Whether it is too long for any compiler in one piece."""
        return len(self.parts) > ENDLESS


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
    sizes[ANGLES] = str(2 * len(system.roles.turns))
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
    for kernel in kernel_names(system):
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


def _flat_kernel(
    kernel: FlatKernel, size: str, notes: Mapping[int, str], printer: Printer, part_size: int
) -> SystemKernel:
    roots = [*(n for _, n in kernel.outputs), *(n for n, _ in kernel.guards)]
    names = [as_name(notes.get(at, "")) for at, _ in kernel.outputs]
    code = schedule(kernel.graph, roots, printer, names)
    guarded = code.results[len(kernel.outputs) :]
    loads = tuple(
        CodeLine(printer.variable(n), f"{a}[{k}]") for n, a, k in kernel.inputs if a != "t"
    )
    body = tuple(
        CodeLine(n, e, section=title)
        for (n, e), title in zip(code.assignments, code.sections, strict=True)
    )
    guards = tuple(
        CodeLine(text, repr(limit)) for text, (_, limit) in zip(guarded, kernel.guards, strict=True)
    )
    stores = tuple(
        CodeLine(f"out[{at}]", text, note=notes.get(at, ""))
        for (at, _), text in zip(kernel.outputs, code.results, strict=False)
        if size == "0" or text != "0.0"  # otherwise zeroed already
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
