"""Kinds of outputs: what they state is what the result holds."""

import numpy as np
import pytest

from mbdgen import Model, Result, load, simulate
from mbdgen.errors import ModelError


def two_bodies() -> Model:
    m = Model("two_bodies")
    first = m.body("first", mass=1, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0))
    second = m.body("second", mass=1, inertia=(0.1, 0.2, 0.3), position=(1.5, 0, 0))
    m.spherical("ball", m.ground, first, at=(0, 0, 0))
    m.universal("cross", first, second, at=(1, 0, 0), axis_a=(0, 1, 0), axis_b=(0, 0, 1))
    m.angle_between("bend", first, second, at=(1, 0, 0), axis=(1, 0, 0))
    m.relative_velocity("seen", first.at(0.5), second.at(0.5))
    for name, body in (("one", first), ("two", second)):
        m.output(f"{name}_tip", body.at(0.5))
        m.output(f"{name}_turning", body.angular_velocity)
        for axis in (1, 2, 3):
            m.output(f"{name}_e{axis}", getattr(body.at(), f"e{axis}"))
    return m


@pytest.fixture(scope="module")
def result() -> Result:
    return simulate(load(two_bodies()), (0, 0.5), h=1e-2)


@pytest.mark.slow
def test_angle_between(result: Result) -> None:
    cosine = np.sum(result["one_e1"] * result["two_e1"], axis=1)
    assert result["bend"].max() > 0.5
    np.testing.assert_allclose(result["bend"], np.arccos(np.clip(cosine, -1, 1)), atol=1e-7)
    assert result.unit("bend") == "rad"


def test_relative_velocity(result: Result) -> None:
    """The derivative of the position in the axes of the first body."""
    arm = result["two_tip"] - result["one_tip"]
    local = np.stack([np.sum(result[f"one_e{k}"] * arm, axis=1) for k in (1, 2, 3)], axis=1)
    rate = (local[2:] - local[:-2]) / 2e-2
    assert np.abs(rate).max() > 1.0
    np.testing.assert_allclose(result["seen"][1:-1], rate, atol=5e-3)


def test_an_output_is_no_force() -> None:
    m = two_bodies()
    assert not m.forces and "bend" in m.outputs
    with pytest.raises(ModelError, match="bend"):
        m.angle_between("bend", m.bodies["first"], m.bodies["second"], axis=(1, 0, 0))


def test_displacements_count_from_the_start_or_from_a_place() -> None:
    m = Model("moved", gravity=(0, 0, 0))
    body = m.body("body", 1.0, (1, 1, 1), position=(1, 2, 3), velocity=(0.5, 0, 0))
    m.displacement("moved", m.ground, body)
    m.displacement("placed", m.ground, body, rest=(0.0, 1.0, m.parameter("height", 2.0)))
    result = simulate(load(m), (0, 0.1), h=0.05)
    np.testing.assert_allclose(result["moved"], np.outer(result.t, [0.5, 0, 0]), atol=1e-12)
    np.testing.assert_allclose(result["placed"], result["moved"] + [1, 1, 1], atol=1e-12)
    with pytest.raises(ModelError, match="rest of displacement 'no'"):
        m.displacement("no", m.ground, body, rest=(1.0,))
