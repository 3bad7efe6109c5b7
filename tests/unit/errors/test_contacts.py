"""What a user can do wrong with contacts is refused with the names that he gave."""

from typing import Any

import pytest

from mbdgen import Model, load, simulate
from mbdgen.errors import ModelError, OptionError
from mbdgen.topology.specify import specify

STEEL = {"young": 2e11}


def described(body: Any = None, **contact: Any) -> Model:
    m = Model("bad")
    given = {"position": (0, 0, 3), "radius": 1, **STEEL, **(body or {})}
    ball = m.body("ball", 5, (2, 2, 2), **given)
    m.sphere_plane("floor", ball, m.ground, **{"normal": (0, 0, 1), **contact})
    return m


@pytest.mark.parametrize(
    ("body", "contact", "message"),
    [
        ({}, {"normal": (0, 0, -1)}, "'ball' above the plane of sphere_plane 'floor' is -3"),
        ({}, {"normal": None}, "has no normal"),
        ({"radius": 0}, {}, "radius of body 'ball' is 0"),
        ({"radius": None}, {}, "radius of body 'ball' is not known"),
        ({}, {"radius": -1}, "radius of sphere_plane 'floor' is -1"),
        ({"young": 0}, {}, "young of body 'ball' is 0"),
        ({"young": -2e11}, {}, "young of body 'ball' is -2e"),
        ({"poisson": 0.7}, {}, "poisson of body 'ball' is 0.7"),
        ({"young": None}, {}, "Neither a stiffness nor Young's modulus"),
        ({}, {"restitution": 0}, "restitution of sphere_plane 'floor' is 0"),
        ({}, {"restitution": 0, "law": "flores"}, "restitution of sphere_plane 'floor' is 0"),
        ({}, {"restitution": 1.2}, "restitution of sphere_plane 'floor' is 1.2"),
        ({}, {"coefficient": 0.4}, "sphere_plane 'floor' has the coefficient 0.4, but no law"),
        ({}, {"friction": "coulomb"}, "has the friction 'coulomb', but its coefficient is 0"),
        ({}, {"coefficient": -0.1}, "coefficient of sphere_plane 'floor' is -0.1"),
        ({}, {"law": "newton"}, "law of sphere_plane 'floor' is 'newton'.*hunt-crossley"),
        ({}, {"friction": "dry"}, "friction of sphere_plane 'floor' is 'dry'.*stribeck"),
        ({}, {"law": "hertz", "restitution": 0.5}, "'hertz' is elastic"),
        ({}, {"law": "kelvin-voigt"}, "exponent 1.5"),
        ({}, {"stiffness": 0}, "stiffness of sphere_plane 'floor' is 0"),
        ({}, {"exponent": 2}, "exponent 1.5, not 2"),
    ],
)
def test_refused(body: dict[str, Any], contact: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        described(body, **contact)


def test_gonthier_wants_a_number() -> None:
    m = Model("symbolic")
    c = m.parameter("c", 0.5)
    ball = m.body("ball", 5, (2, 2, 2), position=(0, 0, 3), radius=1, **STEEL)
    with pytest.raises(ModelError, match=r"gonthier.*expression c"):
        m.sphere_plane("floor", ball, m.ground, normal=(0, 0, 1), law="gonthier", restitution=c)


def test_a_plane_must_rest() -> None:
    """Unless it is said that it moves; a chain of fixed joints holds it."""
    m = Model("moving")
    ball = m.body("ball", 5, (2, 2, 2), position=(0, 0, 3), radius=1, **STEEL)
    plate = m.body("plate", 1, (1, 1, 1))
    m.sphere_plane("floor", ball, plate, normal=(0, 0, 1))
    with pytest.raises(ModelError, match="plane of sphere_plane 'floor' is on 'plate', which is"):
        specify(m)
    m.fixed("hold", m.ground, plate)
    assert specify(m)


def test_who_cannot_open_and_close_contacts_says_so() -> None:
    system = load(described())
    with pytest.raises(OptionError, match="has contacts, which the library's method 'solve-ivp'"):
        simulate(system, (0, 1), method="solve-ivp", formulation="index1", progress=False)


def test_no_rim_is_negative() -> None:
    m = Model("bad")
    wheel = m.body("wheel", 5, (1, 2, 1), position=(0, 0, 3), radius=1)
    given = {"normal": (0, 0, 1), "axis_a": (0, 1, 0), "stiffness": 1e5}
    with pytest.raises(ModelError, match=r"rim of disc_plane 'tyre' is -0\.1"):
        m.disc_plane("tyre", wheel, m.ground, rim=-0.1, **given)
