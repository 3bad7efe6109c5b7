r"""Kernels of structural groups: their kinematic equations as straight-line code.

With dependent coordinates :math:`\varphi` and known ones :math:`h`

position  :math:`\Phi_\varphi \Delta\varphi = -\Phi`: one iteration of Newton's method
motion    :math:`\Phi_\varphi \dot\varphi = -\Phi_h \dot h - \Phi_t`, then
          :math:`\Phi_\varphi \ddot\varphi = -\Phi_h \ddot h - \dot\Phi_{q,t} \dot q`
reach     the same, then :math:`R_{\varphi h}` of :math:`\Phi_\varphi R_{\varphi h} = -\Phi_h`
penalty   :math:`\alpha\,\Phi_q^T \Phi_q` and
          :math:`\alpha\,\Phi_q^T(\dot\Phi_q \dot q + 2 \xi\omega \dot\Phi + \omega^2 \Phi)`
condense  the same with its own unknowns eliminated (`mbdgen.grouping.condensing`)
block     :math:`\Phi, \dot\Phi, \ddot\Phi, \Phi_\varphi, \Phi_h` for a solution with other pivots

The first three evaluate, factorise and solve in straight-line code with pivots chosen once, among
rows that are independent at the sample positions; they return 1 where these pivots are unsuitable.
"""

from collections.abc import Sequence

import numpy as np

from mbdgen.grouping.condensing import Condensing, Places, condensing
from mbdgen.grouping.group_members import GroupType, instances_of, parameters_of, rows_of
from mbdgen.grouping.kernels_of import GroupKernels
from mbdgen.grouping.stiff import stiff_elements
from mbdgen.runtime.groups.group_elimination import eliminate
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.symbolic.fuse.pivot_order import NoPivotError
from mbdgen.symbolic.fuse.straight_elimination import StraightFactors, factorise, solve
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.symbolic.ir.system_ir import FlatKernel, SystemIR
from mbdgen.symbolic.lower.flatten import WholeMechanism

SAMPLES = 3
"""Number of groups of a type whose positions, at every sampled instant, need good pivots."""
STRICT = 1e4
"""Factor of pivot thresholds for velocities, relative to those of an iteration."""
LONGEST = 1500
"""Largest number of operations of a straight-line elimination: LLVM compiles some thousands a
second. Longer ones are solved by a loop on the result of ``block``."""
LONGEST_CONDENSING = 6000
"""The same for ``condense``, which is longer and has no loop as alternative."""
SAME = 1e-12
"""Tolerance for the difference of entries of ``G`` and ``H``."""


def group_kernels(
    system: SystemIR,
    same: GroupType,
    samples: Sequence[tuple[float, FloatArray]],
    straight: bool,
    front: Places | None = None,
) -> GroupKernels:
    """Return the kernels of a type of structural groups.

    Parameters
    ----------
    samples : sequence of (t, q)
        Positions at which pivots must be suitable.
    straight : bool
        Whether to generate straight-line solutions, if they are not too long.
    front : tuple of (row, column), optional
        Entries that its elimination reads; None: no elimination.
    """
    made = _Maker(system, same, samples, straight)
    found = [made.block(), made.penalty()]
    if made.straight:
        found += made.solutions()
    condensed = None if front is None else made.condensing(front)
    if condensed is not None:
        found.append(condensed.kernel)
    return GroupKernels(
        name=same.name,
        kernels=tuple(found),
        dependent=made.dependent,
        known=made.known,
        rows=len(made.rows),
        pattern=tuple(made.pattern),
        pulled=tuple(made.pulled),
        coordinates=np.array([g.coordinates for g in same.groups]),
        parameters=made.places,
        levels=np.array([g.group.level for g in same.groups], np.int64),
        first=same.first.group.bodies,
        symmetric=made.is_symmetric(),
        condensing=condensed,
    )


class _Maker:
    """Builder of the kernels of one group type."""

    def __init__(
        self,
        system: SystemIR,
        same: GroupType,
        samples: Sequence[tuple[float, FloatArray]],
        straight: bool,
    ) -> None:
        group = same.first
        self.places = parameters_of(system, same)
        self.instances = instances_of(system, same, self.places)
        self.rows = rows_of(system, same)
        self.dependent = group.local(group.group.dependent)
        self.known = group.local(group.group.known)
        self.n, self.n_q = self.instances.numbering.n, self.instances.numbering.n_q
        chosen = np.unique(np.linspace(0, len(same.groups) - 1, SAMPLES).astype(int))
        wiggle = 0.01 * np.sin(1.7 * np.arange(1, self.n_q + 1))
        self.samples = [
            (t, q[same.groups[k].coordinates] + wiggle, system.p[self.places[k]])
            for t, q in samples
            for k in chosen
        ]
        self.pattern: list[tuple[int, int]] = []
        self.pulled: list[int] = []
        self.straight = straight
        if not straight:
            return
        try:
            self.chosen = self._independent_rows()
            w = WholeMechanism(self.instances)
            self._factors(w, _state(w))
            graph = w.builder.finish()
            operations = graph.operation_count(range(len(graph.nodes)))
            self.straight = operations <= LONGEST
        except NoPivotError:
            self.straight = False

    def block(self) -> FlatKernel:
        """Return the kernel that evaluates everything for a solution by a loop."""
        w = WholeMechanism(self.instances)
        state = _state(w)
        zero = w.builder.const(0.0)
        phi, rates = w.values("residual", state), w.values("rates", state)
        H = w.values("matrix", state)
        columns = (*self.dependent, *self.known)
        found = [phi.get(r, zero) for r in self.rows]
        found += [rates.get(r, zero) for r in self.rows]
        found += [rates.get(self.n + r, zero) for r in self.rows]
        found += [H.get(r * self.n + c, zero) for r in self.rows for c in columns]
        return w.finish("block", list(enumerate(found)))

    def penalty(self) -> FlatKernel:
        """Return the kernel with stiffness and forces of the constraints as stiff elements."""
        w = WholeMechanism(self.instances)
        entries, pulls = stiff_elements(w, _at_rest(w), self.rows)
        self.pattern, self.pulled = sorted(entries), sorted(pulls)
        values = [entries[place] for place in self.pattern] + [pulls[k] for k in self.pulled]
        return w.finish("penalty", list(enumerate(values)))

    def condensing(self, front: Places) -> Condensing | None:
        """Return the condensation of its own unknowns, unless it would be too long."""
        w = WholeMechanism(self.instances)
        found = condensing(w, _at_rest(w), self.rows, self.dependent, front)
        operations = found.kernel.graph.operation_count([n for _, n in found.kernel.outputs])
        return found if operations <= LONGEST_CONDENSING else None

    def is_symmetric(self) -> bool:
        """Return whether ``G = H``: constraint forces are conjugate to coordinates."""
        w = WholeMechanism(self.instances)
        H = w.values("matrix", _state(w))
        zero = w.builder.const(0.0)
        if any(r < self.n_q for r in self.rows):
            return False
        pairs = [(r, c) for r in self.rows for c in range(self.n_q)]
        nodes = [H.get(r * self.n + c, zero) for r, c in pairs]
        nodes += [w.builder.neg(H.get(c * self.n + r, zero)) for r, c in pairs]
        numbers = np.array(self._numbers(w, nodes)).reshape(2, len(pairs), -1)
        return bool(np.abs(numbers[0] - numbers[1]).max(initial=0.0) < SAME)

    def solutions(self) -> list[FlatKernel]:
        """Return the kernels that factorise and solve."""
        return [self._position(), self._motion("motion"), self._motion("reach")]

    def _position(self) -> FlatKernel:
        w = WholeMechanism(self.instances)
        state = _state(w)
        factors = self._factors(w, state)
        phi = w.values("residual", state)
        x = self._solve(w, factors, [phi.get(r, w.builder.const(0.0)) for r in self.chosen])
        return w.finish("position", list(enumerate(x)), _strict(factors, 1.0))

    def _motion(self, name: str) -> FlatKernel:
        w = WholeMechanism(self.instances)
        zero = w.builder.const(0.0)
        state = _state(w)
        factors = self._factors(w, state)
        v, a = list(state["v"]), list(state["a"])
        for c in self.dependent:
            v[c] = a[c] = zero
        rates = w.values("rates", {**state, "v": v, "a": w.zeros("a")}, "velocities")
        rate = self._solve(w, factors, [rates.get(r, zero) for r in self.chosen])
        for c, node in zip(self.dependent, rate, strict=True):
            v[c] = node
        rates = w.values("rates", {**state, "v": v, "a": a}, "accelerations")
        second = self._solve(w, factors, [rates.get(self.n + r, zero) for r in self.chosen])
        results = [*rate, *second]
        if name == "reach":
            H = w.values("matrix", state)
            for c in self.known:
                results += self._solve(
                    w, factors, [H.get(r * self.n + c, zero) for r in self.chosen]
                )
        return w.finish(name, list(enumerate(results)), _strict(factors, STRICT))

    def _factors(self, w: WholeMechanism, state: dict[str, list[int]]) -> StraightFactors:
        """Factorise the square part of ``Phi_phi``."""
        H = w.values("matrix", state)
        entries = {}
        for i, r in enumerate(self.chosen):
            for j, c in enumerate(self.dependent):
                if r * self.n + c in H:
                    entries[i, j] = H[r * self.n + c]
        numbers = self._numbers(w, list(entries.values()))
        values = dict(zip(entries, numbers, strict=True))
        return factorise(w.builder, entries, values, len(self.dependent), far=True)

    def _solve(
        self, w: WholeMechanism, factors: StraightFactors, minus_rhs: Sequence[int]
    ) -> list[int]:
        return solve(w.builder, factors, [w.builder.neg(node) for node in minus_rhs])

    def _numbers(self, w: WholeMechanism, nodes: Sequence[int]) -> list[list[float]]:
        """Return the values of nodes at the samples."""
        graph = w.builder.finish()
        found = [evaluate(graph, nodes, self._inputs(w, *sample)) for sample in self.samples]
        return [list(x) for x in zip(*found, strict=True)]

    def _inputs(
        self, w: WholeMechanism, t: float, q: FloatArray, p: FloatArray
    ) -> dict[str, float]:
        inputs: dict[str, float] = {}
        for name, (array, k) in w.sources.items():
            inputs[name] = float({"q": q, "p": p}[array][k]) if array in "qp" else 0.0
        inputs["t"] = t
        return inputs

    def _independent_rows(self) -> list[int]:
        """Return as many linearly independent rows as unknowns, near the first sample.

        Linear equations are preferred: their pivots are constant.
        """
        w = WholeMechanism(self.instances)
        H = w.values("matrix", _state(w))
        places = {
            r: [(j, H[r * self.n + c]) for j, c in enumerate(self.dependent) if r * self.n + c in H]
            for r in self.rows
        }
        nodes = [node for found in places.values() for _, node in found]
        sample = iter([x[0] for x in self._numbers(w, nodes)])
        rows = {r: {j: next(sample) for j, _ in found} for r, found in places.items()}
        curved = {
            r: any(not w.builder.is_constant(node) for _, node in found)
            for r, found in places.items()
        }
        order = sorted(self.rows, key=lambda r: curved[r])
        found = eliminate(rows, order, frozenset(), [0.0] * len(self.dependent))
        if len(found.pivots) < len(self.dependent):
            raise NoPivotError
        return sorted(found.pivots)


def _state(w: WholeMechanism) -> dict[str, list[int]]:
    zero = w.builder.const(0.0)
    return w.state(lam=w.zeros("lam"), w=[zero] * 3)


def _at_rest(w: WholeMechanism) -> dict[str, list[int]]:
    """Return the state without accelerations; the array ``a`` is free for other data."""
    return {**_state(w), "a": w.zeros("a")}


def _strict(factors: StraightFactors, times: float) -> tuple[tuple[int, float], ...]:
    return tuple((node, times * limit) for node, limit in factors.guards)
