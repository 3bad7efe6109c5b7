"""Operation counts of the kernels of a mechanism, which are the same on every machine."""

from mbdgen.build_options import BuildOptions
from mbdgen.emit.backends import find_backend
from mbdgen.emit.element_kernels import element_kernels
from mbdgen.emit.system_kernels import system_kernels
from mbdgen.language.model import Model
from mbdgen.stages import derive_types, lower_model
from mbdgen.topology.specify import specify


def operation_counts(model: Model, options: BuildOptions) -> dict[str, dict[str, int]]:
    """Return arithmetic operations of one call, and printed statements, of every kernel.

    In the layout ``loop``, operations are those of all instances, and statements those of the
    element functions.
    """
    specs = specify(model)
    system = lower_model(model, specs, derive_types(specs, options.engine, options.second), options)
    backend = find_backend(options.backend)
    elements = element_kernels(system, backend.printer)
    found = {}
    for kernel in system_kernels(system, elements, backend.printer, backend.part_size):
        own = [e for e in elements if e.name in kernel.calls]
        lines = sum(len(e.body) + len(e.stores) for e in own) + len(kernel.body)
        found[kernel.name] = {
            "operations": kernel.operations,
            "statements": lines + len(kernel.stores),
        }
    return found
