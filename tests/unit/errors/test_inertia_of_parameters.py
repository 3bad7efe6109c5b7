"""Parameters that would make an inertia negative are refused, whatever the kind of the body."""

from functools import cache

import numpy as np
import pytest

from mbdgen import Model, load, simulate_many
from mbdgen.errors import OptionError
from mbdgen.runtime.system.system import System

DEFAULTS = {
    **{"m_space": 1.0, "i_space": 0.2, "i_xy": 0.05, "m_plane": 1.0, "i_plane": 0.1},
    **{"m_point": 1.0, "m_bar": 1.0, "i_bar": 0.1, "far": 1.0, "stiffness": 3.0},
}


@cache
def bodies() -> System:
    """A body of each kind, all of them free."""
    m = Model("bodies", gravity=(0, -9.81, 0))
    p = {name: m.parameter(name, value) for name, value in DEFAULTS.items()}
    tensor = ((p["i_space"], p["i_xy"], 0), (p["i_xy"], 0.2, 0), (0, 0, 0.3))
    m.body("space", mass=p["m_space"], inertia=tensor, position=(p["far"], 0, 0))
    m.planar_body("plane", mass=p["m_plane"], inertia=p["i_plane"], position=(0, p["far"]))
    point = m.point_mass("point", mass=p["m_point"], position=(0, 0, p["far"]))
    m.body(
        "bar",
        mass=p["m_bar"],
        inertia=(0, p["i_bar"], p["i_bar"]),
        length=1.0,
        coordinates="natural",
    )
    m.spring("spring", m.ground.at(0, 0, 0), point, stiffness=p["stiffness"])
    return load(m, layout="loop")


@pytest.mark.parametrize(
    ("name", "value", "body"),
    [
        ("m_space", -1.0, "space"),
        ("i_space", -0.2, "space"),
        ("i_xy", 0.5, "space"),  # a positive diagonal is not enough
        ("m_plane", -1e-3, "plane"),
        ("i_plane", -0.1, "plane"),
        ("m_point", -1.0, "point"),
        ("m_bar", -1.0, "bar"),
        ("i_bar", -0.5, "bar"),
    ],
)
def test_negative_inertia_is_refused_and_nothing_is_changed(
    name: str, value: float, body: str
) -> None:
    system = bodies().copy()
    before = system.work.p.copy(), system.q0.copy(), system.v0.copy()
    with pytest.raises(OptionError, match=rf"{name} = {value:g}.* of body '{body}' is negative"):
        system.set(far=2.0, **{name: value})
    assert system.parameters == DEFAULTS
    for now, old in zip((system.work.p, system.q0, system.v0), before, strict=True):
        np.testing.assert_array_equal(now, old)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("m_space", 7.0), ("i_space", 0.05 * 0.05 / 0.2), ("i_xy", -0.05), ("i_plane", 0.0)),
        *(("far", -3.0), ("stiffness", -3.0)),
    ],
)
def test_other_values_are_accepted(name: str, value: float) -> None:
    system = bodies().copy()
    system.set(**{name: value})
    assert system.parameters[name] == value


def test_a_member_with_negative_mass_fails_alone() -> None:
    result = simulate_many(
        bodies(), (0, 0.01), {"m_point": [1.0, -1.0, 2.0]}, series="point", progress=False
    )
    assert result.status.tolist() == [0, -11, 0]
    assert "body 'point' is negative" in result.messages[1]
