"""Mistakes in fields that take functions and matrices, and in couplings of measures."""

import math
import re
from collections.abc import Callable
from typing import Any

import pytest

from mbdgen import Model
from mbdgen.errors import ModelError

Attach = Callable[[Model, Any, Any], Any]


def slot(curve: Any) -> Attach:
    return lambda m, a, b: m.pin_in_slot("slot", a, b, axis=(0, 0, 1), curve=curve)


def bush(stiffness: Any) -> Attach:
    return lambda m, a, b: m.bushing("bush", a, b, stiffness=stiffness)


def gear(**given: Any) -> Attach:
    return lambda m, a, b: m.gear("mesh", first=m.revolute("pin", a, b, **AXIS).angle, **given)


AXIS = {"axis": (0, 0, 1)}
MISTAKES: dict[str, Attach] = {
    r"pin_in_slot 'slot' lacks curve": lambda m, a, b: m.pin_in_slot("slot", a, b, **AXIS),
    r"curve of pin_in_slot 'slot' gives .*It must give 2 numbers": slot(lambda s: (s, s, s)),
    r"curve of pin_in_slot 'slot' stopped with TypeError": slot(lambda s: (math.cos(s), s)),
    r"stiffness of bushing 'bush'.*Give 6 rows of 6 numbers": bush((1, 2, 3)),
    r"stiffness of bushing 'bush'.*6 numbers of the diagonal": bush([[1, 2]] * 6),
    r"gear 'mesh' lacks second": gear(),
    r"ratio of gear 'mesh' is -2": gear(second=0.0, ratio=-2),
    r"mesh of gear 'mesh' is 'inner'": gear(second=0.0, mesh="inner"),
    r"has no output 'force'": lambda m, a, b: gear(second=0.0)(m, a, b).force,
}


@pytest.mark.parametrize("words", MISTAKES)
def test_mistake_is_named(words: str) -> None:
    m = Model("mistake")
    a, b = (m.body(name, 1, (1, 1, 1)) for name in ("one", "two"))
    with pytest.raises(ModelError) as raised:
        MISTAKES[words](m, a, b)
    assert re.search(words, str(raised.value), re.DOTALL)


def test_number_of_a_joint_needs_a_free_name() -> None:
    m = Model("taken")
    a, b = (m.body(name, 1, (1, 1, 1)) for name in ("slot_s", "two"))
    with pytest.raises(ModelError, match="'slot_s' is used twice"):
        slot(lambda s: (s, s**2))(m, a, b)


def test_browsers_do_not_find_reactions(tmp_path: Any) -> None:
    from mbdgen import build
    from mbdgen.errors import BuildError

    m = Model("rubbing")
    rod = m.planar_body("rod", 1, 1)
    pin = m.revolute("pin", m.ground, rod, **AXIS)
    m.friction("rub", along=pin.angle, load=pin.load, coefficient=0.1)
    with pytest.raises(BuildError, match="backend 'js' cannot find"):
        build(m, tmp_path, backend="js")
