"""Code of functions of the named parameters: derived values, and values with bounds."""

from mbdgen.emit.printer import Printer
from mbdgen.emit.schedule import Code, schedule
from mbdgen.symbolic.derive.variation import parameter_changes, vary_derived
from mbdgen.symbolic.ir.system_ir import SystemIR


def derived_code(system: SystemIR, printer: Printer) -> Code:
    """Return the code that evaluates the expressions of the named parameters."""
    return schedule(system.derived.graph, system.derived.roots, printer)


def bounded_code(system: SystemIR, printer: Printer) -> Code:
    """Return the code that evaluates expressions with bounds."""
    roots = [bound.root for bound in system.derived.bounds]
    return schedule(system.derived.graph, roots, printer)


def derived_variation_code(system: SystemIR, printer: Printer) -> Code:
    """Return the code of their variations for variations of the parameters."""
    graph, roots = vary_derived(system.derived)
    return schedule(graph, roots, printer)


def parameter_change_names(system: SystemIR) -> tuple[str, ...]:
    """Return the names of the variations of the parameters in that code."""
    return parameter_changes(system.derived.names)
