r"""Fused kernels of the flat layout: Newton step and consistent initialisation, straight-line.

newton      :math:`[c_q r_q + c_v r_v + r_a, -G^T; H, \epsilon] x = -[r; \phi/c_q]`, and
            :math:`\psi/c_v` in nonholonomic rows
consistent  velocity on :math:`\dot\phi = 0`, accelerations, multipliers, :math:`\max|\phi|`, and
            the factors of :math:`[M, -G^T; H, \epsilon]`
finish      the same (without :math:`\max|\phi|`) after a first correction of the velocity along
            the reaction directions of an earlier position, whose factors it reads from the array of
            the accelerations

They are equivalent to the generic loops with kernels and a sparse factorisation; the pivot order is
fixed, and a kernel whose pivots become unsuitable returns 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mbdgen.interface import EPS, INDEX_1
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.symbolic.coordinates.reduced_system import ReducedSystem
from mbdgen.symbolic.coordinates.reduction import Reduction
from mbdgen.symbolic.fuse.fused_runge_kutta import explicit_kernels
from mbdgen.symbolic.fuse.pivot_order import NoPivotError
from mbdgen.symbolic.fuse.straight_elimination import StraightFactors, factorise, solve
from mbdgen.symbolic.fuse.straight_system import StraightSystem
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.symbolic.ir.system_ir import FlatKernel


@dataclass(frozen=True)
class Fused:
    """Fused kernels of a mechanism.

    Attributes
    ----------
    kernels : tuple of FlatKernel
        Empty if the matrix is singular at the representative state.
    size : int
        Length of the result of `consistent` and `finish`.
    reduced : (coordinates, multipliers) or None
        Numbers in the reduced system, if any.
    """

    kernels: tuple[FlatKernel, ...]
    size: int
    reduced: tuple[int, int] | None = None


NOT_FUSED = Fused((), 0)


def fuse(
    make: Callable[[], StraightSystem],
    constraint_rows: Sequence[int],
    q0: FloatArray,
    v0: FloatArray,
    velocity_rows: Sequence[int] = (),
) -> Fused:
    """Return the fused kernels of a mechanism; parameters as for `Fusion`."""
    fusion = Fusion(make, constraint_rows, q0, v0, velocity_rows)
    try:
        return Fused((*fusion.kernels(), *explicit_kernels(fusion)), fusion.size)
    except NoPivotError:
        # None either if the first position has no values: assembly reports the cause.
        return NOT_FUSED


def fuse_reduced(reduction: Reduction, q0: FloatArray, v0: FloatArray) -> Fused:
    """Return fused kernels in the remaining coordinates, and the conversion to all others."""
    gather = ReducedSystem(reduction).gather()
    inputs = {"t": 0.0}
    for name, array, k in gather.inputs:
        inputs[name] = float({"q": q0, "v": v0}[array][k]) if array in "qv" else 0.0
    size = len(reduction.coordinates)
    state = evaluate(gather.graph, [node for _, node in gather.outputs[: 2 * size]], inputs)
    fused = fuse(
        lambda: ReducedSystem(reduction),
        reduction.constraint_rows,
        np.array(state[:size], float),
        np.array(state[size:], float),
    )
    if not fused.kernels:
        return NOT_FUSED
    kernels = (*fused.kernels, ReducedSystem(reduction).expand(), gather)
    return Fused(kernels, fused.size, (size, len(reduction.multipliers)))


class Fusion:
    """Builder of the fused kernels of a mechanism.

    Parameters
    ----------
    make : callable
        Factory of the equations in a new graph.
    constraint_rows : sequence of int
        Constraint rows.
    q0, v0 : array
        Representative state; it is perturbed, so that no pivot is zero by symmetry.
    velocity_rows : sequence of int
        Nonholonomic rows, which constrain velocities only.
    """

    def __init__(
        self,
        make: Callable[[], StraightSystem],
        constraint_rows: Sequence[int],
        q0: FloatArray,
        v0: FloatArray,
        velocity_rows: Sequence[int] = (),
    ) -> None:
        self.make = make
        self._velocity_rows = velocity_rows
        self._constraints = frozenset(constraint_rows)
        self.size = 0  # of the result of `consistent` and `finish`
        wiggle = np.sin(1.7 * np.arange(1, len(q0) + 1))
        none = np.zeros(len(q0) + len(constraint_rows))
        # As given, under load, and perturbed: a pivot must be good in all of them.
        self._samples = [
            {"q": q0, "v": v0, "a": none, "lam": none},
            {"q": q0, "v": v0, "a": none, "lam": none + 1.0},
            {"q": q0 + 0.03 * wiggle, "v": v0 + 0.03 * wiggle, "a": none, "lam": none + 0.3},
        ]

    def kernels(self) -> tuple[FlatKernel, ...]:
        """Return the kernels."""
        return self._newton(), self._consistent(), self._finish(), self._power()

    def _newton(self) -> FlatKernel:
        w = self.make()
        one = w.builder.const(1.0)
        c_q, c_v = w.load("c_q", "w", 0), w.load("c_v", "w", 1)
        state = w.state(w=[c_q, c_v, one])
        factors = self._factorise(w, state)
        residual = w.residual(state)
        scale = w.builder.div(one, c_q)
        b = w.builder
        slips = self._slips(w, state, b.div(c_q, c_v))
        residual |= slips
        rhs = []
        for row in range(w.n):
            r = residual.get(row, b.const(0.0))
            rhs.append(b.neg(b.mul(r, scale) if row in self._constraints else r))
        x = solve(b, factors, rhs)
        violation = self.largest(w, [*self.positions(w, state), *slips.values()])
        return w.finish("newton", [*enumerate(x), (w.n, violation)], factors.guards)

    def _slips(self, w: StraightSystem, state: dict[str, Any], ratio: int) -> dict[int, int]:
        """Return ``(c_q/c_v) psi``, the nonholonomic residual in an implicit relation."""
        if not self._velocity_rows:
            return {}
        rates = w.rates(state)
        return {row: w.builder.mul(ratio, rates[row]) for row in self._velocity_rows}

    def _consistent(self) -> FlatKernel:
        w = self.make()
        q, v = w.vector("q"), w.vector("v")
        violation = self.largest(w, self.positions(w, self.at_rest(w, q, v)))
        return self._end(w, "consistent", q, v, self.mass_factors(w, q, v), [violation])

    def _finish(self) -> FlatKernel:
        w = self.make()
        b = w.builder
        q, v = w.vector("q"), w.vector("v")
        factors = self.mass_factors(w, q, v)
        first = 2 * w.n_q + w.n_lam + 1
        known = factors.variable(w.builder)
        old = {n: w.load(f"old_{k}", "a", first + k) for k, n in enumerate(known)}
        earlier = factors.renamed(old)
        state = self.at_rest(w, q, v)
        before = self.largest(w, self._violation(w, state))
        new = self._onto(w, earlier, state)
        after = self.largest(w, self._violation(w, self.at_rest(w, q, new)))
        better = b.compare("le", after, b.mul(b.const(0.5), before))
        chosen = [b.select(better, x, y) for x, y in zip(new, v, strict=True)]
        return self._end(w, "finish", q, chosen, factors)

    def _power(self) -> FlatKernel:
        w = self.make()
        zero = w.builder.const(0.0)
        return w.finish("power", [(0, w.power(w.state(w=[zero, zero, zero])))])

    def _end(
        self,
        w: StraightSystem,
        name: str,
        q: list[int],
        v: list[int],
        factors: StraightFactors,
        violation: Sequence[int] = (),
    ) -> FlatKernel:
        """Project the velocity, solve for accelerations and multipliers, and write the factors."""
        v = self._onto(w, factors, self.at_rest(w, q, v))
        rhs = self.index_1_rhs(w, self.at_rest(w, q, v))
        results = [*v, *self.refined(w, factors, rhs), *violation]
        known = factors.variable(w.builder)
        first = w.n_q + w.n + 1
        self.size = first + len(known)
        return w.finish(name, [*enumerate(results), *enumerate(known, start=first)], factors.guards)

    def index_1_rhs(self, w: StraightSystem, rest: dict[str, Any]) -> list[int]:
        """Return ``[f; gamma]`` from residual and rates at a state without accelerations."""
        b, n = w.builder, w.n
        residual, rates = w.residual(rest), w.rates(rest)
        found = [residual.get(row, b.const(0.0)) for row in range(n)]
        for row in self._constraints:
            found[row] = rates.get(n + row, b.const(0.0))
        return [b.neg(node) for node in found]

    def mass_factors(self, w: StraightSystem, q: list[int], v: list[int]) -> StraightFactors:
        """Factorise ``[M, -G^T; H, eps]``."""
        return self._factorise(w, self.at_rest(w, q, v))

    def at_rest(self, w: StraightSystem, q: list[int], v: list[int]) -> dict[str, Any]:
        """Return the state without accelerations and multipliers, with the weights of M alone."""
        weights = [w.builder.const(x) for x in INDEX_1]
        return w.state(q=q, v=v, a=w.zeros("a"), lam=w.zeros("lam"), w=weights)

    def _onto(
        self, w: StraightSystem, factors: StraightFactors, state: dict[str, Any]
    ) -> list[int]:
        """Return the velocity projected onto ``phi_dot = 0``."""
        d = self.correction(w, factors, self._violation(w, state))
        return [w.builder.add(v, change) for v, change in zip(state["v"], d, strict=True)]

    def correction(
        self, w: StraightSystem, factors: StraightFactors, violation: Sequence[int]
    ) -> list[int]:
        """Return d of ``[M, -G^T; H, eps] [d; mu] = [0; -violation]``."""
        b = w.builder
        rhs = [b.const(0.0)] * w.n
        for row, node in zip(self.rows(), violation, strict=True):
            rhs[row] = b.neg(node)
        return solve(b, factors, rhs)[: w.n_q]

    def refined(self, w: StraightSystem, factors: StraightFactors, rhs: Sequence[int]) -> list[int]:
        """Solve with the matrix without eps, by one iterative refinement.

        The residual due to eps is ``eps lam``; one correction squares the error.
        """
        b, x = w.builder, solve(w.builder, factors, rhs)
        rest = [b.const(0.0)] * w.n
        for k, eps in enumerate(self._eps(w)):
            rest[w.n_q + k] = b.mul(eps, x[w.n_q + k])
        return [b.add(y, d) for y, d in zip(x, solve(b, factors, rest), strict=True)]

    def _eps(self, w: StraightSystem) -> list[int]:
        return [w.load(f"eps_{k}", "w", EPS + k) for k in w.multipliers]

    def _violation(self, w: StraightSystem, state: dict[str, Any]) -> list[int]:
        rates = w.rates(state)
        return [rates.get(r, w.builder.const(0.0)) for r in self.rows()]

    def positions(self, w: StraightSystem, state: dict[str, Any]) -> list[int]:
        """Return phi, in the order of `rows`."""
        residual = w.residual(state)
        return [residual.get(r, w.builder.const(0.0)) for r in self.rows()]

    def rows(self) -> list[int]:
        """Return the constraint rows in order."""
        return sorted(self._constraints)

    def largest(self, w: StraightSystem, nodes: Sequence[int]) -> int:
        """Return the largest magnitude among nodes."""
        b = w.builder
        top = b.const(0.0)
        for k in nodes:
            top = b.call("max", top, b.call("abs", k))
        return top

    def _factorise(self, w: StraightSystem, state: dict[str, Any]) -> StraightFactors:
        """Factorise the matrix at a state, with pivots chosen at the representative states."""
        b, n, n_q = w.builder, w.n, w.n_q
        entries = w.matrix(state)
        for k, eps in enumerate(self._eps(w)):
            place = n_q + k, n_q + k
            entries[place] = b.add(entries.get(place, b.const(0.0)), eps)
        return factorise(b, entries, self._numbers(w, entries), n)

    def _numbers(
        self, w: StraightSystem, entries: dict[tuple[int, int], int]
    ) -> dict[tuple[int, int], Any]:
        """Return the entries at the representative states."""
        graph, nodes = w.builder.finish(), list(entries.values())
        numbers = [evaluate(graph, nodes, self._inputs(w, s)) for s in self._samples]
        return dict(zip(entries, np.array(numbers, float).T, strict=True))

    def _inputs(self, w: StraightSystem, sample: dict[str, FloatArray]) -> dict[str, float]:
        inputs = {"t": 0.0}
        for name, (array, k) in w.sources.items():
            if array == "w":
                inputs[name] = (1e-4, 1e-2, 1.0)[k] if k < EPS else 1e-9
            elif array == "p":
                inputs[name] = float(w.p[k])
            elif array != "t":
                # `finish` reads earlier factors from the array of the accelerations.
                inputs[name] = 1.0 if name.startswith("old_") else float(sample[array][k])
        return inputs
