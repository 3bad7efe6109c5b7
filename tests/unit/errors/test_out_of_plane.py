"""Loads out of the plane of planar bodies: refused if nothing of them is felt, else a warning."""

from typing import Any

import pytest

from mbdgen import Model, material, rectangle
from mbdgen.errors import ModelError
from mbdgen.topology.specify import specify

LOADS = {
    "force": {"force": (0, 0, -20)},
    "torque": {"torque": (3, 0, 0)},
    "line_load": {"force": (0, 0, -20), "torque": (0, 1, 0)},
}


def described(body: str, load: str, gravity: Any = (0, -9.81, 0), **given: Any) -> Model:
    m = Model("m", gravity=gravity)
    if body == "rod":
        end = m.body("rod", 1.0, (0.1, 0.1, 0.1), coordinates="planar").at(1, 0, 0)
    else:
        section, steel = rectangle(0.1, 0.1), material(1e9, 1000)
        made = m.beam("beam", [(0, 0), (1, 0)], section, steel, elements=2, kind=body)
        end = made if load == "line_load" else made.end
    getattr(m, load)("load", end, **given)
    return m


@pytest.mark.parametrize(
    ("body", "load"),
    [("rod", "force"), ("rod", "torque"), *(("euler-nonlinear", x) for x in LOADS)],
)
def test_loads_that_do_nothing(body: str, load: str) -> None:
    with pytest.raises(ModelError, match=r"'load.*' does nothing.*has no effect.*in space"):
        specify(described(body, load, **LOADS[load]))


@pytest.mark.parametrize(
    ("load", "given"),
    [
        ("force", {"force": (1, 0, -20)}),
        ("torque", {"torque": (3, 0, 1)}),
        ("line_load", {"force": (0, 0, -20), "torque": (0, 0, 1)}),
    ],
)
def test_a_part_is_lost(load: str, given: Any, caplog: pytest.LogCaptureFixture) -> None:
    specify(described("euler-nonlinear", load, **given))
    assert "has no effect: 'beam_" in caplog.text


def test_what_may_be_felt(caplog: pytest.LogCaptureFixture) -> None:
    """In the plane, zero now, on a body in space, and along z in time: a law may vanish."""
    m = described("rod", "force", force=(1, 0, 0))
    m.force("none", m.bodies["rod"].at(1, 0, 0), force=(0, 0, 0))
    m.force("later", m.bodies["rod"].at(1, 0, 0), force=(0, 0, m.parameter("p", 0.0)))
    m.force("space", m.body("block", 1.0, (1, 1, 1)).at(0, 0, 0), force=(0, 0, 1))
    specify(m)
    assert not caplog.text


def test_gravity(caplog: pytest.LogCaptureFixture) -> None:
    """A warning: other bodies may feel it."""
    m = described("euler-nonlinear", "force", (0, 0, -9.81), force=(0, 1, 0))
    specify(m)
    assert "Model 'm' is planar" in caplog.text
    caplog.clear()
    m.body("block", 1.0, (1, 1, 1))
    specify(m)
    assert "stays in a plane: 'beam_1', 'beam_2'." in caplog.text
