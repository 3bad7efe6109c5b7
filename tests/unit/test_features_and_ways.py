"""What a way of running does not know it refuses by name; nothing is left out in silence."""

from collections.abc import Callable
from typing import Any

import pytest

from mbdgen import Model
from mbdgen.emit.able import require_able
from mbdgen.emit.backends import find_backend
from mbdgen.errors import BuildError
from mbdgen.language.read import read
from mbdgen.options import BuildOptions
from mbdgen.stages import derive_types, lower_model
from mbdgen.topology.specify import specify


def rubbing() -> Model:
    """Friction that reads the reaction of its joint."""
    m = Model("rubbing", gravity=(0, -9.81, 0))
    rod = m.planar_body("rod", 1.0, 0.1, position=(0.5, 0))
    pin = m.revolute("pin", m.ground, rod, at=(0, 0), axis=(0, 0, 1))
    m.friction("rub", along=pin.angle, load=pin.load, coefficient=0.5, radius=0.1, creep=0.05)
    return m


def rolling() -> Model:
    """A coin: rolling constrains velocities."""
    return read("rolling_disc")


def charted() -> Model:
    """A body whose orientation has three numbers, on a hinge."""
    m = Model("charted", gravity=(0, 0, -9.81), coordinates="euler-zxz")
    rod = m.body("rod", 1.0, (0.1, 0.2, 0.3), position=(0.5, 0, 0))
    m.revolute("pin", m.ground, rod, at=(0, 0, 0), axis=(0, 1, 0))
    return m


def touching() -> Model:
    """A ball above the ground."""
    return read("falling_ball")


RELATIVE: dict[str, Any] = {"coordinates": "relative"}
REFUSED = [
    (rubbing, RELATIVE, {}, "numba", "force 'rub' depends on reactions"),
    (rubbing, {}, {"eliminate": True}, "numba", "'rub' depends on reactions"),
    (rubbing, {}, {"reduced": True}, "numba", "forces depend on reactions"),
    (rubbing, {}, {}, "js", "depend on reactions .* 'js' cannot find"),
    (rolling, {}, {"reduced": True}, "numba", "rolling"),
    (charted, RELATIVE, {}, "numba", "body 'rod' has an orientation in other numbers"),
    (charted, {}, {"eliminate": True}, "numba", "'rod'"),
    (charted, {}, {}, "js", "'js' cannot switch orientations .* body 'rod'"),
    (touching, {}, {}, "js", "contacts, .* 'js' cannot open and close"),
]


@pytest.mark.parametrize(("make", "coordinates", "options", "backend", "message"), REFUSED)
def test_refused_by_name(
    make: Callable[[], Model],
    coordinates: dict[str, Any],
    options: dict[str, Any],
    backend: str,
    message: str,
) -> None:
    model = read(make(), coordinates)
    specs = specify(model)
    types = derive_types(specs, "sympy")
    with pytest.raises(BuildError, match=message):
        system = lower_model(model, specs, types, BuildOptions(backend, **options))
        require_able(find_backend(backend), system)
