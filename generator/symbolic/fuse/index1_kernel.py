"""Index-1 kernel: the iteration matrix at acceleration level, ``[M, -G^T; H, eps]``.

Stiffness, damping and the curvature of the constraints have the weights ``c_q`` and ``c_v``. With
zero weights half of the operations of a spatial mechanism vanish and a quarter of the entries: the
blocks between the two bodies of a joint, for example. Projections and explicit methods need only
this matrix.
"""

from mbdgen.interface import INDEX_1, WEIGHTS
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.graph import Graph, GraphBuilder
from mbdgen.symbolic.ir.system_ir import FlatKernel
from mbdgen.symbolic.lower.flatten import WholeMechanism

_KNOWN = dict(zip(WEIGHTS, INDEX_1, strict=True))


def index_1_entries(ir: ElementIR) -> tuple[Graph, tuple[tuple[int, int], ...]]:
    """Return the non-zero entries of a type's matrix for ``c_q = c_v = 0``.

    Returns
    -------
    graph : Graph
        Its equations with these weights substituted.
    entries : tuple of (int, int)
        Index of the entry in the quantity ``matrix``, and its node.
    """
    builder = GraphBuilder()
    inputs = {
        name: builder.const(_KNOWN[name]) if name in _KNOWN else builder.input(name)
        for name in ir.graph.inputs
    }
    roots = [node for _, node in ir.entries("matrix")]
    nodes = builder.inline(ir.graph, roots, inputs)
    kept = tuple((j, k) for j, k in enumerate(nodes) if not builder.is_zero(k))
    return builder.finish(), kept


def index_1_kernel(whole: WholeMechanism) -> FlatKernel:
    """Return the kernel ``mass`` of the whole mechanism."""
    weights = [whole.builder.const(value) for value in INDEX_1]
    values = whole.values("matrix", whole.state(w=weights))
    kept = sorted((at, k) for at, k in values.items() if not whole.builder.is_zero(k))
    return whole.finish("mass", kept)
