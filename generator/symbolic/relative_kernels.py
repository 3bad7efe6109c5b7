"""Straight-line kernels of a mechanism in relative coordinates, and the pattern of its matrix."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mbdgen.interface import INDEX_1, LEVELS
from mbdgen.runtime.data import IntArray
from mbdgen.symbolic.gradient import gradients
from mbdgen.symbolic.reactions import with_reactions
from mbdgen.symbolic.relative import RelativeSystem
from mbdgen.symbolic.straight import Entries
from mbdgen.symbolic.system_ir import FlatKernel


@dataclass(frozen=True)
class Straight:
    """The kernels of a mechanism in relative coordinates.

    Attributes
    ----------
    kernels : tuple of FlatKernel
        Without those that solve.
    indptr, indices : array of int
        Pattern of the matrix.
    """

    kernels: tuple[FlatKernel, ...]
    indptr: IntArray
    indices: IntArray

    @property
    def operations(self) -> int:
        """Additions, multiplications and calls of all kernels."""
        return sum(k.graph.operation_count([n for _, n in k.outputs]) for k in self.kernels)


def straight(
    make: Callable[[], RelativeSystem], read: Sequence[tuple[str, range]], n_out: int, second: bool
) -> Straight:
    """Return the kernels that evaluate.

    Parameters
    ----------
    make : callable
        Returns the equations in a new graph.
    read : sequence of (joint, multipliers)
        Branches whose reactions are asked for by outputs.
    n_out : int
        Number of outputs that the model names; the state of all bodies follows them.
    second : bool
        Whether second derivatives are wanted.
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
        _outputs(make(), read, n_out),
    ]
    mass = _written("mass", *_matrix(make, INDEX_1), at)
    more = _second(make, at) if second else ()
    return Straight((*kernels, mass, *more), indptr, indices)


def _sums(make: Callable[[], RelativeSystem], kernel: str) -> FlatKernel:
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
    make: Callable[[], RelativeSystem], weights: Sequence[float] | None = None
) -> tuple[Entries, RelativeSystem]:
    system = make()
    w = None if weights is None else [system.builder.const(x) for x in weights]
    state = system.state(**({} if w is None else {"w": w}))
    return system.matrix(state), system


def _written(
    name: str, entries: Entries, system: RelativeSystem, at: Mapping[tuple[int, int], int]
) -> FlatKernel:
    return system.finish(name, sorted((at[place], node) for place, node in entries.items()))


def _outputs(system: RelativeSystem, read: Sequence[tuple[str, range]], n_out: int) -> FlatKernel:
    """Return the kernel of the outputs, with the state of all bodies behind those of the model."""
    state = system.state()
    values = system.values("outputs", state, with_reactions(system, state, read))
    full = system.full(state)
    bodies = [node for kind in LEVELS for node in full[kind]]
    return system.finish("outputs", [*sorted(values.items()), *enumerate(bodies, start=n_out)])


def _second(
    make: Callable[[], RelativeSystem], at: Mapping[tuple[int, int], int]
) -> tuple[FlatKernel, ...]:
    """Return the kernels of second derivatives, which are derivatives of graphs too."""
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
