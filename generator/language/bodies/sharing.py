"""Shared natural coordinates: points and vectors common to several bodies.

A joint that only says that two points coincide, or that two axes are parallel, needs no equation
then; and what one body already keeps, the length of a common vector for example, the other leaves
out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.coordinates import CoordinateBlock
from mbdgen.language.expressions.scalars import shown

if TYPE_CHECKING:
    from mbdgen.language.model import Model

BlockKey = tuple[str, int]  # a body and the number of one of its blocks


@dataclass(frozen=True)
class Shared:
    """Two blocks that are one.

    Attributes
    ----------
    a, b : (body, block)
        By their names.
    """

    a: tuple[str, str]
    b: tuple[str, str]


def shared(model: "Model", a: Any, of_a: Any, b: Any, of_b: Any) -> Shared:
    """Return the statement that two bodies have a point or vector in common, if they can."""
    first, second = _block(model, a, of_a), _block(model, b, of_b)
    if a is b:
        raise ModelError(f"'{a.name}' shares '{of_a}' with itself.", "Name two bodies.")
    points = {first.what == "point", second.what == "point"}
    if first.size != second.size or len(points) > 1:
        raise ModelError(
            f"{_described(first)} of '{a.name}' and {_described(second)} of '{b.name}' cannot be "
            "the same.",
            "Share points with points and vectors with vectors, of bodies that are both in the "
            "plane or both in space.",
        )
    return Shared((a.name, of_a), (b.name, of_b))


def common(model: "Model") -> dict[BlockKey, BlockKey]:
    """Return for every block of every body the first one that it is the same as."""
    same = {block: block for block in _keys(model)}

    def first(block: BlockKey) -> BlockKey:
        while same[block] != block:
            block = same[block]
        return block

    order = {block: k for k, block in enumerate(same)}
    for pair in model.shared:
        ends = [first(_key(model, *end)) for end in (pair.a, pair.b)]
        early, late = sorted(ends, key=order.__getitem__)
        same[late] = early
    return {block: first(block) for block in same}


def leave_out_repeated(model: "Model") -> None:
    """Omit rigidity conditions of every body already imposed by an earlier one."""
    same = common(model)
    kept: set[frozenset[frozenset[BlockKey]]] = set()
    for body in model.bodies.values():
        assert body.kind is not None
        left_out = []
        for k, condition in enumerate(body.kind.conditions(body.motion)):
            known = frozenset(frozenset(same[body.name, c] for c in arm) for arm in condition)
            if known in kept:
                left_out.append(k)
            kept.add(known)
        body.motion = replace(body.motion, left_out=tuple(left_out))


def _keys(model: "Model") -> Iterator[BlockKey]:
    for body in model.bodies.values():
        assert body.kind is not None
        yield from ((body.name, k) for k in range(max(1, len(body.kind.blocks))))


def _key(model: "Model", body: str, block: str) -> BlockKey:
    kind = model.bodies[body].kind
    names = [x.name for x in kind.blocks] if kind is not None else []
    if block not in names:
        raise _missing(model.bodies[body], block)
    return body, names.index(block)


def _block(model: "Model", body: Any, name: Any) -> CoordinateBlock:
    if not isinstance(body, Body) or body.model is not model or body.kind is None:
        raise ModelError(
            f"{shown(body)} shares a point or vector, but is no moving body of '{model.name}'.",
            "Name two bodies of this model; with the ground use a joint.",
        )
    found = [block for block in body.kind.blocks if block.name == name and block.what]
    if not found:
        raise _missing(body, name)
    return found[0]


def _missing(body: Body, name: Any) -> ModelError:
    kind = body.kind
    blocks = [x for x in kind.blocks if x.what] if kind is not None else []
    listed = ", ".join(_described(x) for x in blocks) or "none"
    return ModelError(
        f"Body '{body.name}' has no point or vector {shown(name)} to share.",
        f"It has: {listed}. Bodies with coordinates='natural' have some.",
    )


def _described(block: CoordinateBlock) -> str:
    where = "of the plane " if block.size == 2 else ""
    return f"{block.what} {where}'{block.name}'"
