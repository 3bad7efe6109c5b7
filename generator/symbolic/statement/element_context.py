"""Symbols of an element: its bodies, frames, fields and Lagrange multipliers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sympy

from mbdgen.bodies.base import BodyKind
from mbdgen.errors import BuildError, ModelError, meant
from mbdgen.forces.base import PUSHES
from mbdgen.geometry.frames import BodySymbols, Frame, Load
from mbdgen.geometry.symbolic_vectors import AXES, Expr, Vec, stated_vector, zero
from mbdgen.interface import QUADRATURE, WEIGHTS
from mbdgen.language.bodies.body import Body
from mbdgen.language.element import is_option
from mbdgen.language.expressions.function_argument import Function
from mbdgen.language.expressions.matrix import Matrix
from mbdgen.language.expressions.piecewise_index import Turning
from mbdgen.returned import expression, expressions
from mbdgen.symbolic.derive.algebra_engines import Engine
from mbdgen.symbolic.derive.tape import Tape
from mbdgen.symbolic.derive.virtual_work import VirtualWork, added
from mbdgen.symbolic.statement.element_frames import frame_of
from mbdgen.topology.elements import ElementSpec, PartSpec, column_name
from mbdgen.topology.local_names import LocalName

NO_LOAD = 1e-9
"""Regularisation of the norm of a load in newtons, for its derivative at zero."""


class ElementContext:
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
            self._body(b, label) for b, label in zip(spec.bodies, spec.labels, strict=True)
        ]
        self.seeds = self._make_seeds()
        for body in self.bodies:
            body.seeds = self.seeds
        made = (self.bodies, self.tape, self.column, self._inline)
        self.frames = {f.label: frame_of(f, *made) for f in spec.frames}
        self.work = VirtualWork(self.tape, self.offsets(), self.frames)
        self.multipliers: list[Expr] = []
        self._reads: dict[str, tuple[int, ...]] = {}
        self._check_distinct_inputs()

    def _check_distinct_inputs(self) -> None:
        """Raise an error for two inputs of one name, which would be one symbol."""
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

    def moving(self, equations: Sequence[Expr], level: str = "q") -> tuple[int, ...]:
        """Return the equations that depend on any coordinate; the others are constant.

        Nonholonomic equations, ``level="v"``, must depend on velocities.
        """
        s = self.all(level)
        return tuple(
            k for k, e in enumerate(equations) if any(self.tape.derivative(e, x) != 0 for x in s)
        )

    def at_rest(self, expr: Expr) -> Expr:
        """Return an expression at zero velocities."""
        v, values = set(self.all("v")), {}
        for s in self.tape.free(expr):
            if s in v:
                values[s] = self.engine.convert(0)
            elif s in self.tape.definitions and v & self.tape.reached([s]):
                values[s] = self.at_rest(self.tape.definitions[s])
        return expr.subs(values) if values else expr

    def joint_equations(self, joint: Any, frames: list[Frame]) -> tuple[list[Expr], list[Expr]]:
        """Return the position-level and the nonholonomic equations of a joint."""
        positions = expressions(joint, "equations", joint.equations(*frames))
        rates = joint.velocity_equations(*frames)
        velocities = expressions(joint, "velocity_equations", rates)
        convert = self.engine.convert
        return [convert(e) for e in positions], [convert(e) for e in velocities]

    def offsets(self) -> list[tuple[BodySymbols, int]]:
        """Return each body with its first local row."""
        result, first = [], 0
        for b in self.bodies:
            result.append((b, first))
            first += len(b.q)
        return result

    def column(self, name: str) -> Expr:
        """Return the symbol of a column."""
        return self.tape.number(name)

    def element(self, part: PartSpec) -> Any:
        """Return the statement of a part with symbols in its fields."""
        inline = dict(part.inline)
        symbols = {}
        for field in part.element.field_names():
            value = getattr(part.element, field)
            if field in inline:
                symbols[field] = self._inline(inline[field])
                if field in part.element.modulo:
                    symbols[field] = self.tape.modulo_turns(symbols[field])
            elif isinstance(value, tuple):
                names = (column_name(part.label, field, c) for c in AXES)
                symbols[field] = Vec(*map(self.column, names))
            elif isinstance(value, Matrix):
                names = (column_name(part.label, name) for name in value.entry_names(field))
                symbols[field] = value.named(list(map(self.column, names)))
            elif not is_option(value):
                symbols[field] = self.column(column_name(part.label, field))
        return replace(part.element, **symbols)

    def _inline(self, local: Any) -> Any:
        """Return a field that depends on time, placeholders or arguments, in symbols."""
        if isinstance(local, Function):
            return local.mapped(self.resolve)
        return Vec(*map(self.resolve, local)) if isinstance(local, tuple) else self.resolve(local)

    def share(self) -> Expr:
        """Return the weight of a quadrature point times the length; 1 without quadrature."""
        if not self.spec.rule:
            return self.engine.convert(1)
        return self.column(QUADRATURE[1]) * self.bodies[0].parameter("l")

    def part_frames(self, part: PartSpec) -> list[Frame]:
        """Return the frames of a part."""
        return [self.frames[label] for label in part.frames]

    def resolve(self, expr: Any) -> Expr:
        """Replace local names in a user expression by quantities of frames."""
        if isinstance(expr, LocalName):
            return self._quantity(expr)
        converted = self.engine.convert(self._with_turns(expr))
        named = {s: LocalName.read(s) for s in self.tape.free(converted)}
        values = {s: self._quantity(name) for s, name in named.items() if name is not None}
        return converted.subs(values) if values else converted

    def _with_turns(self, expr: Any) -> Any:
        """Replace `Turning` by unwrapped angles."""
        found = sorted(expr.atoms(Turning), key=str) if isinstance(expr, sympy.Basic) else []
        if not found:
            return expr
        angles = {x: self.tape.angle(self.resolve(x.args[0]), jumps=True) for x in found}
        return expr.xreplace({x: self.engine.to_sympy(s) for x, s in angles.items()})

    def reaction_rows(
        self, phi: Sequence[Expr], psi: Sequence[Expr], intrinsic: bool
    ) -> dict[int, Expr]:
        """Return ``G^T lambda`` by local row, and create the Lagrange multipliers.

        Parameters
        ----------
        phi, psi : sequence of expression
            Constraints with multipliers, on position and on velocity level.
        intrinsic : bool
            Whether they are a body's own: its virtual displacements are then its coordinates.
        """
        self.multipliers = [self.tape.input(f"lam_{k}") for k in range(len(phi) + len(psi))]
        if not self.multipliers:
            return {}
        if intrinsic:
            pairs = list(zip(self.multipliers, phi, strict=True))
            return {
                row: sum(lam * self.tape.derivative(e, q) for lam, e in pairs)
                for row, q in enumerate(self.all("q"))
            }
        work = sum((lam * e for lam, e in zip(self.multipliers, phi, strict=False)), 0)
        loads = self._reactions(self.multipliers, phi, psi)
        return added(self.work.generalised(*loads), self.work.by_numbers(work))

    def _reactions(
        self, multipliers: Sequence[Expr], phi: Sequence[Expr], psi: Sequence[Expr]
    ) -> tuple[list[tuple[Frame, Load]], list[tuple[Frame, Vec]]]:
        """Return the loads and torques of constraints on the frames."""
        loads = self.work.reactions(list(zip(multipliers, phi, strict=False)))
        if not psi:
            return loads, []
        last = multipliers[len(phi) :]
        more, torques = self.work.velocity_reactions(list(zip(last, psi, strict=True)))
        return loads + more, torques

    def reaction(self, part: PartSpec, name: str) -> Vec:
        """Return the force or torque (about its point) that a joint exerts on its last body."""
        joint, frames = self.element(part), self.part_frames(part)
        if not joint.reacts:
            raise ModelError(
                f"the {name} of '{part.owner}' is not known: what its bodies share needs no "
                "reaction.",
                "Give that joint form='linear' or form='general'.",
            )
        positions, velocities = self.joint_equations(joint, frames)
        kept, last = self.moving(positions), self.moving(velocities, "v")
        self._reads[part.label] = (*kept, *(len(positions) + k for k in last))
        multipliers = [
            self.tape.input(f"lam_{part.label}_{k}") for k in range(len(kept) + len(last))
        ]
        loads, torques = self._reactions(
            multipliers, [positions[k] for k in kept], [velocities[k] for k in last]
        )
        force, torque = zero(), zero()
        # The ground has no virtual displacement: its load is read at the other end.
        last_end = frames[len(joint.ends) - 1]
        seen = last_end if last_end.body is not None else frames[0]
        for frame, moment in torques:
            if frame.body is seen.body:
                torque = torque + moment
        for frame, load in loads:
            if frame is not seen:
                continue
            if load.translates:
                force = force + load.value
            else:
                torque = torque + load.arm.cross(load.value)
        if seen is last_end:
            return force if name == "force" else torque
        if name == "force":
            return -force
        return -(torque + (seen.r - last_end.r).cross(force))

    def read_multipliers(self) -> list[Expr]:
        """Return the multipliers of other joints that are read."""
        return [
            self.tape.input(f"lam_{p}_{k}") for p, kept in self.reads() for k in range(len(kept))
        ]

    def reads(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return which multipliers of other joints are read."""
        return tuple(sorted(self._reads.items()))

    def _make_seeds(self) -> dict[Expr, Expr]:
        seeds: dict[Expr, Expr] = {self.time: 1}
        for b in self.bodies:
            seeds.update(zip(b.q, b.v, strict=True))
            seeds.update(zip(b.v, b.a, strict=True))
        return seeds

    def _body(self, body: Body, label: str) -> BodySymbols:
        if not isinstance(body.kind, BodyKind):
            raise BuildError(
                f"the coordinates of body '{body.name}' state no equations.",
                "Derive their class from mbdgen.bodies.base.BodyKind.",
            )
        return BodySymbols(body.kind, label, self.tape, body.kind.structure(body.motion))

    def _quantity(self, name: LocalName) -> Expr:
        if name.kind == "frame":
            value: Any = self.frames[name.label].quantity(name.what)
        elif name.kind == "body":
            value = self._variable(name.label, name.what)
        else:
            part = next(p for p in self.spec.parts if p.label == name.label)
            value = self._measure(part, name.what)
        return value if name.component < 0 else value[name.component]

    def _variable(self, label: str, what: str) -> Expr:
        body = next(b for b in self.bodies if b.label == label)
        known = body.kind.variables(body)
        if what not in known:
            name = self.spec.bodies[self.spec.labels.index(label)].name
            raise ModelError(
                f"Body '{name}' ({body.kind.name} coordinates) has no variable {what!r}.",
                meant(what, known, f"It has: {', '.join(known) or 'none'}."),
            )
        return expression(body.kind, f"variables[{what!r}]", known[what])

    def rate(self, expr: Expr) -> Expr:
        """Return the total time derivative of an expression of this element."""
        return self.tape.rate(expr, self.seeds)

    def load(self, part: PartSpec) -> Expr:
        """Return the magnitude of the joint force normal to its path, or to its axis."""
        force = self.reaction(part, "force")
        places = [f for f in self.part_frames(part) if f.number is not None]
        for place in places:  # friction along a path is not a part of its load
            t = self.path_of(place)
            force = force - t * t.dot(force)
        if part.element.axis and not places:
            axis = self.part_frames(part)[0].e3
            force = force - axis * axis.dot(force)
        size = (force.dot(force) + NO_LOAD**2) ** self.engine.convert(sympy.Rational(1, 2))
        return self.tape.name("load", size)

    def path_of(self, place: Frame) -> Vec:
        """Return the tangent of the path at a moving point."""
        assert place.number is not None
        slope = [self.tape.derivative(c, place.number.q[0]) for c in place.r]
        return self.tape.vector(f"path_{place.label}", Vec(*slope).direction())

    def _measure(self, part: PartSpec, what: str) -> Any:
        if part.element.role == "joint" and what not in part.element.measures:
            return self.load(part) if what == "load" else self.reaction(part, what)
        element = self.element(part)
        if element.role == "force" and what in PUSHES:
            pushes = element.pushes(*self.part_frames(part), rate=self.rate)
            if pushes:
                return sum(
                    p.force * (self.rate(p.coordinate) if what == "power" else 1) for p in pushes
                )
        value = element.measure(what, *self.part_frames(part))
        if what in element.angles:
            angle = self.tape.angle(expression(element, f"measure {what!r}", value))
            begun = element.begun(what)
            return self.tape.name("wound", angle + begun) if begun != 0 else angle
        method = "value" if element.role == "output" else f"measure {what!r}"
        if element.measures[what] == 1:
            return expression(element, method, value, ", or the class name 3 components for it")
        return stated_vector(element, method, value, ", or the class name 1 component for it")
