"""Named parameters: changed after the build or built in, the numbers are the same."""

from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import Model
from mbdgen.errors import MbdgenError, OptionError
from tests.unit.compiler.printed import assert_same_numbers, plain_module, text_of
from tests.unit.compiler.samples import everything

NEW = {"L": 1.3, "m": 0.7, "k": 21.0, "tilt": -0.3}


def swing(layout: str = "flat", **values: float) -> Any:
    """A module whose parameters stand in masses, geometry, laws and initial values."""
    given = {"L": 1.0, "m": 2.0, "k": 30.0, "tilt": 0.2, **values}
    freeze = tuple(given.pop("freeze", ()))  # type: ignore[call-overload]
    m = Model("swing", gravity=(0, -9.81, 0))
    p = {n: m.parameter(n, x) for n, x in given.items()}
    length, mass = p["L"], p["m"]
    inertia = mass * length**2 / 12
    rod = m.body(
        "rod",
        mass,
        (0, inertia, inertia),
        position=(length * sympy.cos(p["tilt"]) / 2, length * sympy.sin(p["tilt"]) / 2, 0),
        angle=p["tilt"],
        angular_velocity=(0, 0, p["tilt"] + 1),
    )
    m.revolute("pin", m.ground, rod, at=(0, 0, 0), axis=(0, 0, 1))
    m.spring("spring", m.ground.at(length, 1, 0), rod.at(length / 2), stiffness=p["k"])
    m.force("push", rod, force=(p["k"] * sympy.sin(length * m.t), 0, 0))
    m.output("tip", rod.at(length / 2))
    m.output("scaled", rod.at(length / 2).x / length)
    return plain_module(text_of(m, layout=layout, freeze=freeze))


@pytest.mark.representatives(id="loop")
@pytest.mark.parametrize("layout", ["flat", "loop"])
def test_set_equals_a_new_build(layout: str) -> None:
    changed, new = swing(layout), swing(layout, **NEW)
    assert changed.system.parameters == {"L": 1.0, "m": 2.0, "k": 30.0, "tilt": 0.2}
    changed.system.set(**NEW)
    assert changed.system.parameters == new.system.parameters == NEW
    np.testing.assert_allclose(changed.system.q0, new.system.q0, rtol=1e-15, atol=1e-16)
    np.testing.assert_allclose(changed.system.v0, new.system.v0, rtol=1e-15, atol=1e-16)
    np.testing.assert_allclose(changed.system.work.p, new.system.work.p, rtol=1e-15, atol=1e-16)
    assert_same_numbers(changed, new, 1e-14)


def test_back_to_the_defaults() -> None:
    module, untouched = swing(), swing()
    module.system.set(**NEW)
    module.system.set(L=1.0, m=2.0, k=30.0, tilt=0.2)
    np.testing.assert_allclose(module.system.work.p, untouched.system.work.p, rtol=1e-15)
    np.testing.assert_allclose(module.system.q0, untouched.system.q0, rtol=1e-15)


@pytest.mark.slow
def test_everything_can_be_changed() -> None:
    module, same = (plain_module(text_of(everything())) for _ in range(2))
    assert_same_numbers(module, same, 0.0)
    module.system.set(gain=3.7)
    with pytest.raises(AssertionError):
        assert_same_numbers(module, same, 1e-9)
    same.system.set(gain=3.7)
    assert_same_numbers(module, same, 0.0)


@pytest.mark.representatives(id="flat")
@pytest.mark.parametrize("layout", ["flat", "loop"])
def test_frozen_parameters_are_numbers_of_the_code(layout: str) -> None:
    frozen, free = swing(layout, freeze=["L", "k"]), swing(layout)  # type: ignore[arg-type]
    assert set(frozen.system.parameters) == {"m", "tilt"}
    assert_same_numbers(frozen, free, 1e-14)
    for system in (frozen.system, free.system):
        system.set(m=0.7, tilt=-0.3)
    assert_same_numbers(frozen, free, 1e-14)
    with pytest.raises(OptionError, match=r"'L'.*m, tilt"):
        frozen.system.set(L=2.0)


def test_freezing_makes_the_code_shorter() -> None:
    m = Model("short", gravity=(0, 0, 0))
    stiffness = m.parameter("stiffness", 0.0)
    m.potential("field", energy=stiffness * m.point_mass("ball", 1.0).at().x ** 4)
    full, short = text_of(m, layout="flat"), text_of(m, layout="flat", freeze=("stiffness",))
    assert len(short.split("\n")) < len(full.split("\n"))


def test_unknown_parameter_to_freeze() -> None:
    with pytest.raises(MbdgenError, match=r"no parameter Q to freeze.*L, m"):
        swing(freeze=["Q"])  # type: ignore[arg-type]


def test_wrong_value_changes_nothing() -> None:
    system = swing().system
    before = system.work.p.copy()
    for wrong in ({"L": 2.0, "Q": 1.0}, {"L": 2.0, "m": float("nan")}, {"L": 0.0, "k": "a"}):
        with pytest.raises(OptionError):
            system.set(**wrong)
        np.testing.assert_array_equal(system.work.p, before)
        assert system.parameters["L"] == 1.0
