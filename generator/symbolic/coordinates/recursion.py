r"""Recursive dynamics (articulated-body algorithm) in relative coordinates, as loops.

Code is printed once for each type of branch. Kernels first compute the motion of all bodies
outwards, then evaluate the rows of the elements in absolute coordinates, as in the layout loop, and
sum the wrenches of these rows inwards. The accelerations of a tree follow from articulated-body
inertias that are summed inwards as well (Featherstone), at a cost proportional to the number of
bodies:

.. math::
    s_k = \frac{y_k - U_k \cdot \delta}{d_k}, \quad U_k = \hat I S_k, \quad d_k = S_k \cdot U_k,
    \quad y_k = -S_k \cdot w, \quad \hat I \mathrel{-}= \frac{U_k U_k^T}{d_k}
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mbdgen.interface import INDEX_1, WEIGHTS
from mbdgen.language.bodies.body import Body
from mbdgen.runtime.system.system_data import IntArray
from mbdgen.symbolic.coordinates.branches import Geometry
from mbdgen.symbolic.coordinates.relative_numbering import Joined, Relation
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.graph import Graph, GraphBuilder
from mbdgen.symbolic.ir.graph_gradient import gradients
from mbdgen.symbolic.ir.quaternion_nodes import axes
from mbdgen.symbolic.lower.numbering import Numbering
from mbdgen.topology.tree import GROUND

WIDTH = 8
"""Entries of a branch in the table: type, first absolute coordinate of parent and child, its own
first coordinate, its offset in the table of parameters, its first row, the branch of its parent (-1
for the ground), its number of rows."""
LEVELS = ("", "_dot", "_ddot")
Entries = tuple[Graph, list[tuple[tuple[int, ...], int]]]


@dataclass(frozen=True)
class BranchType:
    """Type of branches with equal equations.

    Attributes
    ----------
    title : str
        Description.
    geometry : Geometry
        Graph of their kinematics.
    n_p, n_x, n_s, n_u : int
        Coordinates of parent, child and branch, and rows of the branch.
    numbers : tuple of str
        Names of the parameters of each branch.
    """

    title: str
    geometry: Geometry
    n_p: int
    n_x: int
    n_s: int
    n_u: int
    numbers: tuple[str, ...]


@dataclass(frozen=True)
class Recursion:
    """Loops of a mechanism in relative coordinates.

    Attributes
    ----------
    types : tuple of BranchType
        Types of branches.
    branches, rows : int
        Number of branches, and of their rows.
    table, cut, balls : int
        Offsets in the table of integers of the rows of `WIDTH` entries, of the multipliers that
        remain, and of the pairs of first coordinate and row of unit quaternions.
    n_balls : int
        Number of unit quaternions.
    n_q, n_lam : int
        Coordinates and multipliers of the relative system.
    all_q, all_lam : int
        Those of the mechanism in absolute coordinates.
    named : int
        Number of outputs named by the model.
    inertias : mapping of type to (Graph, entries)
        Inertia matrix for each type of body.
    """

    types: tuple[BranchType, ...]
    branches: int
    rows: int
    table: int
    cut: int
    balls: int
    n_balls: int
    n_q: int
    n_lam: int
    all_q: int
    all_lam: int
    named: int
    inertias: Mapping[str, Entries]


def recursion(
    relation: Relation,
    numbering: Numbering,
    places: Mapping[str, Mapping[str, int]],
    m: IntArray,
    named: int,
    inertias: Mapping[str, Entries],
) -> tuple[Recursion, IntArray]:
    """Return the loops, and the table of integers with their entries appended."""
    types: dict[tuple[object, ...], BranchType] = {}
    kinds = list(dict.fromkeys(j.branch.shape for j in relation.joined))
    at = {j.branch.child.name: k for k, j in enumerate(relation.joined)}
    table, row = [], 0
    for joined in relation.joined:
        branch, key = joined.branch, joined.branch.shape
        numbers = places[branch.joint]
        types.setdefault(key, _type(joined, tuple(numbers)))
        parent = branch.parent.name
        ip = 0 if parent == GROUND else numbering.body[parent]
        of_parent = -1 if parent == GROUND else at[parent]
        place = min(numbers.values())
        ic = numbering.body[branch.child.name]
        table += [kinds.index(key), ip, ic, joined.first, place, row, of_parent, joined.n_u]
        row += joined.n_u
    balls = [x for pair in relation.norms for x in pair]
    start = len(m)
    found = Recursion(
        types=tuple(types[key] for key in kinds),
        branches=len(relation.joined),
        rows=row,
        table=start,
        cut=start + len(table),
        balls=start + len(table) + len(relation.multipliers),
        n_balls=len(relation.norms),
        n_q=relation.n_q,
        n_lam=len(relation.multipliers),
        all_q=numbering.n_q,
        all_lam=numbering.n_lam,
        named=named,
        inertias=inertias,
    )
    return found, np.concatenate([m, np.array([*table, *relation.multipliers, *balls], np.int64)])


def _type(joined: Joined, numbers: tuple[str, ...]) -> BranchType:
    parent, child = joined.branch.parent.body, joined.branch.child.body
    assert child is not None and child.kind is not None
    n_p = 0 if parent is None or parent.kind is None else parent.kind.n_q
    before = "the ground" if parent is None or parent.kind is None else f"a {parent.kind.name} body"
    title = f"{', '.join(joined.names) or joined.branch.joint}: from {before}"
    return BranchType(
        f"{title} to a {child.kind.name} body", joined.geometry, n_p, child.kind.n_q, joined.n_q,
        joined.n_u, numbers,
    )  # fmt: skip


def residual_along(ir: ElementIR) -> Entries:
    """Return the directional derivative of a type's residual, for variations ``d_...``."""
    b = GraphBuilder()
    inputs = {name: b.input(name) for name in ir.graph.inputs}
    entries = ir.entries("residual")
    nodes = b.inline(ir.graph, [node for _, node in entries], inputs)
    seeds = {inputs[x.name]: {0: b.input(f"d_{x.name}")} for x in ir.inputs() if x.name in inputs}
    found = gradients(b, nodes, seeds)
    return b.finish(), [
        (index, g[0]) for (index, _), g in zip(entries, found, strict=True) if 0 in g
    ]


def inertia(ir: ElementIR, body: Body) -> Entries:
    """Return the 6 x 6 inertia of a body about its origin, in global components."""
    b = GraphBuilder()
    weights = {name: b.const(x) for name, x in zip(WEIGHTS, INDEX_1, strict=True)}
    inputs = {name: weights.get(name, b.input(name)) for name in ir.graph.inputs}
    entries = ir.entries("matrix")
    nodes = b.inline(ir.graph, [node for _, node in entries], inputs)
    mass = dict(zip((index for index, _ in entries), nodes, strict=True))
    left, right = _maps(b, ir, body)
    found: list[tuple[tuple[int, ...], int]] = []
    for i, rows in enumerate(left):
        for j, columns in enumerate(right):
            terms = [
                b.mul(b.mul(x, mass[r, c]), y)
                for r, x in rows.items()
                for c, y in columns.items()
                if (r, c) in mass
            ]
            node = b.total(terms)
            if not b.is_zero(node):
                found.append(((6 * i + j,), node))
    return b.finish(), found


Sparse = list[dict[int, int]]


def _maps(b: GraphBuilder, ir: ElementIR, body: Body) -> tuple[Sparse, Sparse]:
    """Return the maps from rows to a wrench, and from an acceleration to coordinates."""
    kind = body.kind
    assert kind is not None
    one = b.const(1.0)
    left: Sparse = [{} for _ in range(6)]
    right: Sparse = [{} for _ in range(6)]
    for c, k in enumerate(kind.position):
        left[c][k] = right[c][k] = one
    if kind.quaternion is None:
        assert kind.angle is not None
        left[5][kind.angle] = right[5][kind.angle] = one
        return left, right
    names = [x.name for x in ir.inputs() if x.array == "q"]
    first = kind.quaternion.coordinates
    q = [b.input(name) for name in names[first : first + 4]]
    for k, column in enumerate(axes(b, q)):
        for c in range(3):
            left[3 + c][kind.quaternion.moments + k] = column[c]
    half = b.const(0.5)
    h0, h1, h2, h3 = (b.mul(half, x) for x in q)
    rates = ([b.neg(h1), h0, b.neg(h3), h2], [b.neg(h2), h3, h0, b.neg(h1)],
             [b.neg(h3), b.neg(h2), h1, h0])  # fmt: skip
    for c, rate in enumerate(rates):
        for k, node in enumerate(rate):
            right[3 + c][first + k] = node
    return left, right


__all__ = ["BranchType", "Recursion", "inertia", "recursion", "residual_along"]
