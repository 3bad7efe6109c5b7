r"""Fused kernels of explicit Runge-Kutta methods: accelerations, and constraint projection.

accelerations  :math:`a` of :math:`[M, -G^T; H, \epsilon] [a; \lambda] = [f; \gamma]`, and the
               factors that `retract` reads
retract        :math:`d` of :math:`[M, -G^T; H, \epsilon] [d; \mu] = [0; -\phi]`, then
               :math:`\max|\phi|`, with factors of a neighbouring position, which it reads from the
               array of the accelerations

The last stage of a step is so close to its end that its factors are reused there: a step of ``s``
stages costs ``s`` factorisations.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mbdgen.symbolic.ir.system_ir import FlatKernel

if TYPE_CHECKING:
    from mbdgen.symbolic.fuse.fused_kernels import Fusion


def explicit_kernels(fusion: Fusion) -> tuple[FlatKernel, ...]:
    """Return the kernels of explicit methods.

    Raises
    ------
    NoPivotError
        If the matrix is singular at the representative state.
    """
    retract, kept = _retract(fusion)
    return _accelerations(fusion, kept), retract


def _accelerations(fusion: Fusion, kept: list[int]) -> FlatKernel:
    w = fusion.make()
    q, v = w.vector("q"), w.vector("v")
    factors = fusion.mass_factors(w, q, v)
    rhs = fusion.index_1_rhs(w, fusion.at_rest(w, q, v))
    # Multipliers that accelerations do not depend on are dropped from the graph.
    a = fusion.refined(w, factors, rhs)[: w.n_q]
    known = factors.variable(w.builder)
    results = [*a, *(known[k] for k in kept)]
    return w.finish("accelerations", list(enumerate(results)), factors.guards)


def _retract(fusion: Fusion) -> tuple[FlatKernel, list[int]]:
    """Return the kernel, and the indices of the variable factor entries that it reads."""
    w = fusion.make()
    q = w.vector("q")
    factors = fusion.mass_factors(w, q, w.vector("v"))
    old = {n: w.load(f"old_{k}", "a", k) for k, n in enumerate(factors.variable(w.builder))}
    violation = fusion.positions(w, fusion.at_rest(w, q, w.zeros("v")))
    d = fusion.correction(w, factors.renamed(old), violation)
    kernel = w.finish("retract", list(enumerate([*d, fusion.largest(w, violation)])))
    kept = [k for _, array, k in kernel.inputs if array == "a"]
    places = {k: place for place, k in enumerate(kept)}
    inputs = tuple((n, array, places[k] if array == "a" else k) for n, array, k in kernel.inputs)
    return replace(kernel, inputs=inputs), kept
