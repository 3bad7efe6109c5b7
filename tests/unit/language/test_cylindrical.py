"""Cylindrical coordinates: the motion of a point mass, exact tangents, and where they end."""

from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.bodies.cylindrical import Cylindrical
from mbdgen.errors import ModelError, OptionError, SingularSystemError
from mbdgen.runtime.system.system import System

LAYOUTS = ("flat", "loop")
MASS, POSITION, VELOCITY = 1.5, (0.6, 0.3, -0.4), (0.2, 0.9, 0.1)


def suspended(kind: Any, layout: str = "flat", damping: float = 0.0) -> System:
    """A mass on a spring, away from the axis."""
    m = Model("suspended_" + getattr(kind, "name", kind), gravity=(0, 0, -9.81))
    x = m.parameter("x", POSITION[0])
    position = (x, *POSITION[1:])
    ball = m.body("ball", mass=MASS, position=position, velocity=VELOCITY, coordinates=kind)
    ends = m.ground.at(0.1, -0.2, 0.5), ball.at()
    m.spring("spring", *ends, stiffness=60, length=0.8, damping=damping)
    m.output("place", ball.at())
    m.output("velocity", ball.at().velocity)
    m.output("acceleration", ball.at().acceleration)
    return load(m, layout=layout)


def carried(kind: str, layout: str = "flat") -> System:
    """A mass at the end of a swinging quaternion rod, and a rod of fixed length to the ground."""
    m = Model("carried_" + kind, gravity=(0, 0, -9.81))
    rod = m.body("rod", mass=1, inertia=(0.02, 0.1, 0.1), position=(0.6, 0.2, 0))
    ball = m.body("ball", mass=MASS, position=(1.1, 0.2, 0), coordinates=kind)
    m.spherical("top", m.ground, rod, at=(0.1, 0.2, 0))
    m.spherical("end", rod, ball, at=(1.1, 0.2, 0))
    m.distance("stay", m.ground.at(1, 0.9, 0.5), ball.at())
    m.force("push", ball.at(), force=(-0.3 * ball.at().vx, 1.0, 0.2 * ball.at().y))
    m.output("place", ball.at())
    return load(m, layout=layout)


def state(system: System, seed: int = 1) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    sizes = (system.n_q, system.n_q, system.n_q, system.n_lam)
    return [rng.normal(size=n) for n in sizes]


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_motion_of_a_point_mass(layout: str) -> None:
    point, other = (
        simulate(suspended(kind, layout), (0, 2), method="dop853", h=4e-3)
        for kind in ("point", "cylindrical")
    )
    assert other.info.layout == layout
    for name in ("place", "velocity", "acceleration"):
        np.testing.assert_allclose(other[name], point[name], atol=1e-8)
    assert other.info.dof == other.info.n_q == 3


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_motion_in_joints(layout: str) -> None:
    point, other = (
        simulate(carried(kind, layout), (0, 1), method="rk4", h=1e-3)
        for kind in ("point", "cylindrical")
    )
    np.testing.assert_allclose(other["place"], point["place"], atol=1e-8)
    np.testing.assert_allclose(other["stay"], point["stay"], atol=1e-5)
    assert other.info.dof == point.info.dof == 2


@pytest.mark.parametrize("layout", LAYOUTS)
def test_energy(layout: str) -> None:
    """The mass passes the axis at 5 cm; what is lost there is the error of the method."""
    system = suspended("cylindrical", layout)
    for method, order in (("newmark", 2), ("rk4", 4)):
        coarse, fine = (
            simulate(system, (0, 2), method=method, h=h).counters.energy_drift for h in (2e-3, 1e-3)
        )
        assert np.log2(coarse / fine) == pytest.approx(order, abs=0.1)
    exact = simulate(system, (0, 2), method="dop853", h=2e-3)
    assert exact.success and exact.counters.energy_drift < 1e-10
    damped = simulate(suspended("cylindrical", layout, 0.4), (0, 2), method="dop853", h=2e-3)
    assert damped["energy.total"][-1] < damped["energy.total"][0] - 0.1


def test_energy_and_momentum_of_free_motion() -> None:
    """Without forces about the axis ``r^2 phi'`` is constant."""
    m = Model("free_cylindrical", gravity=(0, 0, -9.81))
    m.body("ball", mass=2, position=(1, 0, 0), velocity=(-0.5, 0.7, 1), coordinates="cylindrical")
    result = simulate(load(m), (0, 2), method="dop853", h=1e-2)
    turning = result["ball.r"] ** 2 * result["ball.phi.dot"]
    np.testing.assert_allclose(turning, 0.7, atol=1e-10)
    expected = np.hypot(1 - 0.5 * result.t, 0.7 * result.t)
    np.testing.assert_allclose(result["ball.r"], expected, atol=1e-10)


@pytest.mark.representatives(id=["suspended-flat", "suspended-loop"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("make", [suspended, carried])
def test_tangent(make: Any, layout: str) -> None:
    """``A = c_q dr/dq + c_v dr/dv + c_a dr/da`` beside ``dr/dlam``, by central differences."""
    system, h = make("cylindrical", layout), 1e-6
    at, n_q = state(system), system.n_q
    weights = (1.1, 1.2, 1.3)
    constraints = np.zeros(n_q + system.n_lam, bool)
    constraints[n_q:] = True
    # The norm row of a quaternion stands among the first rows; its weights are those of phi.
    norm = np.array([not np.any(row) for row in _by(system, at, 2, h)]) & ~constraints
    found = system.matrix(0.3, *at, weights).toarray()
    columns = sum(w * _by(system, at, k, h) for k, w in enumerate(weights))
    phi = constraints | norm
    columns[phi] = _by(system, at, 0, h)[phi]
    np.testing.assert_allclose(found[:, :n_q], columns, atol=1e-7)
    np.testing.assert_allclose(found[~phi, n_q:], _by(system, at, 3, h)[~phi], atol=1e-7)


def _by(system: System, at: list[np.ndarray], k: int, h: float) -> np.ndarray:
    """Derivative of the residual by the k-th vector of the state."""
    columns = []
    for j in range(len(at[k])):
        ends = []
        for sign in (1, -1):
            moved = [x.copy() for x in at]
            moved[k][j] += sign * h
            ends.append(np.asarray(system.residual(0.3, *moved)))
        columns.append((ends[0] - ends[1]) / (2 * h))
    return np.array(columns).T.reshape(system.n_q + system.n_lam, -1)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_mass_matrix_follows_the_distance(layout: str) -> None:
    system = suspended("cylindrical", layout)
    for r in (0.3, 2.0):
        at = state(system)
        at[0][0] = r
        mass = system.matrix(0.0, *at, (0.0, 0.0, 1.0)).toarray()
        np.testing.assert_allclose(mass, np.diag([MASS, MASS * r**2, MASS]), atol=1e-13)


@pytest.mark.slow
def test_layouts_agree() -> None:
    flat, loop = (carried("cylindrical", layout) for layout in LAYOUTS)
    at = state(flat, 5)
    np.testing.assert_allclose(flat.residual(0.2, *at), loop.residual(0.2, *at), atol=1e-12)
    for one, other in zip(flat.rates(0.2, *at), loop.rates(0.2, *at), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_initial_values_follow_a_parameter() -> None:
    system = suspended(Cylindrical)
    system.set(x=-0.2)
    x, y, z = -0.2, *POSITION[1:]
    r, (vx, vy, vz) = np.hypot(x, y), VELOCITY
    np.testing.assert_allclose(system.q0, [r, np.arctan2(y, x), z], rtol=1e-14)
    rates = [(x * vx + y * vy) / r, (x * vy - y * vx) / r**2, vz]
    np.testing.assert_allclose(system.v0, rates, rtol=1e-14)


def test_start_on_the_axis_is_refused() -> None:
    m = Model("on_axis", gravity=(0, 0, -9.81))
    m.body("ball", mass=1, position=(0, 0, 1), coordinates="cylindrical")
    with pytest.raises(ModelError, match=r"'ball'.*r = 0.*coordinates='point'"):
        load(m)


def test_parameters_that_lead_onto_the_axis_are_refused() -> None:
    m = Model("to_axis", gravity=(0, 0, -9.81))
    x = m.parameter("x", 1.0)
    m.body("still", mass=1, position=(x, 0, 1), coordinates="cylindrical")
    system = load(m)
    system.set(x=0.0)
    with pytest.raises(SingularSystemError, match=r"still\.phi"):
        simulate(system, (0, 1), h=1e-2)
    position, velocity = (x, 0, 1), (1, 0, 0)
    m.body("moving", mass=1, position=position, velocity=velocity, coordinates="cylindrical")
    with pytest.raises(OptionError, match="x = 0"):
        load(m).set(x=0.0)


def test_a_point_away_from_the_mass_is_refused() -> None:
    m = Model("away", gravity=(0, 0, -9.81))
    ball = m.body("ball", mass=1, position=(1, 0, 1), coordinates="cylindrical")
    m.output("place", ball.at(0.1, 0, 0))
    with pytest.raises(ModelError, match="point mass"):
        load(m)
