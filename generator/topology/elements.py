"""Specification of elements for the derivation: structure, and data (columns of tables).

Two elements with the same structure share one derivation and one kernel; their data go to columns
of a table. Functions of time and user expressions are structure, the parameters in them are data.
"""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.symbolic_vectors import AXES
from mbdgen.interface import LOCALS
from mbdgen.language.bodies.body import Body
from mbdgen.language.element import Element
from mbdgen.language.expressions.function_argument import Function
from mbdgen.language.expressions.scalars import Scalar

Column = tuple[str, Scalar]
Rule = tuple[tuple[float, float], ...]
Fold = tuple[tuple[float | None, ...], ...]  # structural entries of local axes, None for columns

_FRAME_NOTES = {
    "s": "point of frame {} in its body [m]",
    "l": "axes of frame {} in its body [1]",
    "shape": "displacement or turn of frame {} by a mode",
}
_MEANINGS = {"s": "a point", "l": "an axis", "g": "gravity", "shape": "a shape"}
_BODY_NOTES = {"g": "gravity [m/s^2]", "m": "mass [kg]", "I": "inertia [kg m^2]"}


def column_name(part: str, field: str, component: str = "") -> str:
    """Return the column of a field; names that are reserved in kernels get an underscore."""
    name = f"{part}{field}_{component}" if component else f"{part}{field}"
    return f"{name}_" if name in LOCALS else name


def gravity_column(component: str) -> str:
    """Return the column of a component of gravity."""
    return f"g_{component}"


def parameter_column(name: str) -> str:
    """Return the column of a named parameter in an expression."""
    return f"par_{name}"


def column_meaning(column: str) -> str:
    """Describe the content of a column, for messages."""
    first = column.partition("_")[0]
    return column[4:] if first == "par" else _MEANINGS.get(first, first)


def column_note(role: str, column: str) -> str:
    """Return meaning and SI unit of a column of a frame or a body; empty for a field."""
    first, *more = column.split("_")
    if first in _FRAME_NOTES and len(more) == 2:
        return _FRAME_NOTES[first].format(more[0])
    return _BODY_NOTES.get(first, "") if role == "body" and more else ""


@dataclass(frozen=True)
class Within:
    """Range of a path coordinate, ``begin <= s < end``, in which an element is active.

    Attributes
    ----------
    label : str
        Label of the path coordinate among the bodies of the element.
    number : str
        Name of the path coordinate in the equations.
    around : str
        Column of the length of a closed path; the coordinate is taken modulo this length.
    """

    label: str
    number: str
    around: str = ""

    @property
    def borders(self) -> tuple[str, str]:
        """Columns of the two bounds."""
        return f"from_{self.label}", f"to_{self.label}"


@dataclass(frozen=True)
class FrameSpec:
    """Frame of an element.

    Attributes
    ----------
    label : str
        Its letter.
    body : int
        Index in the element's bodies, -1 for the ground.
    fold : tuple, or None
        Entries of the local axes that are structure; None if the body has no orientation.
    at : tuple
        Entries of its point that are structure: a number, or the abscissa of a quadrature.
    place : tuple of str
        Names of further quantities of its body at the point (`Coordinates.place_of`).
    number : int
        Index of the path coordinate (a body) by which it moves along its own body; -1 if fixed.
    tangent : bool
        Whether its first axis is the tangent of the path.
    curve : two Functions, or None
        Position, and reference direction of the normal, along a curve fixed in the body.
    around : str
        Column of the length of the path, if it is closed.
    """

    label: str
    body: int
    fold: Fold | None
    at: tuple[int | str | None, ...] = (None, None, None)
    place: tuple[str, ...] = ()
    number: int = -1
    tangent: bool = False
    curve: tuple[Function, Function | None] | None = None
    around: str = ""

    @property
    def begin_column(self) -> str:
        """Return the column of the path coordinate at the start of the current piece."""
        return f"begin_{self.label}"

    def point_columns(self) -> list[str]:
        """Return the columns of its point, in body axes."""
        return [f"s_{self.label}_{c}" for c in AXES]

    def place_columns(self) -> list[str]:
        """Return the columns of further quantities of its body at the point."""
        return [f"shape_{self.label}_{name}" for name in self.place]

    def point(self) -> list[int | str]:
        """Return the entries of its point: numbers that are structure, or names."""
        columns = self.point_columns()
        return [c if x is None else x for c, x in zip(columns, self.at, strict=True)]

    def axes(self) -> list[list[float | str]]:
        """Return the entries of its local axes: numbers that are structure, or their columns."""
        return [
            [
                f"l_{self.label}_{k}{c}" if known is None else known
                for c, known in zip(AXES, row, strict=True)
            ]
            for k, row in enumerate(self.fold or (), start=1)
        ]


@dataclass(frozen=True)
class PartSpec:
    """Part of an element: a statement with its frames; measures of other elements are parts too.

    Attributes
    ----------
    label : str
        Empty for the element itself.
    element : Element
        The statement; its fields are structure where `inline` names them, else columns.
    frames : tuple of str
        Labels of its frames.
    inline : tuple of (field, expressions)
        Fields that depend on time or placeholders, with local symbols in them.
    owner : str
        Name of the joint or force in the model.
    """

    label: str
    element: Element
    frames: tuple[str, ...]
    inline: tuple[tuple[str, Any], ...]
    owner: str


@dataclass(frozen=True)
class ElementSpec:
    """One element of the mechanism.

    Attributes
    ----------
    name, role : str
        Name in the model; ``body``, ``joint``, ``force`` or ``output``.
    title : str
        Name of its type in generated code.
    bodies : tuple of Body
        Moving bodies whose generalised coordinates it reads.
    labels : tuple of str
        Letters of these bodies.
    frames : tuple of FrameSpec
        Its frames.
    parts : tuple of PartSpec
        Statements; the first is the element itself for joints and forces.
    expressions : tuple
        Expressions of an output element.
    columns : tuple of Column
        All data that it may need (unused columns are pruned later).
    key : str
        Structure as a string: equal keys mean equal equations.
    crowd : (str, int), optional
        Name of the many contacts, and index of their table, for a law between pairs; None for an
        ordinary, permanent element.
    rule : tuple of (abscissa, weight)
        Points and weights of the quadrature, if it is an integral along a flexible body, scaled to
        length one.
    within : tuple of Within
        Ranges in which it is active, if several elements of this name represent the pieces of a
        path: they share rows, multipliers and outputs.
    """

    name: str
    role: str
    title: str
    bodies: tuple[Body, ...]
    labels: tuple[str, ...]
    frames: tuple[FrameSpec, ...]
    parts: tuple[PartSpec, ...]
    expressions: tuple[Any, ...]
    columns: tuple[Column, ...]
    key: str
    crowd: tuple[str, int] | None = None
    rule: Rule = ()
    within: tuple[Within, ...] = ()

    @property
    def statement(self) -> str:
        """Summary line of the docstring of the class that states it."""
        if self.role == "output":
            return "Named results."
        stated = self.bodies[0].kind if self.role == "body" else self.parts[0].element
        return (type(stated).__doc__ or "").strip().partition("\n")[0]
