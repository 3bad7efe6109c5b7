r"""Floating frame of reference formulation: kinetic and strain energy of a flexible body.

With the frame at R with axes A, and modes as in `mbdgen.language.flexible.modal_motion`,

.. math::
    T = \tfrac12 m \dot R \cdot \dot R + \dot R \cdot \dot d + T_\omega, \qquad
    d = A \int \varrho\, u, \\
    T_\omega = \tfrac12 \omega \cdot I(e)\, \omega + \omega \cdot h(e, \dot e)
        + \tfrac12 \dot e \cdot \dot e, \qquad
    U = \tfrac12 \sum_i \omega_i^2 e_i^2

with inertia tensor :math:`I(e)` and relative momentum
:math:`h = \int \varrho\, (s + u) \times \dot u` in the axes of the frame. The rows are

.. math::
    m \ddot R + \ddot d = F, \qquad
    \bar d \times \bar A^T \ddot R + \dot{\bar L} + \omega \times \bar L = M, \qquad
    \ddot R \cdot \frac{\partial d}{\partial e_i}
    + \frac{d}{dt} \frac{\partial T_\omega}{\partial \dot e_i}
    - \frac{\partial T_\omega}{\partial e_i} + \frac{\partial U}{\partial e_i} = Q_i

with :math:`L = \partial T_\omega/\partial\omega`; all derivatives are left to the generator.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any, ClassVar

from mbdgen.bodies.base import BodyKind
from mbdgen.geometry.frames import BodySymbols, Frame, Load
from mbdgen.geometry.stations import Station, combined
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar, is_number
from mbdgen.language.flexible.modal_motion import BodyModes, ModalMotion, Passage
from mbdgen.language.flexible.modal_motion import ModalStation as StationMarker


class Floating(BodyKind):
    """Modes, then a frame: base of the two kinds, in the plane and in space."""

    flexible = True
    spatial = False
    rigid: ClassVar[BodyKind]
    """The kind whose coordinates the frame has."""
    stiffened: ClassVar[bool]
    inertia_columns: ClassVar[tuple[str, ...]]
    """Those of the body at rest behind its mass."""
    axes_of_vectors: ClassVar[str]
    axes_of_turns: ClassVar[str]
    axes_of_drawing: ClassVar[str]
    shapes: ClassVar[tuple[str, ...]]
    """Displacements and rotations of a point by the modes, and foreshortening by pairs of modes."""
    moments: ClassVar[tuple[str, ...]]
    """Entries of the inertia tensor that change."""

    def __init_subclass__(cls) -> None:
        """Name coordinates, rows and parameters for the number of modes."""
        super().__init_subclass__()
        if "deformations" not in vars(cls):
            return
        n = cls.deformations
        modes = [str(k) for k in range(1, n + 1)]
        cls.coordinates = (*(f"e_{k}" for k in modes), *cls.coordinates)
        cls.rows = (*(f"mode {k}" for k in modes), *cls.rows)
        cls.position = tuple(n + k for k in range(len(cls.axes_of_vectors)))
        cls.unit_blocks = tuple((n + first, size) for first, size in cls.unit_blocks)
        cls.angle = None
        cls.shapes = (
            *(f"{c}{k}" for k in modes for c in cls.axes_of_vectors),
            *(f"r{c}{k}" for k in modes for c in cls.axes_of_turns),
            *(f"b{c}{j}_{k}" for j, k in cls.pairs() for c in cls.axes_of_drawing if cls.stiffened),
        )
        cls.parameters = ("m", *cls.inertia_columns, *cls._columns())

    @classmethod
    def pairs(cls) -> list[tuple[int, int]]:
        """Return the pairs of modes, each also with itself."""
        return [*combinations_with_replacement(range(1, cls.deformations + 1), 2)]

    @classmethod
    def _columns(cls) -> list[str]:
        """Return the names of what `BodyModes` holds, in its order."""
        modes = range(1, cls.deformations + 1)
        stiffened = cls.pairs() if cls.stiffened else []
        second = cls.pairs() if cls.stiffened or len(cls.moments) > 1 else []
        return [
            *(f"k_{k}" for k in modes),
            *(f"d_{k}" for k in modes),
            *(f"S{c}_{k}" for k in modes for c in cls.axes_of_vectors),
            *(f"P{c}_{k}" for k in modes for c in cls.axes_of_turns),
            *(f"J{c}_{k}" for k in modes for c in cls.moments),
            *(f"J{c}_{j}_{k}" for j, k in second for c in cls.moments),
            *(f"N{c}_{j}_{k}" for j, k in combinations(modes, 2) for c in cls.axes_of_turns),
            *(f"S{c}_{j}_{k}" for j, k in stiffened for c in cls.axes_of_vectors),
        ]

    def columns(self, motion: Motion) -> Sequence[Scalar]:
        """Return mass, inertia at rest, and the numbers of the modes."""
        x = _modes(motion)
        tables = (x.shift, x.turn, x.inertia, x.inertia_2, x.gyration, x.shift_2)
        flat = [c for table in tables for row in table for c in row]
        return [*self.rigid.columns(motion), *x.stiffness, *x.damping, *flat]

    def structure(self, motion: Motion) -> str:
        """List the columns that vanish: all momenta in the mean frame, and most of a beam."""
        pairs = zip(self.parameters, self.columns(motion), strict=True)
        return " ".join(name for name, x in pairs if is_number(x) and x == 0)

    def known(self, structure: str) -> Mapping[str, int]:
        """Return what vanishes."""
        return dict.fromkeys(structure.split(), 0)

    def _central(self, body: BodySymbols) -> bool:
        """Return whether the modes have no momentum (mean axes)."""
        return {x for x in self._columns() if x[0] in "SP"} <= {*self.known(body.structure)}

    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return amplitudes of the modes, then the pose of the frame; and the rates of both."""
        modes, rest = _modes(motion), [0.0] * self.deformations
        q, v = self.rigid.initial(motion)
        return (*(modes.amplitudes or rest), *q), (*(modes.rates or rest), *v)

    def place_of(self, marker: Any) -> Mapping[str, Scalar]:
        """Return modal displacements and rotations; none of a point fixed in the frame."""
        if isinstance(marker, Passage):
            return dict(marker.shape)
        shape = marker.shape if isinstance(marker, StationMarker) else [0.0] * len(self.shapes)
        return dict(zip(self.shapes, shape, strict=True))

    def frame(
        self,
        label: str,
        body: BodySymbols,
        point: Vec,
        local_axes: tuple[Vec, Vec, Vec],
        place: Mapping[str, Expr],
    ) -> Frame:
        """Return a frame displaced by the modes."""
        n, size, e, numbers = (
            self.deformations,
            len(self.axes_of_vectors),
            body.q,
            [*place.values()],
        )
        moved = [self._vector(numbers[size * k : size * (k + 1)]) for k in range(n)]
        turns = numbers[size * n :]
        size = len(self.axes_of_turns)
        turned = [self._turn(turns[size * k : size * (k + 1)]) for k in range(n)]
        shift = combined(moved, e[:n])
        drawn, count = turns[size * n :], len(self.axes_of_drawing)
        for i, (j, k) in enumerate(self.pairs() if drawn else ()):
            b = Vec.of([*drawn[count * i : count * (i + 1)], 0, 0][:3])
            shift = shift + b * (e[j - 1] * e[k - 1] / (2 if j == k else 1))
        return Station(label, body, point, local_axes, shift, combined(turned, e[:n]))

    @abstractmethod
    def turning(self, body: BodySymbols) -> Vec:
        """Return the angular velocity of the frame in its axes."""

    @abstractmethod
    def components(self, turn: Vec) -> list[Expr]:
        """Return what the rows of moments hold of a vector in the axes of the frame."""

    def origin(self, body: BodySymbols) -> Vec:
        """Return the undeformed position of the centre of mass."""
        return Vec.of([*(body.q[k] for k in self.position), 0][:3])

    def shift(self, body: BodySymbols, p: Sequence[Expr]) -> Vec:
        """Return the modal displacement of the centre of mass, in the axes of the frame."""
        return self._moment(body) / p[0]

    def generalised_force(
        self, body: BodySymbols, loads: Sequence[Load], torque: Vec
    ) -> list[Expr]:
        """Return the generalised force on the frame; modal forces follow by differentiation."""
        return [0] * self.deformations + self.rigid.generalised_force(body, loads, torque)

    def inertia(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Return the inertia rows, from the kinetic energy."""
        tape, n, omega = body.tape, self.deformations, self._omega(body)
        by = tape.adjoints({self._relative(body, p): 1}, set(omega))
        acceleration = Vec.of([*body.a[n:][: len(self.position)], 0][:3])
        rows = [
            tape.rate(tape.name(f"g_{k}", by[v]), body.seeds) - by.get(e, 0)
            for k, (e, v) in enumerate(zip(body.q[:n], body.v[:n], strict=True), 1)
        ]
        momentum = tape.vector(f"L_{body.label}", (by.get(c, 0) for c in omega))
        moment = Vec(*(tape.rate(c, body.seeds) for c in momentum)) + omega.cross(momentum)
        force = acceleration * p[0]
        if not self._central(body):
            local, shift = self._moment(body), self._turned_moment(body)
            inside = Vec(*(axis.dot(acceleration) for axis in body.axes))
            inside = tape.vector(f"a_inside_{body.label}", inside)
            rows = [
                row + inside.dot(Vec(*(tape.derivative(c, e) for c in local)))
                for row, e in zip(rows, body.q[:n], strict=True)
            ]
            moment = moment + local.cross(inside)
            force = force + Vec(*(tape.rate(tape.rate(c, body.seeds), body.seeds) for c in shift))
        return [*rows, *list(force)[: len(self.position)], *self.components(moment)]

    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Return the kinetic energy."""
        tape, n = body.tape, self.deformations
        velocity = Vec.of([*body.v[n:][: len(self.position)], 0][:3])
        total = p[0] * velocity.dot(velocity) / 2 + self._relative(body, p)
        if not self._central(body):
            rates = (tape.rate(c, body.seeds) for c in self._turned_moment(body))
            total = total + velocity.dot(Vec.of(rates))
        return total

    def strain_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Return half of the squares of frequencies and amplitudes."""
        pairs = enumerate(body.q[: self.deformations], 1)
        return sum(body.parameter(f"k_{k}") * e**2 / 2 for k, e in pairs)

    def dissipation(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Return Rayleigh's dissipation function of modal damping."""
        pairs = enumerate(body.v[: self.deformations], 1)
        return sum(body.parameter(f"d_{k}") * v**2 / 2 for k, v in pairs)

    def centre_of_mass(self, p: Sequence[Expr]) -> Vec:
        """Local points are relative to where it is at rest."""
        return zero()

    def variables(self, body: BodySymbols) -> dict[str, Expr]:
        """Amplitudes of the modes and their rates, and the energy of strain."""
        n, found = self.deformations, self.rigid.variables(body)
        found |= {f"e_{k}": e for k, e in enumerate(body.q[:n], 1)}
        found |= {f"e_{k}_rate": v for k, v in enumerate(body.v[:n], 1)}
        return {**found, "strain_energy": self.strain_energy(body, [])}

    def _omega(self, body: BodySymbols) -> Vec:
        """Return the angular velocity under names by which the energy is differentiated."""
        return body.once("turning", lambda: self.turning(body))

    def _relative(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        r"""Return :math:`T_\omega`."""
        return body.once("relative", lambda: self._stated(body, p))

    def _stated(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        omega, v = self._omega(body), body.v[: self.deformations]
        moments = [self._tensor(body, c) for c in self.moments]
        h = body.tape.vector(f"h_{body.label}", self._relative_momentum(body))
        energy = self.twice_rotational(moments, omega) / 2 + omega.dot(h)
        return body.tape.name(f"T_{body.label}", energy + sum(x**2 for x in v) / 2)

    @abstractmethod
    def twice_rotational(self, moments: Sequence[Expr], omega: Vec) -> Expr:
        """Return the product of the inertia tensor with the angular velocity from both sides."""

    @abstractmethod
    def tensor_at_rest(self, body: BodySymbols, entry: str) -> Expr:
        """Return an entry of the inertia tensor of the undeformed body."""

    def _tensor(self, body: BodySymbols, entry: str) -> Expr:
        e, n = body.q, self.deformations
        total = self.tensor_at_rest(body, entry)
        for k in range(1, n + 1):
            total = total + body.parameter(f"J{entry}_{k}") * e[k - 1]
        for j, k in self.pairs():
            name = f"J{entry}_{j}_{k}"
            if name in self.parameters:
                total = total + body.parameter(name) * e[j - 1] * e[k - 1]
        if len(self.moments) == 1:  # in the plane normal modes add their squares
            total = total + sum(x**2 for x in e[:n])
        return body.tape.name(f"tensor_{body.label}_{entry}", total)

    def _relative_momentum(self, body: BodySymbols) -> Vec:
        r"""Return :math:`\int \varrho\,(s + u) \times \dot u`."""
        e, v, n = body.q, body.v, self.deformations
        total, axes = zero(), self.axes_of_turns
        if not self._central(body):
            for k in range(1, n + 1):
                total = total + self._turn([body.parameter(f"P{c}_{k}") for c in axes]) * v[k - 1]
        for j, k in combinations(range(1, n + 1), 2):
            pair = self._turn([body.parameter(f"N{c}_{j}_{k}") for c in axes])
            total = total + pair * (e[j - 1] * v[k - 1] - e[k - 1] * v[j - 1])
        return total

    def _moment(self, body: BodySymbols) -> Vec:
        r"""Return :math:`\int \varrho\, u` in the axes of the frame."""
        return body.once("moment", lambda: self._stated_moment(body))

    def _stated_moment(self, body: BodySymbols) -> Vec:
        if self._central(body):
            return zero()
        total, axes, e = zero(), self.axes_of_vectors, body.q
        for k in range(1, self.deformations + 1):
            row = self._vector([body.parameter(f"S{c}_{k}") for c in axes])
            total = total + row * e[k - 1]
        for j, k in self.pairs() if self.stiffened else []:
            row = self._vector([body.parameter(f"S{c}_{j}_{k}") for c in axes])
            total = total + row * (e[j - 1] * e[k - 1] / (2 if j == k else 1))
        return body.tape.vector(f"shift_{body.label}", total)

    def _turned_moment(self, body: BodySymbols) -> Vec:
        """Return the same in global axes."""
        local = self._moment(body)
        return body.once(
            "turned moment",
            lambda: body.tape.vector(f"moved_{body.label}", body.rotate(local)),
        )

    def _vector(self, entries: Sequence[Expr]) -> Vec:
        return Vec.of([*entries, 0][:3])

    def _turn(self, entries: Sequence[Expr]) -> Vec:
        return Vec.of([0, 0, *entries][-3:])


def _modes(motion: Motion) -> BodyModes:
    assert isinstance(motion, ModalMotion)
    return motion.modes
