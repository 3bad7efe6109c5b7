"""Penalty formulation: constraints of a group as stiff elements in the equations of motion."""

from collections.abc import Sequence

from mbdgen.symbolic.lower.flatten import WholeMechanism

Nodes = dict[tuple[int, int], int]
"""Nodes by local row and column."""


def stiff_elements(
    w: WholeMechanism, state: dict[str, list[int]], rows: Sequence[int]
) -> tuple[Nodes, dict[int, int]]:
    r"""Return :math:`\alpha G^T H` and :math:`\alpha G^T (\ddot\Phi + w_1\dot\Phi + w_0\Phi)`.

    The second by rows, at zero accelerations. Norm equations of unit vectors are not constraints of
    the mechanism and are not included.
    """
    b, n, n_q = w.builder, w.numbering.n, w.numbering.n_q
    alpha, w_1, w_0 = (w.load(name, "w", k) for k, name in enumerate(("alpha", "w_1", "w_0")))
    phi, rates, matrix = (w.values(k, state) for k in ("residual", "rates", "matrix"))
    zero = b.const(0.0)
    entries: dict[tuple[int, int], list[int]] = {}
    pulls: dict[int, list[int]] = {}
    for r in rows:
        violation = b.total(
            [
                rates.get(n + r, zero),
                b.mul(w_1, rates.get(r, zero)),
                b.mul(w_0, phi.get(r, zero)),
            ]
        )
        H = {c: matrix[r * n + c] for c in range(n_q) if r * n + c in matrix}
        if r < n_q:
            directions = {r: b.const(1.0)}
        else:
            directions = {
                k: b.mul(alpha, b.neg(matrix[k * n + r])) for k in range(n_q) if k * n + r in matrix
            }
        for k, g in directions.items():
            pulls.setdefault(k, []).append(b.mul(g, violation))
            for c, h in H.items():
                entries.setdefault((k, c), []).append(b.mul(g, h))
    return (
        {place: b.total(entries[place]) for place in sorted(entries)},
        {k: b.total(pulls[k]) for k in sorted(pulls)},
    )
