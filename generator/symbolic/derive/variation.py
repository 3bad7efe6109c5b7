r"""Variations (directional derivatives) of kernels with respect to state and parameters.

.. math::
    \delta r = \frac{\partial r}{\partial q} \delta q + \frac{\partial r}{\partial v} \delta v
      + \frac{\partial r}{\partial a} \delta a + \frac{\partial r}{\partial\lambda} \delta\lambda
      + \frac{\partial r}{\partial p} \delta p

These are Jacobian-vector products without the Jacobian: the graph of a kernel is differentiated
along the direction (forward mode), which costs two or three times the kernel itself.
"""

from collections.abc import Collection, Mapping, Sequence

from mbdgen.interface import INDEX_1, STATE, VARIATION_KERNELS
from mbdgen.symbolic.fuse.index1_kernel import index_1_entries
from mbdgen.symbolic.ir.element_ir import ElementIR, Entry
from mbdgen.symbolic.ir.graph import Graph, GraphBuilder
from mbdgen.symbolic.ir.graph_gradient import gradients
from mbdgen.symbolic.ir.system_ir import DerivedValues, FlatKernel
from mbdgen.symbolic.lower.flatten import Instances, WholeMechanism

_KERNEL = "_variation"


def varied_kernel(name: str) -> str:
    """Return the kernel whose variation a kernel computes; empty if it is no variation."""
    return name.removesuffix(_KERNEL) if name in VARIATION_KERNELS else ""


def change_of(name: str) -> str:
    """Return the name of the variation of an input."""
    return f"{name}_delta"


def vary_element(ir: ElementIR, kernel: str, columns: Sequence[str]) -> tuple[Graph, list[Entry]]:
    """Return the variation of the contribution of an element to a kernel.

    Parameters
    ----------
    ir : ElementIR
        Equations of the element.
    kernel : str
        ``residual``, ``mass``, ``rates``, ``energies`` or ``outputs``; entries of ``mass`` are
        numbered by those of the matrix.
    columns : sequence of str
        Its parameter columns.
    """
    graph, entries = ir.graph, list(ir.entries(kernel))
    if kernel == "mass":
        graph, places = index_1_entries(ir)
        entries = [((j,), node) for j, node in places]
    builder = GraphBuilder()
    inputs = {name: builder.input(name) for name in graph.inputs}
    nodes = builder.inline(graph, [n for _, n in entries], inputs)
    varied = {*columns, *(x.name for x in ir.inputs())}
    changes = {n: builder.input(change_of(n)) for n in inputs if n in varied}
    found = _changes(builder, nodes, {inputs[n]: change for n, change in changes.items()})
    pairs = zip(entries, found, strict=True)
    return builder.finish(), [(index, k) for (index, _), k in pairs if not builder.is_zero(k)]


def vary(instances: Instances) -> tuple[FlatKernel, ...]:
    """Return the kernels of variations of the whole mechanism."""
    return tuple(_vary_whole(WholeMechanism(instances), name) for name in VARIATION_KERNELS)


def _vary_whole(whole: WholeMechanism, name: str) -> FlatKernel:
    kernel = varied_kernel(name)
    if kernel == "mass":
        weights = [whole.builder.const(value) for value in INDEX_1]
        values = whole.values("matrix", whole.state(w=weights))
    else:
        values = whole.values(kernel, whole.state())
    seeds = {}
    sizes = {array: len(whole.variables[array]) for array in STATE}
    for given, (array, index) in list(whole.sources.items()):
        if array in (*STATE, "p"):
            own = _unused(change_of(given), whole.sources)
            change = ("w", index) if array == "p" else (array, sizes[array] + index)
            seeds[whole.builder.input(given)] = whole.load(own, *change)
    whole.builder.section("changes")
    places = sorted(values)
    found = _changes(whole.builder, [values[at] for at in places], seeds)
    pairs = zip(places, found, strict=True)
    return whole.finish(name, [(at, k) for at, k in pairs if not whole.builder.is_zero(k)])


def parameter_changes(names: Sequence[str]) -> tuple[str, ...]:
    """Return names for the variations of the named parameters."""
    return tuple(_unused(change_of(name), names) for name in names)


def vary_derived(derived: DerivedValues) -> tuple[Graph, list[int]]:
    """Return the variations of expressions of the named parameters."""
    builder = GraphBuilder()
    names = dict(zip(derived.names, parameter_changes(derived.names), strict=True))
    inputs = {name: builder.input(name) for name in derived.graph.inputs}
    nodes = builder.inline(derived.graph, derived.roots, inputs)
    seeds = {node: builder.input(names[name]) for name, node in inputs.items()}
    found = _changes(builder, nodes, seeds)
    return builder.finish(), found


def _changes(builder: GraphBuilder, nodes: Sequence[int], seeds: Mapping[int, int]) -> list[int]:
    """Return the directional derivatives of nodes, for the direction `seeds`."""
    zero = builder.const(0.0)
    given = {node: {0: change} for node, change in seeds.items()}
    return [gradient.get(0, zero) for gradient in gradients(builder, nodes, given)]


def _unused(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name
