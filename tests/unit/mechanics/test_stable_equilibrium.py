"""Stable equilibria are found from unstable ones."""

import numpy as np
import pytest

from mbdgen import load, statics


@pytest.mark.parametrize("angle", [np.pi / 2, pytest.param(1.2, marks=pytest.mark.slow)])
def test_crank_falls_from_its_upright_position(angle: float) -> None:
    """Exactly upright all forces are in balance, and nothing says which way is down."""
    system = load("slider_crank", layout="loop", torque=0.0, angle=angle)
    found = statics(system, stable=True)
    assert found.stability == "stable"
    lowest = system.names.coordinates.index("crank.theta")
    assert np.cos(found.state.q[lowest] + np.pi / 2) == pytest.approx(1.0, abs=1e-9)
