r"""Rigid bodies in natural coordinates: positions of basic points, and basic vectors.

Whatever the mix, a point of the body is linear in the coordinates,
:math:`r(s) = C(s)\, q` with :math:`C(s) = [c_1(s) E, c_2(s) E, \dots]`, so that the mass matrix
:math:`M = \int C^T C\, dm` is constant and nothing is quadratic in the velocities. The weights, M
and the inner products that keep the body rigid come from `mbdgen.bodies.interpolation`.

Two points in the plane, or a point and a vector; in space four of them, three independent arms.
Further points and vectors depend linearly on these.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from mbdgen.bodies.base import BodyKind
from mbdgen.bodies.interpolation import (
    BasicPair,
    basics,
    inertia,
    interpolation,
    products,
    weights,
)
from mbdgen.geometry.frames import BodySymbols, Load
from mbdgen.geometry.symbolic_vectors import AXES, Expr, Vec, zero
from mbdgen.language.bodies.coordinates import CoordinateBlock
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar, is_number

POINTS = "ABCDEFGHIJ"
VECTORS = "uvw"
PLAIN = (-1, 0, 1, 2)
LEFT_OUT = "without:"
PARTS = ("", "t")  # of a pair: along, and rotated by 90 degrees


class PointsAndVectors(BodyKind):
    """Basic points and vectors; subclasses define their numbers, and whether planar."""

    linear = True
    independent: ClassVar[int] = 0

    def __init_subclass__(cls, **more: Any) -> None:
        """Name coordinates, rows and parameters from the numbers of points and vectors."""
        super().__init_subclass__(**more)
        axes = AXES[:2] if cls.planar else AXES
        letters = _letters(cls.points, cls.vectors)
        cls.spatial = not cls.planar
        cls.independent = len(_needed(cls.planar))
        cls.blocks = tuple(
            CoordinateBlock(name, len(axes), "point" if k < cls.points else "vector")
            for k, name in enumerate(letters)
        )
        cls.coordinates = tuple(
            f"{c}{name}" if k < cls.points else f"{name}{c}"
            for k, name in enumerate(letters)
            for c in axes
        )
        cls.rows = tuple(f"force {name} {c}" for name in letters for c in axes)
        cls.parameters = _parameters(cls.planar, len(letters))

    def columns(self, motion: Motion) -> Sequence[Scalar]:
        """Return mass, centre of mass, interpolation, mass matrix, products, weights."""
        every = basics(motion)
        chosen, more = every[: self.independent], every[self.independent :]
        y = interpolation(chosen, self.planar)
        mass = inertia(y, motion, self.planar)
        kept = products(chosen, motion.rigid_by == "distances")
        pairs = [x for row in y for x in row]
        pairs += [mass[j][k] for j in range(len(y)) for k in range(j, len(y))]
        extra = [x for basic in more for x in weights(y, basic, self.planar)]
        numbers: list[Scalar] = [motion.mass, *motion.centre_of_mass]
        numbers += self._numbers(pairs)
        numbers += [x for p in kept for x in (p.value, p.scale)]
        return numbers + self._numbers(extra)

    def _numbers(self, pairs: Sequence[BasicPair]) -> list[Scalar]:
        return [x for pair in pairs for x in (pair if self.planar else pair[:1])]

    def structure(self, motion: Motion) -> str:
        """Return which of the parameters are 0, or 1 and 2 where they are geometric."""
        found = [motion.rigid_by, LEFT_OUT + ",".join(map(str, motion.left_out))]
        for name, x in zip(self.parameters, self.columns(motion), strict=True):
            geometry = name[0] in "YPSX"
            if name != "m" and is_number(x) and x in (PLAIN if geometry else (0,)):
                found.append(f"{name}={int(x)}")
        return " ".join(found)

    def known(self, structure: str) -> dict[str, int]:
        """Return the parameters that belong to the structure."""
        named = (word.split("=") for word in structure.split() if "=" in word)
        return {name: int(x) for name, x in named}

    def conditions(self, motion: Motion) -> Sequence[frozenset[frozenset[int]]]:
        """Return the arms of every condition of rigidity."""
        found = []
        for j, k in _arm_pairs(self.independent):
            across = motion.rigid_by == "distances" and j != k and self._both_points(j, k)
            arms = [{j + 1, k + 1}] if across else [self._arm(j), self._arm(k)]
            found.append(frozenset(map(frozenset, arms)))
        return found

    def _arm(self, j: int) -> set[int]:
        """Return the blocks of an arm: its own, and the first point unless it is a vector."""
        return {0, j + 1} if j + 1 < self.points else {j + 1}

    def _both_points(self, j: int, k: int) -> bool:
        return max(j, k) + 1 < self.points

    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return points and vectors in global axes, and their velocities."""
        size = 2 if self.planar else 3
        q: list[Scalar] = []
        v: list[Scalar] = []
        for x in basics(motion):
            if x.is_point:
                q += motion.global_point(x.local)[:size]
                v += motion.point_velocity(x.local)[:size]
            else:
                q += motion.arm(x.local)[:size]
                v += motion.arm_velocity(x.local)[:size]
        return q, v

    def local_point(self, point: Sequence[Scalar], motion: Motion) -> Sequence[Scalar]:
        """Local points are relative to the reference point."""
        return point

    def origin(self, body: BodySymbols) -> Vec:
        """Return the reference point."""
        return _combined(_weights(body, 0), self._vectors(body.q))

    def axes(self, body: BodySymbols) -> tuple[Vec, Vec, Vec]:
        """Return the axes as linear combinations of the basic points and vectors."""
        x, y, z = self._axes(body, body.q, "axis")
        return x, y, z

    def angular_velocity(self, body: BodySymbols) -> Vec:
        r"""Return half the sum of :math:`e_k \times \dot e_k`; in the plane one axis suffices."""
        axes, rates = body.axes, self._axes(body, body.v, "axis_rate")
        if self.planar:
            return axes[0].cross(rates[0])
        turning = zero()
        for e, rate in zip(axes, rates, strict=True):
            turning = turning + e.cross(rate)
        return turning / 2

    def generalised_force(
        self, body: BodySymbols, loads: Sequence[Load], torque: Vec
    ) -> list[Expr]:
        """Return the exact generalised force: loads on origin and axes, then on basic ones."""
        on = [zero(), *self._of_torque(body, torque)]
        for load in loads:
            if load.translates:
                on[0] = on[0] + load.value
            if self.planar:
                x, y, _ = load.local
                on[1] = on[1] + load.value * x - _turned(load.value) * y
            else:
                on[1:] = [f + load.value * s for f, s in zip(on[1:], load.local, strict=True)]
        tape, label = body.tape, body.label
        on[1:] = [tape.vector(f"on_{label}_{k}", f) for k, f in enumerate(on[1:], 1)]
        shares = [_weights(body, k) for k in range(len(on))]
        rows: list[Expr] = []
        for j in range(len(self.blocks)):
            force = zero()
            if j < self.independent:
                for share, f in zip(shares, on, strict=True):
                    along, turned = share[j]
                    force = force + f * along - _turned(f) * turned
            rows += list(force)[: self.blocks[j].size]
        return rows

    def _of_torque(self, body: BodySymbols, torque: Vec) -> list[Vec]:
        """Return the loads on the axes equivalent to a torque, by equal power."""
        if all(c == 0 for c in torque):
            return [zero()] * (1 if self.planar else 3)
        if self.planar:
            return [torque.cross(body.axes[0])]
        return [torque.cross(e) / 2 for e in body.axes]

    def inertia(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Return the constant mass matrix times acceleration."""
        return [c for v in self._momenta(body, body.a) for c in v]

    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Return half of ``v M v``."""
        momenta = (c for v in self._momenta(body, body.v) for c in v)
        return sum(v * x for v, x in zip(body.v, momenta, strict=True)) / 2

    def centre_of_mass(self, p: Sequence[Expr]) -> Vec:
        """Return the centre of mass relative to the reference point."""
        return Vec(*p[1:4])

    def constraints(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Return rigidity conditions, and linear conditions of dependent points and vectors."""
        d = self._vectors(body.q)
        chosen = d[: self.independent]
        arms = [x - d[0] if k < self.points else x for k, x in enumerate(chosen)][1:]
        arms = [body.tape.vector(f"arm_{body.label}_{k}", x) for k, x in enumerate(arms, 1)]
        distances = body.structure.startswith("distances")
        found: list[Expr] = []
        left_out = _left_out(body.structure)
        for number, (j, k) in enumerate(_arm_pairs(self.independent)):
            if number in left_out:
                continue
            across = arms[k] - arms[j]
            is_distance = distances and j != k and self._both_points(j, k)
            form = across.dot(across) if is_distance else arms[j].dot(arms[k])
            value, scale = (body.parameter(f"{name}_{j + 1}{k + 1}") for name in "PS")
            found.append((form - value) / scale)
        for e in range(self.independent, len(d)):
            shares = [_pair(body, f"X_{e + 1}{j + 1}") for j in range(self.independent)]
            found += list(d[e] - _combined(shares, chosen))[: self.blocks[e].size]
        return found

    def _vectors(self, numbers: Sequence[Expr]) -> list[Vec]:
        """Return the coordinates (or their rates) as vectors."""
        size = self.blocks[0].size
        parts = (numbers[k : k + size] for k in range(0, len(numbers), size))
        return [Vec.of([*part, 0][:3]) for part in parts]

    def _axes(self, body: BodySymbols, numbers: Sequence[Expr], name: str) -> list[Vec]:
        basic = self._vectors(numbers)
        count = 1 if self.planar else 3
        found = [_combined(_weights(body, k), basic) for k in range(1, count + 1)]
        named = [body.tape.vector(f"{name}_{body.label}_{k}", e) for k, e in enumerate(found, 1)]
        return [named[0], _turned(named[0]), Vec(0, 0, 1)] if self.planar else named

    def _momenta(self, body: BodySymbols, numbers: Sequence[Expr]) -> list[list[Expr]]:
        """Return the mass matrix times rates, by points and vectors."""
        basic = self._vectors(numbers)
        size = self.blocks[0].size
        found: list[list[Expr]] = []
        for j in range(len(basic)):
            momentum = zero()
            for k in range(self.independent) if j < self.independent else ():
                along, turned = _pair(body, f"M_{min(j, k) + 1}{max(j, k) + 1}")
                sense = 1 if j < k else -1
                momentum = momentum + basic[k] * along + _turned(basic[k]) * (turned * sense)
            found.append(list(momentum)[:size])
        return found


def _left_out(structure: str) -> set[int]:
    """Return the conditions that another body keeps."""
    listed = next(word for word in structure.split() if word.startswith(LEFT_OUT))
    return {int(k) for k in listed.removeprefix(LEFT_OUT).split(",") if k}


def _letters(points: int, vectors: int) -> list[str]:
    turns = [VECTORS[k % 3] + (str(k // 3 + 1) if k > 2 else "") for k in range(vectors)]
    return [*POINTS[:points], *turns]


def _needed(planar: bool) -> range:
    """Return the indices of the points and vectors that a body needs."""
    return range(2 if planar else 4)


def _arm_pairs(count: int) -> list[tuple[int, int]]:
    """Return the pairs of arms whose products are conditions, in the order of `products`."""
    return [(j, k) for j in range(count - 1) for k in range(j, count - 1)]


def _parameters(planar: bool, count: int) -> tuple[str, ...]:
    """Return the names of the columns: pairs have two in the plane."""
    n = len(_needed(planar))
    parts = PARTS if planar else PARTS[:1]
    axes = range(2 if planar else 4)
    pairs = [f"Y_{j + 1}{k}" for j in range(n) for k in axes]
    pairs += [f"M_{j + 1}{k + 1}" for j in range(n) for k in range(j, n)]
    kept = [f"{name}_{j + 1}{k + 1}" for j, k in _arm_pairs(n) for name in "PS"]
    extra = [f"X_{e + 1}{j + 1}" for e in range(n, count) for j in range(n)]
    paired = [[name + part for name in names for part in parts] for names in (pairs, extra)]
    return ("m", "xG", "yG", "zG", *paired[0], *kept, *paired[1])


def _pair(body: BodySymbols, name: str) -> tuple[Expr, Expr]:
    """Return the symbols of a pair; in space the rotated part is zero."""
    turned = body.parameter(name + PARTS[1]) if body.kind.planar else 0
    return body.parameter(name), turned


def _weights(body: BodySymbols, k: int) -> list[tuple[Expr, Expr]]:
    """Return the weights of the basic ones in the origin (0) or in an axis (1, 2, 3)."""
    n = len(_needed(body.kind.planar))
    return [_pair(body, f"Y_{j + 1}{k}") for j in range(n)]


def _combined(shares: Sequence[tuple[Expr, Expr]], basic: Sequence[Vec]) -> Vec:
    result = zero()
    for (along, turned), d in zip(shares, basic, strict=False):
        result = result + d * along + _turned(d) * turned
    return result


def _turned(d: Vec) -> Vec:
    """Return a planar vector rotated by 90 degrees."""
    return Vec(-d[1], d[0], 0)
