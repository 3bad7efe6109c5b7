"""Quaternions of graph nodes, scalar first."""

from collections.abc import Sequence

from mbdgen.symbolic.ir.graph import GraphBuilder


def constant(b: GraphBuilder, q: Sequence[float]) -> list[int]:
    """Return the nodes of four numbers."""
    return [b.const(x) for x in q]


def conjugate(b: GraphBuilder, q: Sequence[int]) -> list[int]:
    """Return the conjugate."""
    return [q[0], *(b.neg(x) for x in q[1:])]


def product(b: GraphBuilder, p: Sequence[int], q: Sequence[int]) -> list[int]:
    r"""Return :math:`p \otimes q`."""

    def total(*terms: tuple[int, int, int]) -> int:
        parts = [b.mul(p[i], q[j]) for _, i, j in terms]
        return b.total(
            [x if s > 0 else b.neg(x) for (s, _, _), x in zip(terms, parts, strict=True)]
        )

    return [
        total((1, 0, 0), (-1, 1, 1), (-1, 2, 2), (-1, 3, 3)),
        total((1, 0, 1), (1, 1, 0), (1, 2, 3), (-1, 3, 2)),
        total((1, 0, 2), (1, 2, 0), (1, 3, 1), (-1, 1, 3)),
        total((1, 0, 3), (1, 3, 0), (1, 1, 2), (-1, 2, 1)),
    ]


def axes(b: GraphBuilder, q: Sequence[int]) -> list[list[int]]:
    r"""Return the columns of the rotation matrix :math:`R(q)` of a unit quaternion."""
    two = b.const(2.0)
    s0, s1, s2, s3 = (b.mul(x, x) for x in q)

    def mixed(i: int, j: int, k: int, m: int, sign: int) -> int:
        one, other = b.mul(q[i], q[j]), b.mul(q[k], q[m])
        return b.mul(two, b.add(one, other) if sign > 0 else b.sub(one, other))

    plus, minus = b.add(s0, s1), b.sub(s0, s1)
    return [
        [b.sub(plus, b.add(s2, s3)), mixed(1, 2, 0, 3, 1), mixed(1, 3, 0, 2, -1)],
        [mixed(1, 2, 0, 3, -1), b.add(minus, b.sub(s2, s3)), mixed(2, 3, 0, 1, 1)],
        [mixed(1, 3, 0, 2, 1), mixed(2, 3, 0, 1, -1), b.sub(minus, b.sub(s2, s3))],
    ]
