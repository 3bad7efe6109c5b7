"""Points and vectors that bodies have in common: numbers, motions, and mistakes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, build, load, simulate
from mbdgen.bodies.base import BodyKind
from mbdgen.errors import BuildError, ModelError
from mbdgen.geometry.symbolic_vectors import Vec, zero
from mbdgen.language.bodies.coordinates import CoordinateBlock
from mbdgen.language.recoordinate import recoordinated
from mbdgen.stages import derive_types
from mbdgen.symbolic.lower.numbering import number
from mbdgen.topology.specify import specify
from tests.backends.node import evaluate, needs_node
from tests.quickest import quickest

UNIFORM = {"centre_of_mass": (0.5, 0.0), "length": 1.0}


def three_bars(share: bool) -> Model:
    """A pendulum of three bars in the plane, with a spring between the first and the last."""
    m = Model("shared" if share else "joined", gravity=(0, -9.81, 0), coordinates="natural")
    end = (1 + np.cos(0.3), -np.sin(0.3))
    a = m.body("arm", 1.0, 0.1, **UNIFORM)
    b = m.body("rod", 1.2, 0.1, position=(1, 0), angle=-0.3, **UNIFORM)
    c = m.body("tail", 0.8, 0.1, position=end, angle=0.4, **UNIFORM)
    m.revolute("pin", m.ground.at(), a.at())
    if share:
        m.share(a, "B", b, "A")
        m.share(b, "B", c, "A")
    else:
        m.revolute("ab", a.at(1.0), b.at())
        m.revolute("bc", b.at(1.0), c.at())
    m.spring("spring", a.at(0.5), c.at(0.7, 0.1), stiffness=10.0, damping=0.3)
    m.output("tip", c.at(1.0))
    return m


def hinge(share: bool) -> Model:
    """Two spatial bodies with a point and an axis in common, hanging on a ball."""
    m = Model("hinge_shared" if share else "hinge", gravity=(0, 0, -9.81))
    points: dict[str, Any] = {"points": ((0, 0, 0), (1, 0, 0)), "vectors": ((0, 1, 0),)}
    common = {"coordinates": "natural", "centre_of_mass": (0.4, 0.1, 0.0)}
    a = m.body("arm", 1.0, (0.02, 0.1, 0.11), angular_velocity=(1, 2, 0), **points, **common)
    at, speed = (1, 0, 0), (0, 0, -2)
    b = m.body(
        "rod", 0.7, (0.03, 0.1, 0.11), position=at, velocity=speed, angular_velocity=(1, -1, 0),
        points=((0, 0, 0),), vectors=((0, 1, 0),), **common,
    )  # fmt: skip
    m.spherical("ball", m.ground, a, at=(0, 0, 0))
    if share:
        m.share(a, "B", b, "A")
        m.share(a, "u", b, "u")
    else:
        m.revolute("hinge", a, b, at=at, axis=(0, 1, 0))
    m.output("tip", b.at(1.0))
    m.output("turning", b.angular_velocity)
    return m


def motion(model: Model, **options: Any) -> Any:
    chosen = {"backend": quickest(), "layout": "loop", **options}
    return simulate(load(model, **chosen), (0, 0.2), method="rk4", h=1e-3, progress=False)


def same(one: Any, other: Any, tolerance: float) -> None:
    """All outputs agree: these are the same equations, but for the error of rk4 (h^4)."""
    for name in one.names.outputs:
        np.testing.assert_allclose(one[name], other[name], atol=tolerance, err_msg=name)


def counts(model: Model) -> tuple[int, int]:
    specs = specify(model)
    found = number(model, specs, derive_types(specs, "sympy"))
    return found.n_q, found.n_lam


def test_counts_in_the_plane() -> None:
    """Two joints of two equations each, and as many coordinates."""
    assert counts(three_bars(False)) == (12, 2 + 4 + 3)
    assert counts(three_bars(True)) == (8, 2 + 3)


@pytest.mark.slow
def test_counts_in_space() -> None:
    """A point and a vector are common: the length of the vector is kept once, no joint is left."""
    assert counts(hinge(False)) == (24, 3 + 5 + 12)
    assert counts(hinge(True)) == (18, 3 + 11)


class TwoNodes(BodyKind):
    """Two nodes of a bar in the plane, each with a point and two slopes; lumped masses."""

    name = "two_nodes"
    coordinates = tuple(f"{x}{c}{k}" for k in "12" for x in "ruv" for c in "xy")
    rows = tuple(f"force {c}" for c in coordinates)
    parameters = ("m",)
    blocks = tuple(
        CoordinateBlock(f"{x}{k}", 2, "point" if x == "r" else "vector")
        for k in "12"
        for x in "ruv"
    )
    planar = True
    turns = False

    def columns(self, motion):  # type: ignore[no-untyped-def]
        return (motion.mass,)

    def initial(self, motion):  # type: ignore[no-untyped-def]
        x, y, _ = motion.position
        return (x, y, 1, 0, 0, 1, x + motion.length, y, 1, 0, 0, 1), [0] * 12

    def origin(self, body):  # type: ignore[no-untyped-def]
        return Vec(body.q[0], body.q[1], 0)

    def axes(self, body):  # type: ignore[no-untyped-def]
        return Vec(1, 0, 0), Vec(0, 1, 0), Vec(0, 0, 1)

    def angular_velocity(self, body):  # type: ignore[no-untyped-def]
        return zero()

    def generalised_force(self, body, loads, torque):  # type: ignore[no-untyped-def]
        total = sum((load.value for load in loads), zero())
        return [total[0], total[1], *([0] * 10)]

    def inertia(self, body, p):  # type: ignore[no-untyped-def]
        return [p[0] * a for a in body.a]

    def kinetic_energy(self, body, p):  # type: ignore[no-untyped-def]
        return p[0] * sum(v**2 for v in body.v) / 2

    def centre_of_mass(self, p):  # type: ignore[no-untyped-def]
        return zero()


@pytest.mark.parametrize(("share", "expected"), [(False, (20, 2)), (True, (16, 2))])
def test_two_rigid_bars_at_the_nodes_of_a_third(share: bool, expected: tuple[int, int]) -> None:
    """Figure 4.2 of García Vallejo: 16 coordinates and 2 constraints instead of 20 and 2 + 4."""
    m = Model("linked", gravity=(0, -9.81, 0), coordinates="natural")
    one = m.body("one", 1.0, 0.1, position=(0, 0), length=1.0)
    two = m.body("two", 1.0, 0.1, position=(3, 0), angle=np.pi, length=1.0)
    bar = m.body("bar", 1.0, coordinates=TwoNodes, position=(1, 0), length=1.0)
    if share:
        m.share(one, "B", bar, "r1")
        m.share(two, "B", bar, "r2")
    assert counts(m) == expected
    found = number(m, specs := specify(m), derive_types(specs, "sympy"))
    # In order of creation: A1 B1, A2 B2, then the vectors of the nodes.
    if share:
        assert found.blocks["bar"] == (2, 8, 10, 6, 12, 14)


@pytest.mark.slow
def test_motion_and_energy_in_the_plane() -> None:
    joined, shared = motion(three_bars(False)), motion(three_bars(True))
    same(joined, shared, 1e-9)
    assert shared.info.dof == joined.info.dof == 3


@pytest.mark.slow
def test_motion_and_energy_in_space() -> None:
    joined, shared = motion(hinge(False)), motion(hinge(True))
    same(joined, shared, 1e-9)
    total = shared["energy.kinetic"] + shared["energy.potential"]
    assert np.ptp(total) < 1e-7 * np.abs(total).max()
    assert shared.info.dof == joined.info.dof == 4
    quaternions = motion(recoordinated(hinge(False), "quaternion"))
    same(quaternions, shared, 1e-7)


@pytest.mark.slow
def test_straight_lines_write_the_same() -> None:
    same(motion(three_bars(True)), motion(three_bars(True), layout="flat"), 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["loop", "flat"])
def test_numba_writes_the_same(layout: str) -> None:
    same(motion(three_bars(True)), motion(three_bars(True), layout=layout, backend="numba"), 1e-9)


@needs_node
@pytest.mark.parametrize("layout", ["loop", "flat"])
def test_javascript_moves_alike(layout: str, tmp_path: Path) -> None:
    model = three_bars(True)
    module = str(build(model, tmp_path, backend="js", layout=layout))
    options = {"method": "rk4", "h": 1e-3, "every": 200}
    task = {"task": "simulate", "module": module, "span": [0, 0.2], "options": options}
    (found,) = evaluate([task])
    assert found["success"], found["message"]
    expected = motion(model)
    np.testing.assert_allclose(np.array(found["q"])[-1], expected.q[-1], atol=1e-9)


@pytest.mark.slow
def test_a_point_mass_at_a_point_of_a_body() -> None:
    m = Model("weighted", gravity=(0, 0, -9.81))
    rod = m.body("rod", 1.0, (0.1, 0.1, 0.1), coordinates="natural", points=((0, 0, 0), (1, 0, 0)))
    weight = m.point_mass("weight", 2.0, position=(1, 0, 0))
    m.spherical("ball", m.ground, rod, at=(0, 0, 0))
    m.share(rod, "B", weight, "P")
    assert counts(m) == (12, 9)
    assert "rod.xB" in load(m, layout="loop").names.coordinates


def places(**more: Any) -> tuple[Model, Any, Any]:
    m = Model("pair", coordinates="natural")
    a = m.body("arm", 1.0, 0.1, length=1.0)
    b = m.body("rod", 1.0, 0.1, **{"position": (1, 0), **more})
    return m, a, b


def test_what_is_shared_must_be_in_one_place() -> None:
    m, a, b = places(position=(1.1, 0))
    m.share(a, "B", b, "A")
    what = r"point 'A' of body 'rod' is shared with body 'arm', but is 0\.1 m"
    with pytest.raises(ModelError, match=what):
        load(m)


def test_what_is_shared_must_move_alike() -> None:
    """Else one of the velocities would be forgotten silently."""
    m, a, b = places(angular_velocity=2.0, velocity=(0, 0.5))
    m.share(a, "B", b, "A")
    with pytest.raises(ModelError, match=r"with body 'arm', but moves there by 0\.5 m/s"):
        load(m)


@pytest.mark.slow
def test_a_massless_bar_between_common_points() -> None:
    """It is a condition of two points of other bodies then: a distance."""
    results = []
    for name in ("bar", "distance"):
        m = Model(f"by_{name}", gravity=(0, -9.81, 0), coordinates="natural")
        upright = {"angle": np.pi / 2, "centre_of_mass": (0.5, 0.0), "length": 1.0}
        left = m.body("left", 1.0, 0.1, angular_velocity=-1.0, **upright)
        right = m.body("right", 1.0, 0.1, position=(1, 0), angular_velocity=-1.0, **upright)
        m.revolute("A", m.ground, left, at=(0, 0, 0), axis=(0, 0, 1))
        m.revolute("D", m.ground, right, at=(1, 0, 0), axis=(0, 0, 1))
        if name == "bar":
            bar = m.body("bar", 0.0, position=(0, 1), velocity=(1, 0), length=1.0)
            m.share(left, "B", bar, "A")
            m.share(bar, "B", right, "B")
        else:
            m.distance("bar", left.at(1.0), right.at(1.0))
        m.output("tip", left.at(1.0))
        results.append(motion(m))
    assert [r.q.shape[1] for r in results] == [8, 8]
    same(*results, 1e-9)


@pytest.mark.parametrize(
    ("ends", "message"),
    [
        ((0, "C", 1, "A"), r"Body 'arm' has no point or vector 'C' to share. It has: point of the"),
        ((0, "A", 0, "B"), "'arm' shares 'A' with itself"),
        ((2, "A", 1, "B"), "is no moving body of 'pair'"),
    ],
)
def test_mistakes(ends: tuple[int, str, int, str], message: str) -> None:
    m, *bodies = places()
    known = [*bodies, m.ground]
    with pytest.raises(ModelError, match=message):
        m.share(known[ends[0]], ends[1], known[ends[2]], ends[3])


def test_plane_and_space_have_nothing_in_common() -> None:
    m, a, _ = places()
    c = m.body("tail", 1.0, (1, 1, 1))
    with pytest.raises(ModelError, match="of 'arm' and point 'A' of 'tail' cannot be the same"):
        m.share(a, "A", c, "A")


def test_other_coordinates_may_have_no_such_point() -> None:
    with pytest.raises(ModelError, match="Body 'arm' has no point or vector 'B' to share"):
        recoordinated(hinge(True), "quaternion")


def test_relative_coordinates_are_refused() -> None:
    with pytest.raises(BuildError, match="bodies 'arm', 'rod', 'tail' share points or vectors"):
        load(three_bars(True).with_joint_coordinates("relative"))
