"""Markers moving along curves fixed in rigid bodies."""

from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.language.expressions.function_argument import CURVE, Function
from mbdgen.language.expressions.scalars import Scalar, as_scalar, entries, shown, value_of
from mbdgen.language.markers.path import (
    MovingMarker,
    Path,
    PathCurve,
    PathPiece,
    check_between,
    path_coordinate,
)

if TYPE_CHECKING:
    from mbdgen.language.bodies.body import Body
    from mbdgen.language.model import Model


def along_curve(
    body: "Body", name: str, curve: Any, start: Any, *, speed: Any, ends: Any, normal: Any
) -> MovingMarker:
    """Return a marker moving along a curve, with the axes of the curve: e1 is the tangent.

    Parameters
    ----------
    body : Body
        The body that carries the curve; may be the ground.
    name : str
        Name of the marker; its coordinate ``NAME.s`` is the parameter of the curve.
    curve : callable
        Returns x, y, z from the body's reference point in its axes, such as
        ``lambda s: (cos(s), sin(s), 0)``. It must be regular (non-zero derivative) with three
        continuous derivatives.
    start, speed : scalar
        Initial parameter, from which assembly begins, and its rate.
    ends : two scalars, optional
        Limits of the parameter; a run ends when it leaves them.
    normal : 3 scalars or callable, optional
        Direction to which e2 is closest, as a function of the parameter; by default the principal
        normal (Frenet frame), which is undefined where the curve is straight. Where z is constant,
        it is the left normal seen from above instead.
    """
    what = f"point '{name}' along a curve of body '{body.name}'"
    if body.kind is not None and not body.kind.turns:
        raise ModelError(f"{what}: that is a point, which has no axes.", "Take another body.")
    if body.kind is not None and body.kind.flexible:
        raise ModelError(
            f"{what}: that body deforms, and no curve is fixed in it.",
            "Use along of its beam, as in beam.along(name, start), or take a rigid body.",
        )
    known = body.model.parameter_defaults
    position = CURVE.of(curve, f"curve of {what}")
    begin = as_scalar(start, f"start of {what}")
    found = PathCurve(position, _normal(body, position, normal, what))
    slope = [value_of(x, known, f"slope of {what}") for x in position.derivative()(begin)]
    if not any(slope):
        raise ModelError(f"The curve of {what} rests at its start.", "Give another parameter.")
    path = Path(
        path_coordinate(body.model, name, begin, speed),
        (PathPiece(body, 0.0),),
        _ends(body.model, ends, begin, what),
        found,
    )
    body.model.paths[name] = path
    x, y, z = position(begin)
    return MovingMarker(body, (x, y, z), path=path, axes_at_start=found.axes(begin))


def _normal(body: "Body", position: Function, given: Any, what: str) -> Function | None:
    level = position.derivative().values[2] == 0
    if body.kind is not None and body.kind.planar and not (level and given is None):
        raise ModelError(
            f"{what} leaves the plane of that body.", "Give a curve with z = 0, and no normal."
        )
    if given is None:
        return None if level else position.derivative().derivative()
    return CURVE.of(given, f"normal of {what}")


def _ends(model: "Model", given: Any, start: Scalar, what: str) -> tuple[Scalar, Scalar] | None:
    if given is None:
        return None
    listed = entries(given)
    if listed is None or len(listed) != 2:
        raise ModelError(f"The ends of {what} are {shown(given)}.", "Give two numbers.")
    low, high = (as_scalar(x, f"end of {what}") for x in listed)
    check_between(model, (low, start, high), what)
    return low, high
