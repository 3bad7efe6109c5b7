"""Structure key of an element: elements with equal keys are of one type."""

import json
from collections.abc import Sequence
from typing import Any

from mbdgen.language.bodies.body import Body
from mbdgen.language.element import is_option
from mbdgen.language.expressions.function_argument import Function
from mbdgen.language.expressions.matrix import Matrix
from mbdgen.language.expressions.scalars import is_symbolic
from mbdgen.topology.class_identity import class_identity
from mbdgen.topology.elements import FrameSpec, PartSpec, Rule, Within


def structure_key(
    role: str,
    bodies: Sequence[Body],
    labels: Sequence[str],
    frames: Sequence[FrameSpec],
    parts: Sequence[PartSpec],
    expressions: Sequence[Any],
    rule: Rule,
    within: Sequence[Within],
) -> str:
    """Return everything that the equations depend on, except the data in columns."""
    key: dict[str, Any] = {
        "role": role,
        "bodies": [_body_key(b) for b in bodies],
        "labels": labels,
        "frames": [_frame_key(f) for f in frames],
        "within": [w.label for w in within],
        "parts": [_part_key(p) for p in parts],
        "expressions": [_text(e) for e in expressions],
    }
    if rule:
        key["places"] = len(rule)
    return json.dumps(key, sort_keys=True)


def _body_key(body: Body) -> tuple[str, str]:
    assert body.kind is not None
    return class_identity(type(body.kind)), body.kind.structure(body.motion)


def _frame_key(f: FrameSpec) -> list[Any]:
    moving = (f.number, f.tangent, _text(f.curve), f.around, f.place)
    return [f.label, f.body, f.fold, f.at, *(moving if f.number >= 0 else ())]


def _part_key(part: PartSpec) -> list[Any]:
    values = [(f, getattr(part.element, f)) for f in part.element.field_names()]
    options: list[tuple[str, Any]] = [(f, v) for f, v in values if is_option(v)]
    options += [(f, (bool(v.values), v.symmetric)) for f, v in values if isinstance(v, Matrix)]
    inline = [(f, _text(e)) for f, e in part.inline]
    return [part.label, class_identity(type(part.element)), part.frames, options, inline]


def _text(e: Any) -> str:
    if isinstance(e, Function):
        return f"{e.arguments} -> {_text(e.values)}"
    if isinstance(e, tuple):
        return str(tuple(map(_text, e)))
    if not is_symbolic(e):
        return str(e)
    import sympy

    return str(sympy.srepr(e))  # str() would round floats
