"""Outputs: named quantities, compiled as kernels and stored in the result."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.language.expressions.placeholders import Components, PlaceholderQuantity
from mbdgen.language.expressions.scalars import as_scalar, entries, is_number, is_symbolic, shown
from mbdgen.language.markers.marker import Marker

if TYPE_CHECKING:
    from mbdgen.language.attached import Attached
    from mbdgen.language.model import Model


@dataclass(frozen=True)
class Output:
    """A named result of one or several components.

    Attributes
    ----------
    name : str
        Name of the group.
    components : tuple of (suffix, expression)
        The suffix is empty for a scalar.
    unit : str
        Unit, for labels.
    component_units : tuple of str
        Units of the components, where they differ.
    """

    name: str
    components: tuple[tuple[str, Any], ...]
    unit: str
    component_units: tuple[str, ...] = ()

    def units(self) -> tuple[str, ...]:
        """Return the unit of every component."""
        return self.component_units or (self.unit,) * len(self.components)

    def names(self) -> list[str]:
        """Return the names of the components."""
        return [f"{self.name}.{s}" if s else self.name for s, _ in self.components]


def reported(name: str, source: "Attached", measures: Sequence[str]) -> Output:
    """Return measures of an element of a model as one output."""
    parts: list[tuple[str, Any]] = []
    units = []
    for what in measures:
        count = source.measures()[what]
        suffixes = [what] if count == 1 else [f"{what}.{c}" for c in "xyz"]
        parts += [
            (s, PlaceholderQuantity(source, what, -1 if count == 1 else k))
            for k, s in enumerate(suffixes)
        ]
        units += [source.element.units.get(what, "")] * len(suffixes)
    return Output(name, tuple(parts), "", component_units=tuple(units))


def as_output(model: "Model", name: str, what: Any, unit: str) -> Output:
    """Return an output from a marker, a placeholder, a vector or an expression."""
    if isinstance(what, Marker):
        if what.body.model is not model:
            raise ModelError(
                f"Output '{name}' is a marker on '{what.body.name}' of another model.",
                "Use markers of the same model.",
            )
        # Quantities instead of symbols: plain outputs do not need SymPy when a model is read.
        position = tuple((c, PlaceholderQuantity(what, "r", k)) for k, c in enumerate("xyz"))
        return Output(name, position, unit or "m")
    if isinstance(what, Components):
        parts = tuple(zip(what.suffixes, what, strict=True))
        return Output(name, parts, unit or what.unit)
    items = entries(what)
    if items is not None:
        if not items:
            raise ModelError(f"Output '{name}' is empty.", "Give at least one expression.")
        suffixes = "xyz" if len(items) == 3 else [str(k) for k in range(len(items))]
        values = [as_scalar(e, f"output '{name}'") for e in items]
        return Output(name, tuple(zip(suffixes, values, strict=True)), unit)
    if not is_symbolic(what) and not is_number(what):
        raise ModelError(
            f"Output '{name}' is {shown(what)}.",
            "Give a marker such as body.at(x, y, z), a measure such as joint.angle, a vector or an "
            "expression of them.",
        )
    expr = as_scalar(what, f"output '{name}'")
    return Output(name, (("", expr),), unit or _unit(model, expr))


def _unit(model: "Model", expr: Any) -> str:
    """Return the unit of an expression if that is plain."""
    if expr not in model.book:
        return _unit_of_sum(model, expr)
    quantity = model.book.meaning(expr)
    source, what = quantity.source, quantity.what
    if isinstance(source, Marker):
        measured = {} if source.body.kind is None else source.body.kind.measured_units()
        if what in measured:
            return measured[what]
        return {"r": "m", "v": "m/s", "acceleration": "m/s2", "w": "rad/s"}.get(what, "1")
    from mbdgen.language.attached import Attached

    if isinstance(source, Attached):
        known = {"force": "N", "torque": "N m", "load": "N"}
        return source.element.units.get(what, known.get(what, ""))
    on_beam = any(p.number is source and p.curve is None for p in model.paths.values())
    lengths = {"number": "m", "rate": "m/s"} if on_beam else {}
    return {"angle": "rad", "angle_rate": "rad/s", **lengths}.get(what, "")


def _unit_of_sum(model: "Model", expr: Any) -> str:
    """Return rad for sums of integer multiples of angles."""
    if not is_symbolic(expr):
        return ""
    terms = expr.as_coefficients_dict()
    terms.pop(1, None)
    units = [_unit(model, term) for term in terms if term in model.book]
    whole = all(factor.is_Integer for factor in terms.values())
    if not whole or not terms or len(units) < len(terms) or set(units) != {"rad"}:
        return ""
    return "rad"
