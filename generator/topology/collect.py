"""Collection of the parts of an element: bodies, frames, statements and columns of data."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import count
from typing import Any

from mbdgen.gauss_legendre import gauss
from mbdgen.geometry.frames import of_body
from mbdgen.geometry.symbolic_vectors import AXES
from mbdgen.interface import QUADRATURE
from mbdgen.language.attached import Attached
from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.coordinates import columns_of
from mbdgen.language.element import is_option
from mbdgen.language.expressions.function_argument import Function, is_argument
from mbdgen.language.expressions.matrix import Matrix
from mbdgen.language.expressions.placeholders import PlaceholderQuantity
from mbdgen.language.expressions.runtime_values import Remembered
from mbdgen.language.expressions.scalars import Scalar, is_number, is_symbolic
from mbdgen.language.markers.marker import Marker
from mbdgen.language.markers.path import MovingMarker, Path
from mbdgen.language.model import Model
from mbdgen.topology.elements import (
    ElementSpec,
    FrameSpec,
    PartSpec,
    Rule,
    Within,
    column_meaning,
    column_name,
    parameter_column,
)
from mbdgen.topology.key import structure_key
from mbdgen.topology.local_names import LocalName
from mbdgen.topology.planar_frames import fold, is_planar
from mbdgen.topology.symbols import unknown_symbol

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Collector:
    """Collector of the bodies, frames, parts and columns of one element."""

    def __init__(self, model: Model, pieces: Mapping[str, int] | None = None) -> None:
        self.model, self.pieces = model, pieces or {}
        self.paths: dict[str, Path] = {}
        self.bodies: list[Body] = []
        self.labels: list[str] = []
        self.frames: list[FrameSpec] = []
        self.parts: list[PartSpec] = []
        self.columns: dict[str, Scalar] = {}
        self._frame_of: dict[Marker, str] = {}
        self._part_of: dict[str, str] = {}

    def body(self, body: Body, label: str | None = None) -> int:
        """Return the local index of a moving body."""
        if body in self.bodies:
            return self.bodies.index(body)
        label = label or self._next_letter()
        self.bodies.append(body)
        self.labels.append(label)
        assert body.kind is not None
        values = columns_of(body.kind, body.motion)
        self.columns |= {
            of_body(p, label): x for p, x in zip(body.kind.parameters, values, strict=True)
        }
        return len(self.bodies) - 1

    def frame(
        self,
        marker: Marker,
        label: str | None = None,
        own: bool = False,
        in_plane: bool = False,
        place: str = "",
    ) -> str:
        """Return the label of a marker's frame; the ends of an element have frames of their own.

        A ground marker whose partners are planar (`in_plane`) is treated like a planar one. With
        `place`, the name of a variable, the frame is at that position along a flexible body.
        """
        if not own and marker in self._frame_of:
            return self._frame_of[marker]
        label, asked = label or self._next_letter(), marker
        moving = marker if isinstance(marker, MovingMarker) else None
        if moving is not None:
            marker = moving.along.piece_of(moving, self._piece(moving.along))
        body = -1 if marker.body.is_ground else self.body(marker.body, self._free(label))
        known = None
        if marker.body.kind is None or marker.body.kind.turns:
            known = fold(marker, self.model, in_plane)
        kind = marker.body.kind
        shapes = {} if kind is None else kind.place_of(marker)
        frame = FrameSpec(label, body, known, _known_point(marker, place), tuple(shapes))
        if moving is not None:
            frame = self._moving(frame, moving)
        self._fill(frame, marker)
        self.frames.append(frame)
        self._frame_of.setdefault(asked, label)
        return label

    def _piece(self, path: Path) -> int:
        """Return the index of the current piece of a path."""
        self.paths[path.number.name] = path
        return self.pieces.get(path.number.name, 0)

    def _moving(self, frame: FrameSpec, marker: MovingMarker) -> FrameSpec:
        """Return the frame with its path coordinate and the start of the piece."""
        path = marker.along
        number = self.body(path.number, f"s{frame.label}")
        if path.curve is None:
            self.columns[frame.begin_column] = path.pieces[self._piece(path)].begin
            return replace(frame, number=number, tangent=marker.tangent, around=self._around(path))
        local = partial(self.localise, where=f"the curve of '{marker.label}'")
        position, normal = path.curve.position.mapped(local), path.curve.normal
        curve = (position, None if normal is None else normal.mapped(local))
        return replace(frame, number=number, tangent=marker.tangent, curve=curve)

    def _around(self, path: Path) -> str:
        """Return the column of the length of a closed path."""
        if path.around is None:
            return ""
        column = f"around_{self.labels[self.bodies.index(path.number)]}"
        self.columns[column] = path.around
        return column

    def within(self) -> tuple[Within, ...]:
        """Return the ranges of path coordinates in which it is active; none on a single piece."""
        found = []
        for path in self.paths.values():
            if len(path.pieces) > 1:
                label = self.labels[self.bodies.index(path.number)]
                kind = path.number.kind
                assert kind is not None
                name = of_body(kind.coordinates[0], label)
                found.append(Within(label, name, self._around(path)))
                borders = path.borders(self._piece(path))
                self.columns |= zip(found[-1].borders, borders, strict=True)
        return tuple(found)

    def part(self, attached: Attached, main: bool) -> str:
        """Return the label of a joint or force: the element itself, or one whose measures it reads.

        Statements per unit length are integrated by the element itself only; measures are those at
        the given points.
        """
        if not main and attached.name in self._part_of:
            return self._part_of[attached.name]
        # Not by `parts`: a law that uses the measure of another joint is appended after it.
        label = "" if main else f"P{sum(map(bool, self._part_of.values())) + 1}"
        ends = attached.element.labels() if main else [None] * len(attached.markers)
        in_plane = all(is_planar(m) for m in attached.markers)
        along = [QUADRATURE[0] if main and attached.element.distributed else ""]
        places = along + [""] * (len(attached.markers) - 1)
        frames = tuple(
            self.frame(m, end, own=True, in_plane=in_plane, place=place)
            for m, end, place in zip(attached.markers, ends, places, strict=False)
        )
        self._part_of[attached.name] = label
        place = len(self.parts)
        inline = self._fields(attached, label)
        part = PartSpec(label, attached.element, frames, inline, attached.name)
        self.parts.insert(place, part)
        return label

    def localise(self, expr: Any, where: str) -> Any:
        """Replace placeholders by local names and parameters by columns."""
        if isinstance(expr, PlaceholderQuantity):
            return self._local_name(expr)
        if not is_symbolic(expr):
            return expr
        import sympy

        replaced = {}
        for s in sorted(expr.free_symbols, key=str):
            if s == self.model.t or is_argument(s):
                continue
            if s in self.model.book:
                name = self._local_name(self.model.book.meaning(s))
                replaced[s] = sympy.Symbol(str(name), real=True)
            elif s.name in self.model.parameters and self.model.parameters[s.name].symbol == s:
                column = parameter_column(s.name)
                self.columns[column] = s
                replaced[s] = sympy.Symbol(column, real=True)
            else:
                raise unknown_symbol(self.model, s, where)
        return expr.xreplace(replaced)

    def _free(self, label: str) -> str | None:
        return None if label in self.labels else label

    def _next_letter(self) -> str:
        taken = {*self.labels, *(f.label for f in self.frames)}
        names = (c if k == 0 else f"{c}{k}" for k in count() for c in LETTERS)
        return next(name for name in names if name not in taken)

    def _local_name(self, q: PlaceholderQuantity) -> LocalName:
        if isinstance(q.source, Marker):
            kind, label = "frame", self.frame(q.source)
        elif isinstance(q.source, Body):
            kind, label = "body", self.labels[self.body(q.source)]
        else:
            kind, label = "part", self.part(q.source, main=False)
        return LocalName(kind, label, q.what, q.component)

    def _fill(self, frame: FrameSpec, marker: Marker) -> None:
        """Add the columns of a frame: its point and the non-structural entries of its axes."""
        body = marker.body
        point: Sequence[Scalar] = marker.point
        if body.kind is not None:
            point = body.kind.local_point(point, body.motion)
            shapes = body.kind.place_of(marker)
            self.columns |= zip(frame.place_columns(), shapes.values(), strict=True)
        self.columns |= zip(frame.point_columns(), point, strict=True)
        for row, axis in zip(frame.axes(), marker.axes, strict=False):
            self.columns |= {c: x for c, x in zip(row, axis, strict=True) if isinstance(c, str)}

    def _fields(self, attached: Attached, label: str) -> tuple[tuple[str, Any], ...]:
        inline: list[tuple[str, Any]] = []
        for field in attached.element.field_names():
            value = getattr(attached.element, field)
            where = f"{field} of {attached.element.name} '{attached.name}'"
            if isinstance(value, Function):
                inline.append((field, value.mapped(partial(self.localise, where=where))))
                continue
            if isinstance(value, Matrix):
                names = (column_name(label, name) for name in value.entry_names(field))
                self.columns |= dict(zip(names, value.values, strict=True))
                continue
            parts = value if isinstance(value, tuple) else (value,)
            if any(self._moves(x) for x in parts):
                local = tuple(self.localise(x, where) for x in parts)
                inline.append((field, local if isinstance(value, tuple) else local[0]))
            elif isinstance(value, tuple):
                names = (column_name(label, field, c) for c in AXES)
                self.columns |= dict(zip(names, value, strict=True))
            elif field in attached.element.memory:
                held = Remembered.of(attached.name, field, value)
                self.columns[column_name(label, field)] = held
            elif not is_option(value):
                self.columns[column_name(label, field)] = value
        return tuple(inline)

    def _moves(self, x: Any) -> bool:
        """Return whether a value depends on time or on placeholders."""
        if not is_symbolic(x):
            return False
        known = {p.symbol for p in self.model.parameters.values()}
        return bool(x.free_symbols - known)

    def finish(self, name: str, role: str, title: str, expressions: Sequence[Any]) -> ElementSpec:
        """Return the collected element."""
        rule, within = self._rule(), self.within()
        self._check_columns(f"{title} '{name}'")
        key = structure_key(
            role, self.bodies, self.labels, self.frames, self.parts, expressions, rule, within
        )
        return ElementSpec(
            name=name,
            role=role,
            title=title,
            bodies=tuple(self.bodies),
            labels=tuple(self.labels),
            frames=tuple(self.frames),
            parts=tuple(self.parts),
            expressions=tuple(expressions),
            columns=tuple(self.columns.items()),
            key=key,
            rule=rule,
            within=within,
        )

    def _rule(self) -> Rule:
        """Return the quadrature of an element that is an integral, from 0 to 1."""
        own = next((p.element for p in self.parts if not p.label), None)
        if own is None or not own.distributed:
            return ()
        kind = self.bodies[0].kind
        assert kind is not None
        return _rule(own.places(kind))

    def _check_columns(self, what: str) -> None:
        """Check that points, axes and the like are constant: they may contain parameters only."""
        known = {p.symbol for p in self.model.parameters.values()}
        columns: dict[str, Any] = self.columns
        for column, x in columns.items():
            wrong = sorted(x.free_symbols - known, key=str) if is_symbolic(x) else []
            if wrong:
                where = f"{column_meaning(column)} of {what}"
                raise unknown_symbol(self.model, wrong[0], where, fixed=True)


def _known_point(marker: Marker, place: str) -> tuple[int | str | None, ...]:
    """Return the structural entries of a point: ends and midline of flexible bodies."""
    body = marker.body
    if body.kind is None or not body.kind.flexible:
        return (None, None, None)
    x, y, z = body.kind.local_point(marker.point, body.motion)
    along: int | str | None = place or (int(x) if is_number(x) and x in (0, 1) else None)
    return (along, *(0 if is_number(c) and c == 0 else None for c in (y, z)))


@cache
def _rule(count: int) -> Rule:
    """Return the points and weights of Gauss-Legendre quadrature on [0, 1]."""
    return tuple((float(x), float(w)) for x, w in zip(*gauss(count), strict=True))
