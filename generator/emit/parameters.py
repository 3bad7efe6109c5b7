"""Functions of the named parameters: what follows from them, and what must lie somewhere."""

from mbdgen.emit.printer import Printer
from mbdgen.emit.schedule import Code, schedule
from mbdgen.symbolic.derive.variation import parameter_changes, vary_derived
from mbdgen.symbolic.ir.system_ir import SystemIR


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
