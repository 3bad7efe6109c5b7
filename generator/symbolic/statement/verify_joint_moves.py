"""Verification of joint moves against the joint equations, at random states.

A user's joint class that inherits moves and adds an equation remains constraint equations.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from mbdgen.geometry.frames import of_body
from mbdgen.language.bodies.body import Body
from mbdgen.language.expressions.scalars import value_of
from mbdgen.language.markers.joint_moves import Ball, coordinates, freedoms
from mbdgen.language.model import Model
from mbdgen.symbolic.coordinates.branches import geometry, numbers_of
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.topology.elements import ElementSpec
from mbdgen.topology.tree import Branch, branch_of, possible, reverse

SAMPLES = 2
SAME = 1e-9


def joints_with_wrong_moves(
    model: Model, specs: Sequence[ElementSpec], irs: Mapping[str, ElementIR]
) -> frozenset[str]:
    """Return the joints whose equations are not those of their moves."""
    known: dict[str, bool] = {}
    found = []
    for spec in specs:
        if (branch := branch_of(spec)) is None:
            continue
        if spec.key not in known:
            ways = (way for way in (branch, reverse(branch)) if possible(way))
            known[spec.key] = all(_fits(model, spec, irs[spec.key], way) for way in ways)
        if not known[spec.key]:
            found.append(spec.name)
    return frozenset(found)


def _fits(model: Model, spec: ElementSpec, ir: ElementIR, way: Branch) -> bool:
    """Return whether the moves satisfy the equations, and have as many degrees of freedom."""
    child = way.child.body
    assert child is not None and child.kind is not None
    if child.kind.n_u - freedoms(way.moves) != ir.n_lam:
        return False
    graph = geometry(way)
    what = f"{spec.title} '{spec.name}'"
    values = {c: value_of(x, model.parameter_defaults, what) for c, x in spec.columns}
    numbers = {c: value_of(x, model.parameter_defaults, what) for c, x in numbers_of(way).items()}
    rng = np.random.default_rng(1)
    for _ in range(SAMPLES):
        parent = _random_place(way.parent.body, rng)
        inputs = numbers | {f"p{k}": x for k, x in enumerate(parent)}
        inputs |= {f"s{k}": x for k, x in enumerate(_random_moves(way, rng))}
        placed = evaluate(graph.graph, graph.q, inputs)
        state = {"t": 0.0, **values}
        for body, q in ((way.parent.body, parent), (child, placed)):
            if body is not None and body.kind is not None:
                label = spec.labels[spec.bodies.index(body)]
                names = (of_body(c, label) for c in body.kind.coordinates)
                state |= zip(names, q, strict=True)
        equations = [node for (row,), node in ir.entries("residual") if row >= ir.n_q]
        if not np.abs(evaluate(ir.graph, equations, state)).max(initial=0.0) <= SAME:
            return False
    return True


def _random_place(body: Body | None, rng: np.random.Generator) -> list[float]:
    if body is None or body.kind is None:
        return []
    q = rng.normal(size=body.kind.n_q)
    for first, size in body.kind.unit_blocks:
        q[first : first + size] /= np.linalg.norm(q[first : first + size])
    found: list[float] = q.tolist()
    return found


def _random_moves(way: Branch, rng: np.random.Generator) -> list[float]:
    q = rng.normal(size=len(coordinates(way.moves)))
    first = 0
    for move in way.moves:
        if isinstance(move, Ball):
            q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
        first += len(move.coordinates)
    found: list[float] = q.tolist()
    return found
