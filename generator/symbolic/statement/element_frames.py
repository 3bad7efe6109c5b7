"""Symbolic frames of an element: fixed in a body, moving along it, or along a curve in it."""

from collections.abc import Callable, Sequence
from typing import Any

from mbdgen.geometry.frames import BodySymbols, Frame, Glide
from mbdgen.geometry.moving import CurveFrame, Triad, along_curve, composed
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero
from mbdgen.language.expressions.function_argument import Function
from mbdgen.language.expressions.piecewise_index import around
from mbdgen.symbolic.derive.tape import Tape
from mbdgen.topology.elements import FrameSpec


def frame_of(
    f: FrameSpec,
    bodies: Sequence[BodySymbols],
    tape: Tape,
    column: Callable[[str], Expr],
    resolved: Callable[[Function], Any],
) -> Frame:
    """Return the symbolic frame of a frame specification.

    Parameters
    ----------
    bodies : sequence of BodySymbols
        Bodies of the element.
    column : callable
        ``column(name)`` is the symbol of a column.
    resolved : callable
        ``resolved(function)`` is a function of a user, in symbols.
    """
    body = None if f.body < 0 else bodies[f.body]
    if f.fold is None:
        return Frame(f.label, body, zero(), None, tape)
    point = Vec(*(column(e) if isinstance(e, str) else e for e in f.point()))
    # Structure contains 0, 1 and -1; as integers they vanish from products.
    x, y, z = (Vec(*(column(e) if isinstance(e, str) else int(e) for e in row)) for row in f.axes())
    number = bodies[f.number] if f.number >= 0 else None
    if f.curve is not None and number is not None:

        def stated(what: str, function: Function) -> Vec:
            return tape.vector(f"{what}_{f.label}", resolved(function)(number.q[0]))

        at, triad = _on_curve(f.label, tape, f.curve, stated)
        return CurveFrame(f.label, body, point + at, composed(triad, (x, y, z)), tape, number)
    if body is None:
        return Frame(f.label, body, point, (x, y, z), tape)
    place = {name: column(c) for name, c in zip(f.place, f.place_columns(), strict=True)}
    if number is not None:
        at = number.q[0]
        if f.around:
            at = tape.name(f"on_{f.label}", around(at, column(f.around)))
        glide = Glide(number, at - column(f.begin_column), f.tangent)
        return body.kind.gliding_frame(f.label, body, point, (x, y, z), place, glide)
    return body.kind.frame(f.label, body, point, (x, y, z), place)


def _on_curve(
    label: str,
    tape: Tape,
    curve: tuple[Function, Function | None],
    stated: Callable[[str, Function], Vec],
) -> tuple[Vec, Triad]:
    """Return the frame at a position along a curve that is fixed in a body."""
    position, normal = curve
    place, slope = stated("curve", position), stated("slope", position.derivative())
    wanted = None if normal is None else stated("wanted", normal)
    return place, along_curve(tape, label, slope, wanted)
