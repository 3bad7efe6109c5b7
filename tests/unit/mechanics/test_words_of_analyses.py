"""What analyses return is told in one line, however many coordinates a mechanism has."""

import pytest

from mbdgen import linearise, load, modes, statics
from mbdgen.language.read import read
from tests.quickest import quickest


def test_analyses_say_what_they_found() -> None:
    system = load(read("double_pendulum"), second=True, backend=quickest())
    rest = statics(system, stable=True)
    found = modes(system, at=rest.state)
    assert repr(rest).startswith("Equilibrium: stable, lowest stiffness 7.183 1/s^2, of 6 coord")
    assert repr(found) == "Modes: 2 about t = 0 s, Hz: 0.42655, 1.1441"
    assert repr(linearise(system, at=rest.state)).startswith("LinearModel: 4 states, 0 inputs, ")
    assert all("\n" not in repr(x) for x in (rest, found, found.linear))
    assert found.frequency == pytest.approx([0.42655, 1.1441], rel=1e-4)
