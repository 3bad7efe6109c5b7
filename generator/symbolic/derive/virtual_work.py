r"""Virtual work: generalised forces of forces, potentials and reactions on frames.

A force does the work :math:`F \cdot \delta r` on a frame, a potential :math:`-\delta V`, a joint
:math:`\lambda \cdot \delta\phi`. The factor of the variation of a vector of a frame is the load on
it; the kind of the body gives its generalised forces. Functions of velocities, as of dissipation
and rolling, are varied by `v` and `w` of frames.
"""

from collections.abc import Mapping, Sequence

from mbdgen.errors import ModelError
from mbdgen.geometry.frames import BodySymbols, Frame, Load
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero
from mbdgen.returned import expressions
from mbdgen.symbolic.derive.tape import Tape


class VirtualWork:
    """Virtual work of an element.

    Parameters
    ----------
    tape : Tape
        Tape of named results.
    bodies : sequence of (BodySymbols, int)
        Bodies with their first local rows.
    frames : mapping of label to Frame
        Frames of the element, and of others that it reads.
    """

    def __init__(
        self,
        tape: Tape,
        bodies: Sequence[tuple[BodySymbols, int]],
        frames: Mapping[str, Frame],
    ) -> None:
        self.tape, self.bodies, self.frames = tape, bodies, frames
        self._known: dict[tuple[Expr, frozenset[Expr]], dict[Expr, Expr]] = {}

    def generalised(
        self, loads: Sequence[tuple[Frame, Load]], torques: Sequence[tuple[Frame, Vec]]
    ) -> dict[int, Expr]:
        """Return the generalised forces, by local row, of loads and torques on frames."""
        rows: dict[int, Expr] = {}
        for body, first in self.bodies:
            if (body.kind.direct and self.spans(body)) or self.moves(body):
                rows |= self._by_coordinates(body, first, loads, torques)
                continue
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
                stated = body.kind.generalised_force(body, mine, torque)
                n_u = len(body.kind.rows)
                for k, e in enumerate(expressions(body.kind, "generalised_force", stated, n_u)):
                    rows[first + k] = e
                rows |= self._of_deformations(body, first, mine, torques)
        return rows

    def _of_deformations(
        self,
        body: BodySymbols,
        first: int,
        loads: Sequence[Load],
        torques: Sequence[tuple[Frame, Vec]],
    ) -> dict[int, Expr]:
        r"""Return :math:`F \cdot \partial s/\partial q_k + T \cdot \partial w/\partial v_k`.

        Here s are the vectors from the origin of a body, which deformations do not move.
        """
        pushed: dict[Expr, Expr] = {}
        turned: dict[Expr, Expr] = {}
        count = body.kind.deformations
        if not count:
            return {}
        for load in loads:
            _add(pushed, load.arm, load.value)
        for frame, torque in torques:
            if frame.body is body:
                _add(turned, frame.w, torque)
        by_q, by_v = self.tape.adjoints(pushed, ()), self.tape.adjoints(turned, ())
        pairs = zip(body.q[:count], body.v[:count], strict=True)
        return {first + k: by_q.get(q, 0) + by_v.get(v, 0) for k, (q, v) in enumerate(pairs)}

    def spans(self, body: BodySymbols) -> bool:
        """Return whether the element reads sections of a body, not only its centre of mass."""
        return any(frame.body is body for frame in self.frames.values())

    def moves(self, body: BodySymbols) -> bool:
        """Return whether it is the path coordinate of a frame that moves along its body."""
        return any(frame.number is body for frame in self.frames.values())

    def _by_coordinates(
        self,
        body: BodySymbols,
        first: int,
        loads: Sequence[tuple[Frame, Load]],
        torques: Sequence[tuple[Frame, Vec]],
    ) -> dict[int, Expr]:
        r"""Return :math:`F \cdot \partial r/\partial q_k + T \cdot \partial w/\partial v_k`."""
        pushed: dict[Expr, Expr] = {}
        for frame, load in loads:
            if body in (frame.body, frame.number):
                value = self.tape.vector(f"load_{frame.label}", load.value)
                _add(pushed, frame.r if load.translates else load.arm, value)
        turned: dict[Expr, Expr] = {}
        for frame, torque in torques:
            if body in (frame.body, frame.number):
                _add(turned, frame.w, self.tape.vector(f"torque_{frame.label}", torque))
        by_q, by_v = self.tape.adjoints(pushed, ()), self.tape.adjoints(turned, ())
        rows = {}
        for k, (q, v) in enumerate(zip(body.q, body.v, strict=True)):
            total = by_q.get(q, 0) + by_v.get(v, 0)
            if total != 0:
                rows[first + k] = total
        return rows

    def gradient(self, function: Expr, factor: Expr = 1) -> list[tuple[Frame, Load]]:
        """Return the derivative of a function of frames times a factor, as loads on the frames."""
        function = self.tape.engine.convert(function)
        loads = []
        for frame in self.frames.values():
            for local, arm, vector, translates in frame.vectors:
                value = Vec(*(self.partial(function, c) * factor for c in vector))
                if any(c != 0 for c in value):
                    loads.append((frame, Load(local, arm, value, translates)))
        return loads

    def by_numbers(self, function: Expr, factor: Expr = 1) -> dict[int, Expr]:
        r"""Return :math:`F\, \partial x/\partial q_k` by local row, of coordinates read directly.

        Coordinates of bodies, such as the angle of a planar one or a path coordinate, are not
        vectors of frames: functions of them act directly on these coordinates.
        """
        slopes = self._adjoints(self.tape.engine.convert(function))
        rows: dict[int, Expr] = {}
        for body, first in self.bodies:
            for k, q in enumerate(body.q):
                slope = 0 if q in self._vectors else slopes.get(q, 0)
                if slope == 0:
                    continue
                if k >= body.kind.deformations and not (body.kind.direct or body.kind.planar):
                    raise ModelError(
                        f"it acts along the coordinate {body.kind.coordinates[k]!r} of a body, "
                        "which is neither a distance nor an angle.",
                        "Use positions and axes of its points.",
                    )
                rows[first + k] = slope * factor
        return rows

    def power_gradient(
        self, function: Expr, frames: Sequence[Frame], sign: int = 1
    ) -> tuple[list[tuple[Frame, Vec]], list[tuple[Frame, Vec]]]:
        """Return the derivatives of a function by `v` of frames, and by `w` of their bodies."""
        moving = [f for f in frames if f.moves]
        one_of_each: dict[int, Frame] = {}
        for f in moving:  # sections and points on paths rotate individually
            rigid = f.body is not None and f.number is None and not f.body.kind.flexible
            one_of_each.setdefault(id(f.body) if rigid else id(f), f)

        def by(rate: Vec) -> Vec:
            return Vec(*(sign * self.partial(function, c) for c in rate))

        forces = [(f, by(f.v)) for f in moving if f.velocity_used]
        return forces, [(f, by(f.w)) for f in one_of_each.values()]

    def velocity_reactions(
        self, equations: Sequence[tuple[Expr, Expr]]
    ) -> tuple[list[tuple[Frame, Load]], list[tuple[Frame, Vec]]]:
        """Return loads and torques of nonholonomic equations, given with their multipliers."""
        power = sum((lam * e for lam, e in equations), self.tape.engine.convert(0))
        forces, torques = self.power_gradient(power, list(self.frames.values()))
        loads = [
            (f, Load(f.point, f.arm, self.tape.vector(f"push_{f.label}", x), True))
            for f, x in forces
        ]
        return loads, [(f, self.tape.vector(f"turn_{f.label}", x)) for f, x in torques]

    def reactions(self, equations: Sequence[tuple[Expr, Expr]]) -> list[tuple[Frame, Load]]:
        """Return the loads of joint equations, given with their multipliers."""
        work = sum((lam * e for lam, e in equations), self.tape.engine.convert(0))
        named = []
        for frame, x in self.gradient(work):
            value = self.tape.vector(f"mu_{frame.label}", x.value)
            named.append((frame, Load(x.local, x.arm, value, x.translates)))
        return named

    def partial(self, function: Expr, component: Expr) -> Expr:
        """Return the derivative with respect to one component of a frame vector, others fixed."""
        if not self.tape.free(component):
            return 0  # a constant component does not vary
        return self._adjoints(function).get(component, 0)

    @property
    def _vectors(self) -> frozenset[Expr]:
        """Components of all used vectors of frames."""
        vectors = [x for f in self.frames.values() for _, _, x, _ in f.vectors]
        vectors += [f.v for f in self.frames.values() if f.velocity_used]
        return frozenset(c for x in vectors for c in x)

    def _adjoints(self, function: Expr) -> dict[Expr, Expr]:
        """Return the derivatives of a function with respect to all names, up to frame vectors."""
        until = self._vectors
        key = (function, until)
        if key not in self._known:
            function = self.tape.engine.convert(function)
            slopes = {s: self.tape.partial(function, s) for s in self.tape.free(function)}
            self._known[key] = self.tape.adjoints(slopes, until)
        return self._known[key]


def added(*parts: dict[int, Expr]) -> dict[int, Expr]:
    """Return the sum of generalised forces by local row."""
    total: dict[int, Expr] = {}
    for rows in parts:
        for row, e in rows.items():
            total[row] = total.get(row, 0) + e
    return total


def _add(totals: dict[Expr, Expr], vector: Vec, load: Vec) -> None:
    """Add a load to the adjoints of the components of a vector."""
    for c, f in zip(vector, load, strict=True):
        if f != 0:
            totals[c] = totals.get(c, 0) + f
