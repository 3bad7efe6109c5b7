"""Attachment of joints and forces to markers: validation of ends, axes and fields."""

import math
from dataclasses import MISSING, fields, replace
from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.interval import POSITIVE, Interval
from mbdgen.language.argument_words import check_known
from mbdgen.language.beams.beam import Beam
from mbdgen.language.bodies.body import Body
from mbdgen.language.element import Element
from mbdgen.language.expressions.bounds import Bound, check_bounds
from mbdgen.language.expressions.function_argument import Function
from mbdgen.language.expressions.matrix import Matrix
from mbdgen.language.expressions.scalars import (
    Scalar,
    Vec3,
    as_scalar,
    entries,
    shown,
    space,
    vector3,
)
from mbdgen.language.markers.marker import Marker
from mbdgen.language.markers.triad import triad
from mbdgen.usable import title

if TYPE_CHECKING:
    from mbdgen.language.attached import Attached
    from mbdgen.language.model import Model

_PLACING = ("at", "axis_a", "axis_b", "reference")


def attach(
    model: "Model", name: str, element: type[Element], ends: tuple[Any, ...], given: dict[str, Any]
) -> "Attached":
    """Return the element with markers and complete fields.

    Parameters
    ----------
    ends : markers or bodies
        One for each end; bodies need ``at=`` (default: their origin).
    given : dict
        Fields of the element and its initial position and axes: `at` (initial global point),
        `axis`, `axis_a`, `axis_b`, `reference` (directions in global axes).
    """
    from mbdgen.language.attached import Attached

    what = f"{element.name} '{name}'"
    _check_measures(element)
    ends = (*ends, *(given.pop(e) for e in element.ends[len(ends) :] if e in given))
    said = {k: given.pop(k, None) for k in _PLACING}
    said["axis"] = given.pop(element.axis_name, None)
    placing = {k: value for k, value in said.items() if value is not None}
    _check_fields(element, given, what)
    if len(ends) != len(element.ends):
        raise ModelError(
            f"{what} has {len(element.ends)} ends, but {len(ends)} were given.",
            "Give that many markers or bodies after the name.",
        )
    if element.keeps_orientation and "at" not in placing and all(isinstance(e, Body) for e in ends):
        placing["at"] = ends[-1].motion.position  # joined as they are, not with common origins
    markers = tuple(
        _marker(model, end, label, placing, element, what)
        for end, label in zip(ends, element.ends, strict=True)
    )
    if len(markers) == 2 and _joined_to_itself(*markers):
        raise ModelError(
            f"{what} joins {markers[0].body.called} to itself.", "Give markers of two bodies."
        )
    if markers and all(m.body.is_ground for m in markers):
        raise ModelError(f"{what} acts on the ground only.", "Attach it to a moving body.")
    if element.distributed or element.on_flexible:
        _check_flexible(markers[0], what)
    statement = element(**_values(element, given, what))
    _check_ranges(model, statement, what)
    statement.check_markers(what, *markers)
    statement = _completed(statement, markers, what)
    if element.apart:
        _check_apart(model, markers, what)
    _check_ranges(model, statement, what)
    owned = [_auxiliary(model, name, statement, label) for label in statement.owned()]
    return Attached(model, name, statement, (*markers, *owned))


def _check_flexible(marker: Marker, what: str) -> None:
    """Reject distributed elements on bodies without length."""
    kind = marker.body.kind
    if kind is None or not kind.flexible:
        raise ModelError(
            f"{what} acts along a beam, but '{marker.body.name}' is rigid.",
            "Give it a beam, m.beam(...), first.",
        )
    if kind.deformations:
        raise ModelError(
            f"{what} acts along a beam, but '{marker.body.name}' is described by a floating frame "
            "and has no sections.",
            "Give it a beam, m.beam(...), first, or use forces at points of the body.",
        )


def _auxiliary(model: "Model", name: str, statement: Element, label: str) -> Marker:
    """Return the marker of an auxiliary coordinate: a massless body, ``NAME_LABEL``."""
    begin = (statement.owned()[label], 0.0)
    kind: dict[str, Any] = {"coordinates": "auxiliary", "position": begin}
    if statement.of_first_order:
        kind = {"coordinates": "state", "velocity": begin}
    return model.body(f"{name}_{label}", 0.0, **kind).origin


def _marker(
    model: "Model",
    end: Any,
    label: str,
    placing: dict[str, Any],
    element: type[Element],
    what: str,
) -> Marker:
    marker = _placed(model, end, placing, what)
    axis = placing.get(f"axis_{label}", placing.get("axis"))
    if axis is None:
        if element.axis and not isinstance(end, Marker):
            raise ModelError(
                f"{what} has no {element.axis_name}.",
                f"Give {element.axis_name}=(x, y, z) in global axes.",
            )
        if not element.keeps_orientation:
            return marker
        axis = (0.0, 0.0, 1.0)
    return replace(marker, axes=_local_axes(model, marker, axis, placing.get("reference"), what))


def _placed(model: "Model", end: Any, placing: dict[str, Any], what: str) -> Marker:
    if isinstance(end, Marker):
        _check_owner(model, end.body, what)
        if "at" in placing:
            raise ModelError(
                f"{what} is given a marker and `at`.", "Give either markers, or bodies with at=."
            )
        return end
    if isinstance(end, Beam):
        raise ModelError(
            f"{what} is attached to the beam '{end.name}', which has many points.",
            f"Give one of them: {end.name}.start, {end.name}.end, {end.name}.node(k) or "
            f"{end.name}.at(s).",
        )
    if not isinstance(end, Body):
        raise ModelError(
            f"{what} is attached to {shown(end)}, which is not a body of this model.",
            "Give a body, a marker such as body.at(x, y, z), or model.ground.",
        )
    _check_owner(model, end, what)
    if "at" not in placing:
        return end.origin
    x, y, z = space(placing["at"], f"point `at` of {what}")
    return end.at(x, y, z, axes="global")


def _check_owner(model: "Model", body: Body, what: str) -> None:
    if body.model is not model:
        raise ModelError(
            f"{what} is attached to '{body.name}' of another model, '{body.model.name}'.",
            "Use bodies of the same model.",
        )


def _local_axes(
    model: "Model", marker: Marker, axis: Any, reference: Any, what: str
) -> tuple[Vec3, Vec3, Vec3]:
    """Transform a triad from global axes to body axes."""
    known = model.parameter_defaults
    e1, e2, e3 = triad(axis, reference, defaults=known, what=f"axis of {what}")
    turn = marker.local_direction
    return turn(e1), turn(e2), turn(e3)


def _check_measures(element: type[Element]) -> None:
    for name, components in element.measures.items():
        if components not in (1, 3):
            raise ModelError(
                f"{title(element)} gives its {name!r} {shown(components)} components.",
                "Use 1 for a number and 3 for a vector.",
            )


def _check_fields(element: type[Element], given: dict[str, Any], what: str) -> None:
    # Position keywords have been removed from the arguments, but may be meant.
    known = *element.field_names(), "at", element.axis_name, *_PLACING[1:]
    check_known(what, given, known)


def _values(element: type[Element], given: dict[str, Any], what: str) -> dict[str, Any]:
    """Validate the fields by their defaults; None selects the default."""
    found = {}
    for field in fields(element):
        value, default = given.get(field.name), field.default
        whole = isinstance(default, Function | Matrix)
        if value is None and isinstance(default, Function) and not default.values:
            raise ModelError(f"{what} lacks {field.name}.", "Give it as a named argument.")
        if value is not None or (field.name in given and default is not None and not whole):
            found[field.name] = _value(element, field.name, default, value, what)
        elif field.default is MISSING:
            raise ModelError(f"{what} lacks {field.name}.", "Give it as a named argument.")
    return found


def _value(element: type[Element], field: str, default: Any, x: Any, what: str) -> Any:
    what = f"{field} of {what}"
    if isinstance(default, Function | Matrix):
        return default.of(x, what)
    if isinstance(default, str | bool) or field in element.choices:
        allowed: tuple[Any, ...] = (True, False)
        if not isinstance(default, bool):
            allowed = element.choices.get(field, (x,) if isinstance(x, str) else (default,))
        if not isinstance(x, bool if isinstance(default, bool) else str) or x not in allowed:
            listed = ", ".join(map(repr, allowed))
            raise ModelError(f"{what} is {shown(x)}.", f"Use one of: {listed}.")
        return x
    if element.takes_vector(field) or (default is MISSING and entries(x) is not None):
        return vector3(x, what)
    return as_scalar(x, what)


def _check_ranges(model: "Model", element: Element, what: str) -> None:
    ranges = {**dict.fromkeys(element.positive, (0.0, math.inf)), **element.between}
    for field, (low, high) in sorted(ranges.items()):
        x = getattr(element, field)
        if x is None:
            continue  # its value follows from the others
        check_bounds(model, Bound(x, f"{field} of {what}", Interval(low, high)))


def _check_apart(model: "Model", markers: tuple[Marker, ...], what: str) -> None:
    """Reject coincident points: the direction between them is undefined."""
    a, b = markers
    gap: Scalar = sum((y - x) ** 2 for x, y in zip(a.global_point, b.global_point, strict=True))
    ends = f"the distance of the ends of {what} on {a.body.called} and {b.body.called}"
    apart = "Give two points that are apart at the start."
    check_bounds(model, Bound(gap**0.5, ends, POSITIVE, apart))


def _completed(statement: Element, markers: tuple[Marker, ...], what: str) -> Element:
    missing = [k for k in statement.field_names() if getattr(statement, k) is None]
    if not missing:
        return statement
    values = statement.defaults(*markers)
    rest = [k for k in missing if k not in values]
    if rest:
        raise ModelError(f"{what} lacks {', '.join(rest)}.", "Give it as a named argument.")
    return replace(statement, **{k: values[k] for k in missing})


def _joined_to_itself(a: Marker, b: Marker) -> bool:
    """Return whether two markers have no relative motion (points of a flexible body have)."""
    if a.body is not b.body:
        return False
    return a.body.kind is None or not a.body.kind.flexible or a.point == b.point
