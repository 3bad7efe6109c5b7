"""Joints at places that move along beams and curves: exact derivatives, reactions by virtual work.

Redundant equations would show as rows that depend on each other, a reaction along the path as a
difference between the row of the number and what the constraints allow.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import Model, material, rectangle
from mbdgen.forces.base import Force, FrameLoad
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language.flexible.floating_beam import FloatingBeam
from mbdgen.language.markers.path import MovingMarker
from mbdgen.topology.specify import specify
from tests.unit.kernels.element import (
    Array,
    ElementCase,
    State,
    check_derivatives,
    check_power,
    check_rank,
    check_reactions,
)

IN_SPACE = ("spherical", "universal", "revolute", "fixed")
SPACE_CURVE = (lambda s: (sympy.cos(s), 2 * sympy.sin(s), 0.3 * s + 0.2 * s**2), 0.3)


def beam(m: Model, kind: str) -> Any:
    points = [(0.2, -0.1, 0.0), (1.0, 0.3, 0.0)]
    law = material(young=2e5, density=900.0)
    return m.beam("rod", points, rectangle(0.1, 0.1), law, elements=2, kind=kind)


def curve_of(m: Model, owner: str) -> MovingMarker:
    body = m.ground if owner == "ground" else m.body("frame", 1.0, (1, 1, 1), position=(0.1, 0, 0))
    normal = (0, 0.3, 1) if owner == "body" else None
    place = body.along("place", *SPACE_CURVE, normal=normal)
    assert isinstance(place, MovingMarker)
    return place


def attach(m: Model, joint: str, place: MovingMarker) -> None:
    bead = m.body("bead", 1.0, (0.2, 0.3, 0.4), position=(0.5, 0.1, 0.2))
    axes = {"axis_a": (1, 0, 0), "axis_b": (0, 1, 0)} if joint == "universal" else {}
    if joint in ("revolute", "prismatic"):
        axes = {"axis": (1, 0.2, 0.1)}
    getattr(m, joint)("slide", place, bead.at(0.1, 0, 0), **axes)


def at_place(e: ElementCase, s: float) -> State:
    """A random state near the initial one, with the number of the place given."""
    rng = np.random.default_rng(11)
    state = e.closed_state(rng)
    first = 0
    for kind in e.kinds:
        if kind.name == "auxiliary":
            state.q[first] = s
        elif kind.flexible:
            state.q[first : first + kind.n_q] += 0.1 * rng.normal(size=(kind.n_q, 1))
        first += kind.n_q
    return state


def check(e: ElementCase, s: State) -> None:
    check_derivatives(e, s)
    check_reactions(e, s)
    check_power(e, s)
    check_rank(e, s)


@pytest.mark.representatives(id="body-spherical")
@pytest.mark.parametrize("joint", IN_SPACE)
@pytest.mark.parametrize("owner", ["ground", "body"])
def test_curves(joint: str, owner: str) -> None:
    m = Model("moving")
    attach(m, joint, curve_of(m, owner))
    e = ElementCase(m, "slide")
    check(e, at_place(e, 0.7))


@pytest.mark.slow
@pytest.mark.parametrize(
    "joint", [j if j == "fixed" else pytest.param(j, marks=pytest.mark.slow) for j in IN_SPACE]
)
def test_beams_in_space(joint: str) -> None:
    m = Model("moving")
    attach(m, joint, beam(m, "yakoub").along("place", 0.1))
    e = ElementCase(m, "slide")
    check(e, at_place(e, 0.2))


@pytest.mark.representatives(id=["True-revolute", "False-revolute", "False-fixed"])
@pytest.mark.parametrize("joint", ["revolute", "fixed"])
@pytest.mark.parametrize("tangent", [True, False])
def test_beams_in_the_plane(joint: str, tangent: bool) -> None:
    m = Model("moving")
    bead = m.planar_body("bead", 1.0, 0.2, position=(0.5, 0.1))
    place = beam(m, "euler-nonlinear").along("place", 0.1, tangent=tangent)
    getattr(m, joint)("slide", place, bead.at(0.1, 0))
    e = ElementCase(m, "slide")
    check(e, at_place(e, 0.2))


FLOATING = {
    "modes": {"modes": (2, 1)},
    "stiffened": {"modes": (2, 1), "stiffened": True},
    "mean": {"modes": (2, 1), "stiffened": True, "frame": "mean"},
    "elements": {"elements": 2, "modes": (2, 1), "stiffened": True},
}


def floating(m: Model, how: str) -> FloatingBeam:
    points = [(0.2, -0.1), (1.0, 0.3)]
    law = material(young=2e5, density=900.0)
    return m.floating_beam("rod", points, rectangle(0.1, 0.1), law, **FLOATING[how])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "joint", "tangent"),
    [
        ("modes", "revolute", True),
        ("modes", "fixed", True),
        pytest.param("modes", "fixed", False, marks=pytest.mark.slow),
        pytest.param("stiffened", "revolute", True, marks=pytest.mark.slow),
        pytest.param("stiffened", "fixed", True, marks=pytest.mark.slow),
    ],
)
def test_beams_in_a_floating_frame(how: str, joint: str, tangent: bool) -> None:
    m = Model("moving")
    bead = m.planar_body("bead", 1.0, 0.2, position=(0.5, 0.1))
    place = floating(m, how).along("place", 0.1, tangent=tangent)
    getattr(m, joint)("slide", place, bead.at(0.1, 0))
    e = ElementCase(m, "slide")
    check(e, at_place(e, 0.2))


@pytest.mark.parametrize("how", FLOATING)
def test_a_place_on_a_floating_beam_is_where_a_station_is(how: str) -> None:
    """On every piece: modes of elements are cubics there, others closer to theirs than 1e-7."""
    share = np.array([0.0, 0.3, 0.55, 0.8, 1.0])
    for x in share:
        m = Model("moving")
        beam = floating(m, how)
        place, there = beam.along("place", 0.1, tangent=False), beam.at(x * beam.length)
        m.revolute("slide", place, m.planar_body("bead", 1.0, 0.2).at())
        m.output("gap", (place.x - there.x, place.y - there.y, place.e1[0] - there.e1[0]))
        specs = [spec for spec in specify(m) if spec.name == "gap"]
        borders = [dict(spec.columns)["begin_a"] for spec in specs]
        e = ElementCase(m, "gap")
        e.spec = specs[sum(b <= x * beam.length for b in borders) - 1]
        e.numbers = {c: float(value) for c, value in e.spec.columns}
        gap = e.values("outputs", at_place(e, float(x * beam.length)))
        assert abs(gap).max() < (1e-13 if how == "elements" else 1e-7), (x, gap)


@pytest.mark.slow
def test_a_spring_at_a_moving_place() -> None:
    m = Model("moving")
    attach(m, "spherical", beam(m, "yakoub").along("place", 0.1))
    other = m.point_mass("other", 1.0, position=(0.5, 1.1, 0.2))
    place = m.attached["slide"].markers[0]
    m.spring("spring", place, other.origin, stiffness=30.0, damping=2.0, length=0.5)
    e = ElementCase(m, "spring")
    s = at_place(e, 0.2)
    check_derivatives(e, s)
    free = e.residual(State(s.t, s.q, 0 * s.v, 0 * s.a, s.lam)).real[:, 0]
    slope = e.energies(s.moved(q=np.eye(e.n_q)))[1].imag / 1e-30
    np.testing.assert_allclose(free, slope, rtol=1e-11, atol=1e-11)


def values(s: float) -> tuple[Array, Array]:
    """What both pieces of a path state at a place, each with numbers of its own element."""
    m = Model("moving")
    place = beam(m, "euler-nonlinear").along("place", 0.1)
    m.revolute("slide", place, m.planar_body("bead", 1.0, 0.2).at(0.1, 0))
    pieces = [spec for spec in specify(m) if spec.name == "slide"]
    assert len(pieces) == 2 and len({spec.key for spec in pieces}) == 1
    found = []
    for spec in pieces:
        e = ElementCase(m, "slide")
        e.spec, e.numbers = spec, {c: float(x) for c, x in spec.columns}
        found.append(e.residual(at_place(e, s)).real[:, 0])
    return found[0], found[1]


def test_a_place_counts_on_one_piece_only() -> None:
    border = 0.5 * np.hypot(0.8, 0.4)
    first, last = values(border - 1e-9)
    assert first.any() and not last.any()
    first, last = values(border)
    assert last.any() and not first.any()
    for beyond in (-0.1, 2 * border + 0.1):  # the ends go on, for steps that try too much
        assert sum(piece.any() for piece in values(beyond)) == 1


@dataclass(frozen=True)
class Damper(Force):
    """The same damper stated by loads, or by its dissipation; and an inertia between points."""

    name = "damper"
    ends = ("a", "b")

    by_loads: Any = 0.0
    by_dissipation: Any = 0.0
    mass: Any = 0.0

    def loads(self, *frames: Any) -> list[FrameLoad]:
        """Against the relative velocity."""
        a, b = frames
        push = (a.v - b.v) * self.by_loads
        return [FrameLoad(a, -push), FrameLoad(b, push)]

    def dissipation(self, *frames: Any) -> Expr:
        """Half of what is lost."""
        gap = frames[0].v - frames[1].v
        return gap.dot(gap) * self.by_dissipation / 2

    def kinetic_energy(self, *frames: Any) -> Expr:
        """Of the relative velocity."""
        gap = frames[0].v - frames[1].v
        return gap.dot(gap) * self.mass / 2


@pytest.mark.parametrize("field", ["by_loads", "by_dissipation", "mass"])
def test_forces_at_a_place_on_the_ground(field: str) -> None:
    """The row of the number is the force times the slope of the curve."""
    m = Model("moving")
    other = m.point_mass("other", 1.0, position=(0.5, 1.1, 0.2))
    place = m.ground.along("place", lambda s: (2 * s, s, 0.5 * s), 0.3, normal=(0, 0, 1))
    m.add("damper", Damper, place, other.origin, **{field: 3.0})
    e = ElementCase(m, "damper")
    number = [kind.name for kind in e.kinds].index("auxiliary")
    at = sum(kind.n_q for kind in e.kinds[:number])
    s = e.closed_state(np.random.default_rng(3))
    rates = np.real((s.a if field == "mass" else s.v)[:, 0])
    slope, body = np.array([2, 1, 0.5]), np.delete(rates, at)
    rows = e.residual(s).real[:, 0]
    push = 3.0 * (slope * rates[at] - body)
    np.testing.assert_allclose(rows[at], slope @ push, rtol=1e-12)
    np.testing.assert_allclose(np.delete(rows, at), -push, rtol=1e-12)
