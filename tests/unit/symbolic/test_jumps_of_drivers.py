"""Drivers whose functions jump are refused, however the jump is written."""

import pytest
import sympy as sp

from mbdgen import Model
from mbdgen import functions as f
from mbdgen.errors import ModelError
from mbdgen.stages import derive_types
from mbdgen.symbolic.statement.continuity import jumps
from mbdgen.topology.specify import specify

T = sp.Symbol("t", real=True)
V, B = sp.symbols("v b", positive=True)
JUMPING = {
    "value": lambda t: sp.Piecewise((0, t < 0.1), (1, True)),
    "slope": lambda t: sp.Piecewise((t, t < 0.1), (0.1, True)),
    "Heaviside": lambda t: sp.Heaviside(t - 0.1),
    "sign": lambda t: sp.sign(t - 0.1),
    "floor": lambda t: sp.floor(10 * t),
    "piecewise": lambda t: f.piecewise(f.polynomial(0), 0.1, f.polynomial(1))(t),
}
SMOOTH = {
    "square": lambda t: sp.Piecewise((0, t < 0.1), ((t - 0.1) ** 2, True)),
    "piecewise": lambda t: f.piecewise(f.polynomial(0), 0.1, f.polynomial(0))(t),
    "versine": lambda t: f.versine(0.05, 0.1)(t),
}


def derived(angle: object) -> None:
    m = Model("driven")
    rod = m.body("rod", 1.0, (0.01, 0.1, 0.1), position=(0.5, 0, 0))
    m.revolute("pin", m.ground, rod, at=(0, 0, 0), axis=(0, 1, 0))
    m.rotation_driver("drive", m.ground, rod, axis=(0, 1, 0), angle=angle(m.t))
    derive_types(specify(m), "sympy")


@pytest.mark.parametrize("name", JUMPING)
def test_refused(name: str) -> None:
    with pytest.raises(ModelError, match="drive"):
        derived(JUMPING[name])


@pytest.mark.representatives(id="piecewise")
@pytest.mark.parametrize("name", SMOOTH)
def test_continuous_functions_are_allowed(name: str) -> None:
    derived(SMOOTH[name])


def test_where_cases_meet() -> None:
    held = sp.Piecewise((V * T, T < B), (V * B, True))
    assert not jumps(held, slopes=False)  # for all values of both parameters
    assert jumps(held, slopes=True)
    three = sp.Piecewise((0, T < 1), (T - 1, T <= 2), (T**2 / 4, True))
    assert not jumps(three, slopes=False)
    assert jumps(sp.Piecewise((0, (T > 1) & (T < 2)), (1, True)), slopes=False)
