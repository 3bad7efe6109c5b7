"""Fixed initial rates, relative coordinates of joints with several, and T in ``v = T u``."""

from math import pi

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.errors import ModelError
from mbdgen.language.bodies.orientation import axis_angle
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.system.equation_terms import terms
from tests.mechanisms import four_bar


def crank_given(**crank: object) -> Model:
    """A square four-bar of which only the crank's rate is given."""
    m = Model("loop", gravity=(0, -9.81, 0), coordinates="planar")
    a = m.body("crank", mass=1.0, inertia=1 / 12, position=(0, 0.5), angle=pi / 2, **crank)
    b = m.body("coupler", mass=1.0, inertia=1 / 12, position=(0.5, 1))
    c = m.body("rocker", mass=1.0, inertia=1 / 12, position=(1, 0.5), angle=pi / 2)
    for name, one, other, x, y in (
        ("A", m.ground, a, 0, 0),
        ("B", a, b, 0, 1),
        ("C", b, c, 1, 1),
        ("D", m.ground, c, 1, 0),
    ):
        m.revolute(name, one, other, at=(x, y, 0), axis=(0, 0, 1))
    return m


def test_a_fixed_rate_decides_all_others() -> None:
    m = crank_given(angular_velocity=-2.0, fixed_velocity="theta")
    state = assemble(load(m))
    rates = dict(zip(load(m).names.coordinates, state.v, strict=True))
    assert rates["crank.theta"] == pytest.approx(-2.0, abs=1e-12)
    assert rates["coupler.x"] == pytest.approx(2.0, abs=1e-12)
    assert rates["rocker.theta"] == pytest.approx(-2.0, abs=1e-12)
    assert rates["coupler.theta"] == pytest.approx(0.0, abs=1e-12)


def test_a_guessed_rate_is_shared_with_the_rest() -> None:
    system = load(crank_given(angular_velocity=-2.0))
    rates = dict(zip(system.names.coordinates, assemble(system).v, strict=True))
    assert -2.0 < rates["crank.theta"] < 0.0
    assert rates["rocker.theta"] == pytest.approx(rates["crank.theta"], abs=1e-12)


def test_unknown_coordinate_to_fix() -> None:
    with pytest.raises(ModelError, match="phi"):
        crank_given(fixed_velocity="phi")


def test_angles_of_a_universal_joint() -> None:
    m = Model("cross", gravity=(0, 0, 0))
    turn = axis_angle((0, 0, 1), 0.4) @ axis_angle((1, 0, 0), 0.3)
    b = m.body("b", mass=1.0, inertia=(1, 2, 3), orientation=turn)
    joint = m.universal(
        "u",
        m.ground.at(axis=(0, 0, 1), reference=(1, 0, 0)),
        b.at(axis=(1, 0, 0), reference=(0, 0, 1)),
    )
    m.output("first", joint.angle_a)
    m.output("second", joint.angle_b)
    result = simulate(load(m), (0, 0.01), h=1e-3)
    assert result["first"][0] == pytest.approx(0.4, abs=1e-12)
    assert result["second"][0] == pytest.approx(0.3, abs=1e-12)


def test_displacements_of_a_planar_joint() -> None:
    m = Model("table", gravity=(0, 0, -9.81))
    b = m.body("b", mass=1.0, inertia=(1, 1, 1), position=(0.3, -0.2, 0), velocity=(1, 2, 0))
    joint = m.planar("p", m.ground.at(axis=(0, 0, 1)), b.at(axis=(0, 0, 1)))
    m.output("x", joint.x)
    m.output("y", joint.y)
    result = simulate(load(m), (0, 1), h=0.01)
    assert result["x"][-1] == pytest.approx(1.3, abs=1e-9)
    assert result["y"][-1] == pytest.approx(1.8, abs=1e-9)


@pytest.mark.parametrize("kind", ["planar", "natural", "quaternion"])
def test_reactions_act_along_h_times_t(kind: str) -> None:
    system = load(four_bar(kinds=kind))
    state = assemble(system)
    found = terms(system, 0.0, state.q, state.v)
    joints = found.H[-system.n_lam :]
    np.testing.assert_allclose(joints @ found.T, found.G, atol=1e-12)
    norms = found.H[: -system.n_lam]
    np.testing.assert_allclose(norms @ found.T, 0.0, atol=1e-12)
