"""The symbols of one element: its bodies, frames, fields and multipliers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mbdgen.errors import BuildError, ModelError
from mbdgen.symbolic.engine import Engine
from mbdgen.symbolic.frames import BodySymbols, Frame, Load
from mbdgen.symbolic.tape import Tape
from mbdgen.symbolic.vectors import Expr, Vec, zero
from mbdgen.topology.elements import ElementSpec, FrameSpec, PartSpec, column_name

AXIS_LETTERS = "xyz"
WEIGHTS = ("c_q", "c_v", "c_a")


class Context:
    """Symbols of one element on a fresh tape.

    Parameters
    ----------
    spec : ElementSpec
        Its structure.
    engine : Engine
        The algebra.
    """

    def __init__(self, spec: ElementSpec, engine: Engine) -> None:
        self.spec, self.engine, self.tape = spec, engine, Tape(engine)
        self.time = self.tape.input("t")
        self.bodies = [
            BodySymbols(b.kind, label, self.tape, b.kind.structure(b.motion))
            for b, label in zip(spec.bodies, spec.labels, strict=True)
            if b.kind is not None
        ]
        self.seeds = self._make_seeds()
        for body in self.bodies:
            body.seeds = self.seeds
        self.frames = {f.label: self._frame(f) for f in spec.frames}
        self.multipliers: list[Expr] = []
        self._reads: dict[str, tuple[int, ...]] = {}
        self._require_distinct_inputs()

    def _require_distinct_inputs(self) -> None:
        """Two inputs of one name would be one symbol, and the equations silently wrong."""
        states = [str(s) for level in ("q", "v", "a") for s in self.all(level)]
        names = [*WEIGHTS, "t", *states, *(name for name, _ in self.spec.columns)]
        for name, count in Counter(names).items():
            if count > 1:
                raise BuildError(
                    f"Two inputs of {self.spec.title} are called {name!r} in generated code.",
                    "Rename the coordinate, inertia parameter or field that gives this name.",
                )

    @property
    def n_q(self) -> int:
        """Number of coordinates."""
        return sum(len(b.q) for b in self.bodies)

    def all(self, level: str) -> list[Expr]:
        """Return all coordinates (``q``), velocities (``v``) or accelerations (``a``)."""
        return [s for b in self.bodies for s in getattr(b, level)]

    def dynamics_rows(self) -> list[int]:
        """Return the local rows that hold equations of motion."""
        return [first + k for b, first in self.offsets() for k in range(len(b.kind.rows))]

    def moving(self, equations: Sequence[Expr]) -> tuple[int, ...]:
        """Return which equations depend on any coordinate; the others hold or not, once for all."""
        q = self.all("q")
        return tuple(
            k for k, e in enumerate(equations) if any(self.tape.derivative(e, s) != 0 for s in q)
        )

    def offsets(self) -> list[tuple[BodySymbols, int]]:
        """Return each body with its first local row."""
        result, first = [], 0
        for b in self.bodies:
            result.append((b, first))
            first += len(b.q)
        return result

    def column(self, name: str) -> Expr:
        """Return the symbol of a column."""
        return self.tape.input(name)

    def element(self, part: PartSpec) -> Any:
        """Return the statement of a part with symbols in its fields."""
        inline = dict(part.inline)
        symbols = {}
        for field in part.element.field_names():
            value = getattr(part.element, field)
            if field in inline:
                local = inline[field]
                symbols[field] = (
                    Vec(*map(self.resolve, local))
                    if isinstance(local, tuple)
                    else self.resolve(local)
                )
            elif isinstance(value, tuple):
                names = (column_name(part.label, field, c) for c in AXIS_LETTERS)
                symbols[field] = Vec(*map(self.column, names))
            elif not isinstance(value, str | bool):
                symbols[field] = self.column(column_name(part.label, field))
        return replace(part.element, **symbols)

    def part_frames(self, part: PartSpec) -> list[Frame]:
        """Return the frames of a part."""
        return [self.frames[label] for label in part.frames]

    def resolve(self, expr: Any) -> Expr:
        """Put frame quantities in the place of local names in a user expression."""
        if isinstance(expr, str):
            return self._quantity(expr)
        converted = self.engine.convert(expr)
        named = {s: str(s) for s in self.tape.free(converted)}
        values = {s: self._quantity(n) for s, n in named.items() if n.startswith("@")}
        return converted.subs(values) if values else converted

    def generalised(
        self, loads: Sequence[tuple[Frame, Load]], torques: Sequence[tuple[Frame, Vec]]
    ) -> dict[int, Expr]:
        """Return generalised forces by local row of loads and torques on frames."""
        rows: dict[int, Expr] = {}
        for body, first in self.offsets():
            mine = [load for frame, load in loads if frame.body is body]
            torque = zero()
            for frame, t in torques:
                if frame.body is body:
                    torque = torque + t
            if not body.kind.turns and any(c != 0 for c in torque):
                raise ModelError(
                    "it applies a torque to a point mass, which cannot turn.",
                    "Apply a force, or use a body with an inertia.",
                )
            if mine or any(c != 0 for c in torque):
                for k, e in enumerate(body.kind.generalised_force(body, mine, torque)):
                    rows[first + k] = e
        return rows

    def gradient(self, function: Expr, sign: int = 1) -> list[tuple[Frame, Load]]:
        """Return the derivative of a function of frame quantities, as loads on the frames."""
        function = self.engine.convert(function)
        loads = []
        for frame in self.frames.values():
            for local, arm, vector, translates in frame.vectors:
                value = Vec(*(self.partial(function, c) * sign for c in vector))
                if any(c != 0 for c in value):
                    loads.append((frame, Load(local, arm, value, translates)))
        return loads

    def reaction_rows(self, statement: Any, kept: Sequence[int]) -> dict[int, Expr]:
        """Return G^T lambda by local row, and make the multipliers."""
        self.multipliers = [self.tape.input(f"lam_{k}") for k in range(len(kept))]
        if not kept:
            return {}
        if statement.intrinsic:
            return self._intrinsic_reactions(statement, kept)
        return self.generalised(
            self._reaction_loads(statement.constraints, kept, self.multipliers), []
        )

    def reaction(self, part: PartSpec, name: str) -> Vec:
        """Return the force or torque (about its point) that a joint exerts on its last body."""
        joint, frames = self.element(part), self.part_frames(part)
        equations = joint.equations(*frames)
        kept = self.moving(equations)
        self._reads[part.label] = kept
        multipliers = [self.tape.input(f"lam_{part.label}_{k}") for k in range(len(kept))]
        force, torque = zero(), zero()
        # The ground has no virtual displacement: what it gets is read at the other end.
        seen = frames[-1] if frames[-1].body is not None else frames[0]
        for frame, load in self._reaction_loads(equations, kept, multipliers):
            if frame is not seen:
                continue
            if load.translates:
                force = force + load.value
            else:
                torque = torque + load.arm.cross(load.value)
        if seen is frames[-1]:
            return force if name == "force" else torque
        if name == "force":
            return -force
        return -(torque + (seen.r - frames[-1].r).cross(force))

    def reads(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return which multipliers of other joints are read."""
        return tuple(sorted(self._reads.items()))

    def _reaction_loads(
        self, equations: Sequence[Expr], kept: Sequence[int], multipliers: Sequence[Expr]
    ) -> list[tuple[Frame, Load]]:
        work = sum(
            (lam * equations[k] for lam, k in zip(multipliers, kept, strict=True)),
            self.engine.convert(0),
        )
        named = [
            (
                frame,
                Load(x.local, x.arm, self.tape.vector(f"mu_{frame.label}", x.value), x.translates),
            )
            for frame, x in self.gradient(work)
        ]
        return named

    def _intrinsic_reactions(self, statement: Any, kept: Sequence[int]) -> dict[int, Expr]:
        """Constraints within a body: its virtual displacements are its coordinates."""
        rows: dict[int, Expr] = {}
        for k, q in enumerate(self.all("q")):
            rows[k] = sum(
                lam * self.tape.derivative(statement.constraints[i], q)
                for lam, i in zip(self.multipliers, kept, strict=True)
            )
        return rows

    def partial(self, function: Expr, component: Expr) -> Expr:
        """Return the derivative with respect to one component of a frame vector, others fixed."""
        if not self.tape.free(component):
            return 0  # a constant component does not vary
        direct = self.tape.partial(function, component)
        return direct + self._through_names(function, component)

    def _through_names(self, function: Expr, component: Expr) -> Expr:
        """Chain rule through named results that a statement made on the way."""
        total: Expr = self.engine.convert(0)
        for s in self.tape.free(function):
            if s in self.tape.definitions and not self._is_frame_symbol(s):
                inner = self.partial(self.tape.definitions[s], component)
                if inner != 0:
                    total = total + self.tape.partial(function, s) * inner
        return total

    def _is_frame_symbol(self, s: Expr) -> bool:
        return any(
            s in set(vector) for f in self.frames.values() for _, _, vector, _ in f.vectors
        ) or any(s in set(f.v) for f in self.frames.values() if f.velocity_used)

    def _make_seeds(self) -> dict[Expr, Expr]:
        seeds: dict[Expr, Expr] = {self.time: 1}
        for b in self.bodies:
            seeds.update(zip(b.q, b.v, strict=True))
            seeds.update(zip(b.v, b.a, strict=True))
        return seeds

    def _frame(self, f: FrameSpec) -> Frame:
        point = Vec(*(self.column(f"s_{f.label}_{c}") for c in AXIS_LETTERS))
        body = None if f.body < 0 else self.bodies[f.body]
        if f.fold is None:
            return Frame(f.label, body, zero(), None, self.tape)
        axes = [
            Vec(
                *(
                    self.column(f"l_{f.label}_{k + 1}{c}") if x is None else _exact(x)
                    for c, x in zip(AXIS_LETTERS, row, strict=True)
                )
            )
            for k, row in enumerate(f.fold)
        ]
        return Frame(f.label, body, point, (axes[0], axes[1], axes[2]), self.tape)

    def _quantity(self, name: str) -> Expr:
        kind, label, what, component = name[1:].split(":")
        k = int(component)
        if kind == "frame":
            value: Any = getattr(self.frames[label], what)
        elif kind == "body":
            value = self._variable(label, what)
        else:
            part = next(p for p in self.spec.parts if p.label == label)
            value = self._measure(part, what)
        return value if k < 0 else value[k]

    def _variable(self, label: str, what: str) -> Expr:
        body = next(b for b in self.bodies if b.label == label)
        known = body.kind.variables(body)
        if what not in known:
            name = self.spec.bodies[self.spec.labels.index(label)].name
            raise ModelError(
                f"Body '{name}' ({body.kind.name} coordinates) has no variable {what!r}.",
                f"It has: {', '.join(known) or 'none'}.",
            )
        return known[what]

    def _measure(self, part: PartSpec, what: str) -> Any:
        if what in ("force", "torque") and what not in part.element.measures:
            return self.reaction(part, what)
        return self.element(part).measure(what, *self.part_frames(part))


def _exact(x: float) -> int:
    """Structure holds 0, 1 and -1; as integers they vanish from products."""
    return int(x)
