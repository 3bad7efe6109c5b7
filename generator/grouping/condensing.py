r"""Static condensation (Schur complement): elimination of a group's own unknowns.

For the penalty equations of a group, with own unknowns :math:`x`, shared unknowns :math:`y`, and
including the contributions of later groups to its rows,

.. math::
    K_{xx} x + K_{xy} y = b_x \;\Rightarrow\; x = K_{xx}^{-1} b_x - K_{xx}^{-1} K_{xy}\, y, \qquad
    \Delta K_{yy} = -K_{yx} K_{xx}^{-1} K_{xy}, \quad \Delta b_y = -K_{yx} K_{xx}^{-1} b_x

in straight-line code. ``K`` is symmetric, and positive definite where the group determines its
unknowns: pivots are on the diagonal at all positions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mbdgen.grouping.stiff import Nodes, stiff_elements
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.symbolic.ir.system_ir import FlatKernel
from mbdgen.symbolic.lower.flatten import WholeMechanism

LOST = 1e-13
"""Fraction of its initial value below which a pivot is round-off."""
FIRST_ENTRY = 3
"""Offset in ``w``, behind the weights, of the contributions of other groups."""

Places = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Condensing:
    """Kernel of the elimination, and the local indices of its input and output.

    Attributes
    ----------
    kernel : FlatKernel
        Writes changes of ``added`` entries, changes of the right-hand side in the rows of
        ``border``, then the own unknowns for ``y = 0``, then ``K_xx^-1 K_xy`` by columns.
    front : tuple of (row, column)
        Matrix entries that it reads, behind the weights.
    border : tuple of int
        Coordinates of other groups.
    added : tuple of (row, column)
        Entries of the border.
    """

    kernel: FlatKernel
    front: Places
    border: tuple[int, ...]
    added: Places


def condensing(
    w: WholeMechanism,
    state: dict[str, list[int]],
    rows: Sequence[int],
    own: Sequence[int],
    front: Places,
) -> Condensing:
    """Return the elimination of a group's own unknowns.

    Parameters
    ----------
    own : sequence of int
        Local indices of the unknowns.
    front : tuple of (row, column)
        Existing entries in their rows, each pair once, the smaller index first.
    """
    b = w.builder
    stiff, pulls = stiff_elements(w, state, rows)
    upper = {place: node for place, node in stiff.items() if place[0] <= place[1]}
    K: Nodes = dict(upper)
    for k, place in enumerate(front):
        left = w.load(f"K_{place[0]}_{place[1]}", "w", FIRST_ENTRY + k)
        K[place] = b.add(left, K[place]) if place in K else left
    border = tuple(sorted({c for place in K for c in place} - set(own)))
    zero = b.const(0.0)
    rhs = {i: b.sub(w.load(f"f_{i}", "a", i), pulls.get(i, zero)) for i in own}
    rhs |= {c: b.neg(pulls.get(c, zero)) for c in border}
    lines, guards = _eliminated(b, K, rhs, own)
    added = tuple(sorted({(r, c) for p in K for r, c in (p, p[::-1]) if not {r, c} & set(own)}))
    results = [K[min(p), max(p)] for p in added] + [rhs[c] for c in border]
    results += _solutions(b, lines, own, border)
    kernel = w.finish("condense", list(enumerate(results)), guards)
    return Condensing(kernel, front, border, added)


@dataclass(frozen=True)
class _Line:
    """Eliminated unknown: ``x = known - sum(entries x_others)``."""

    unknown: int
    known: int
    entries: Mapping[int, int]


def _eliminated(
    b: GraphBuilder, K: Nodes, rhs: dict[int, int], own: Sequence[int]
) -> tuple[list[_Line], tuple[tuple[int, float], ...]]:
    """Eliminate in place, in minimum-degree order; return lines and guards of pivots."""
    b.section("elimination of its own unknowns")
    first = {i: K[i, i] for i in own}
    left, lines, guards = set(own), [], []
    while left:
        others = {i: sorted({c for p in K if i in p for c in p} - {i}) for i in sorted(left)}
        i = min(others, key=lambda k: (len(others[k]), k))
        pivot = K.pop((i, i))
        inverse = b.div(b.const(1.0), pivot)
        if not (b.is_constant(pivot) or pivot == first[i]):
            guards.append((b.div(pivot, first[i]), LOST))
        row = {j: K.pop((min(i, j), max(i, j))) for j in others[i]}
        entries = {j: b.mul(node, inverse) for j, node in row.items()}
        for j, node in row.items():
            rhs[j] = b.sub(rhs[j], b.mul(entries[j], rhs[i]))
            for k in others[i]:
                if j <= k:
                    change = b.mul(node, entries[k])
                    K[j, k] = b.sub(K[j, k], change) if (j, k) in K else b.neg(change)
        lines.append(_Line(i, b.mul(rhs[i], inverse), entries))
        left.discard(i)
    return lines, tuple(guards)


def _solutions(
    b: GraphBuilder, lines: Sequence[_Line], own: Sequence[int], border: Sequence[int]
) -> list[int]:
    """Return the own unknowns for ``y = 0``, then the columns of ``K_xx^-1 K_xy``."""
    b.section("its own unknowns")
    alone: dict[int, int] = {}
    taken: dict[tuple[int, int], int] = {}
    for line in reversed(lines):
        inner = {j: node for j, node in line.entries.items() if j in alone}
        known = b.total([b.mul(node, alone[j]) for j, node in inner.items()])
        alone[line.unknown] = b.sub(line.known, known)
        for c in border:
            terms = [b.mul(node, taken[j, c]) for j, node in inner.items()]
            direct = line.entries.get(c, b.const(0.0))
            taken[line.unknown, c] = b.sub(direct, b.total(terms))
    return [alone[i] for i in own] + [taken[i, c] for c in border for i in own]
