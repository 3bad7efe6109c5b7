"""Source of the module with the kernels of all group types of a mechanism."""

from collections.abc import Sequence
from dataclasses import dataclass

from mbdgen.emit.code_parts import CodeLine
from mbdgen.emit.module_files import UNSIGNED
from mbdgen.emit.printer import Printer
from mbdgen.emit.python_printer import PythonPrinter
from mbdgen.emit.render import environment_of
from mbdgen.emit.schedule import schedule
from mbdgen.grouping.kernels_of import GroupKernels
from mbdgen.symbolic.ir.system_ir import FlatKernel
from mbdgen.version import __version__

RESULTS = {
    "block": "phi, phi_dot, phi_ddot; then rows of H: dependent columns, known ones",
    "penalty": "alpha G^T H, then alpha G^T (phi_ddot + w_1 phi_dot + w_0 phi) at a = 0",
    "condense": "what eliminated unknowns leave to the others, and how they follow from these",
    "position": "a change of the dependent coordinates towards phi = 0",
    "motion": "velocities, then accelerations of the dependent coordinates",
    "reach": "the same, then R of d(dependent) = R d(known), by columns",
}


@dataclass(frozen=True)
class PrintedFunction:
    """Source code of a kernel."""

    name: str
    comment: str
    loads: tuple[CodeLine, ...]
    body: tuple[CodeLine, ...]
    guards: tuple[CodeLine, ...]
    stores: tuple[CodeLine, ...]


def module_text(model: str, types: Sequence[GroupKernels]) -> str:
    """Return the source of the module, without its digest."""
    printer = PythonPrinter()
    kernels = [_function(same, kernel, printer) for same in types for kernel in same.kernels]
    template = environment_of("numba").get_template("groups.py.jinja")
    return template.render(model=model, version=__version__, digest=UNSIGNED, kernels=kernels)


def _function(same: GroupKernels, kernel: FlatKernel, printer: Printer) -> PrintedFunction:
    roots = [*(n for _, n in kernel.outputs), *(n for n, _ in kernel.guards)]
    code = schedule(kernel.graph, roots, printer)
    guards = zip(code.results[len(kernel.outputs) :], kernel.guards, strict=True)
    stores = zip(kernel.outputs, code.results, strict=False)
    return PrintedFunction(
        name=f"{same.name}_{kernel.name}",
        # Not their number: a mechanism with more groups of the same types has the same module.
        comment=f"{RESULTS[kernel.name]}: {', '.join(same.first)}, and all like it",
        loads=tuple(
            CodeLine(
                printer.variable(name), f"{array}[m[{k}]]" if array in "qva" else f"{array}[{k}]"
            )
            for name, array, k in kernel.inputs
            if array != "t"
        ),
        body=tuple(
            CodeLine(name, text, section=title)
            for (name, text), title in zip(code.assignments, code.sections, strict=True)
        ),
        guards=tuple(CodeLine(text, repr(limit)) for text, (_, limit) in guards),
        stores=tuple(CodeLine(f"out[{at}]", text) for (at, _), text in stores),
    )
