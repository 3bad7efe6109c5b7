"""Kernels of a mechanism in substituted coordinates, from the graph of a `Substituted` one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from mbdgen.interface import ANGLES, INDEX_1, LEVELS
from mbdgen.runtime.system.system_data import IntArray
from mbdgen.symbolic.fuse.straight_system import Entries, Nodes, Substituted
from mbdgen.symbolic.ir.graph_gradient import gradients
from mbdgen.symbolic.ir.system_ir import FlatKernel

S = TypeVar("S", bound=Substituted)
State = dict[str, Any]


@dataclass(frozen=True)
class StraightKernel:
    """Kernels of a mechanism in other coordinates than those of its bodies.

    Attributes
    ----------
    kernels : tuple of FlatKernel
        Kernels, without those that solve.
    indptr, indices : array of int
        Sparsity pattern of the matrix.
    """

    kernels: tuple[FlatKernel, ...]
    indptr: IntArray
    indices: IntArray

    @property
    def operations(self) -> int:
        """Number of additions, multiplications and calls of all kernels."""
        return sum(k.graph.operation_count([n for _, n in k.outputs]) for k in self.kernels)


def straight(
    make: Callable[[], S],
    multipliers: Callable[[S, State], Nodes],
    n_out: int,
    second: bool,
    told: Sequence[int] = (),
) -> StraightKernel:
    """Return the kernels that evaluate (not solve).

    Parameters
    ----------
    make : callable
        Factory of the equations in a new graph.
    multipliers : callable
        Returns the multipliers of the mechanism that outputs may read.
    n_out : int
        Number of outputs named by the model; the state of all bodies follows them.
    second : bool
        Whether to include second derivatives.
    told : sequence of int
        Multipliers written between the outputs of the model and the state of the bodies.
    """
    entries = _matrix(make)
    n = make().n
    diagonal = ((k, k) for k in range(make().n_q, n))
    places = sorted({*entries[0], *diagonal}, key=lambda place: (place[1], place[0]))
    at = {place: k for k, place in enumerate(places)}
    columns = np.array([column for _, column in places], np.int64)
    indptr = np.searchsorted(columns, np.arange(n + 1)).astype(np.int64)
    indices = np.array([row for row, _ in places], np.int64)
    kernels = [
        _sums(make, "residual"),
        _written("matrix", *entries, at),
        _sums(make, "rates"),
        _sums(make, "energies"),
        _outputs(make(), multipliers, n_out, told),
    ]
    if any(table.ir.turns for table in make().whole.tables):
        kernels.append(_sums(make, ANGLES))
    mass = _written("mass", *_matrix(make, INDEX_1), at)
    more = _second(make, at) if second else ()
    return StraightKernel((*kernels, mass, *more), indptr, indices)


def _sums(make: Callable[[], S], kernel: str) -> FlatKernel:
    system = make()
    state = system.state()
    if kernel == "residual":
        values = system.residual(state)
    elif kernel == "rates":
        values = system.rates(state)
    else:
        values = system.values(kernel, state)
    return system.finish(kernel, sorted(values.items()))


def _matrix(
    make: Callable[[], S], weights: Sequence[float] | None = None
) -> tuple[Entries, Substituted]:
    system = make()
    w = None if weights is None else [system.builder.const(x) for x in weights]
    state = system.state(**({} if w is None else {"w": w}))
    return system.matrix(state), system


def _written(
    name: str, entries: Entries, system: Substituted, at: Mapping[tuple[int, int], int]
) -> FlatKernel:
    return system.finish(name, sorted((at[place], node) for place, node in entries.items()))


def _outputs(
    system: S, multipliers: Callable[[S, State], Nodes], n_out: int, told: Sequence[int]
) -> FlatKernel:
    """Return the kernel of the outputs: those of the model, then the state of all bodies."""
    state = system.state()
    lam = multipliers(system, state)
    values = system.values("outputs", state, lam)
    full = system.full(state)
    behind = [*(lam[k] for k in told), *(node for kind in LEVELS for node in full[kind])]
    return system.finish("outputs", [*sorted(values.items()), *enumerate(behind, start=n_out)])


def _second(make: Callable[[], S], at: Mapping[tuple[int, int], int]) -> tuple[FlatKernel, ...]:
    """Return the kernels of second derivatives, by differentiation of the graph."""
    system = make()
    b, n, state = system.builder, system.n, system.state()
    one = b.const(1.0)
    rates = system.rates(state)
    seeds = {node: {k: one} for k, node in enumerate(state["q"])}
    found = gradients(b, list(rates.values()), seeds)
    slopes = [
        (at[row % n, column] + (row // n) * len(at), node)
        for row, gradient in zip(rates, found, strict=True)
        for column, node in gradient.items()
        if (row % n, column) in at
    ]
    first = system.finish("slopes", sorted(slopes))
    system = make()
    b, state = system.builder, system.state()
    along = {b.input("t"): {0: b.const(1.0)}}
    for x, y in ("qv", "va"):
        along |= {node: {0: rate} for node, rate in zip(state[x], state[y], strict=True)}
    dynamics = {k: x for k, x in system.residual(state).items() if k not in system.constraint_rows}
    last = {row - n: node for row, node in system.rates(state).items() if row >= n}
    rows = {**dynamics, **last}
    changes = gradients(b, list(rows.values()), along)
    jerks = [(row, g[0]) for row, g in zip(rows, changes, strict=True) if 0 in g]
    return first, system.finish("jerks", sorted(jerks))
