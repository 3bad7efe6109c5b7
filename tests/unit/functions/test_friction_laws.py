"""Laws of friction against their curves, written with NumPy: odd, and as steep as they say."""

from collections.abc import Callable

import numpy as np
import pytest
import sympy

from mbdgen.friction_laws.base import BristleLaw, Rubbing, friction_laws

MU, REST, CREEP, FADE = 0.3, 0.5, 0.02, 0.1
SPEED = sympy.Symbol("v", real=True)


def stribeck(v: float) -> float:
    return (MU + (REST - MU) * np.exp(-((v / FADE) ** 2))) * np.tanh(v / CREEP)


def bengisu_akay(v: float) -> float:
    size = abs(v)
    if size < CREEP:
        return np.sign(v) * REST * (1 - (size - CREEP) ** 2 / CREEP**2)
    return np.sign(v) * (MU + (REST - MU) * np.exp(-(((size - CREEP) / FADE) ** 2)))


CURVES: dict[str, Callable[[float], float]] = {
    "coulomb": lambda v: MU * np.tanh(v / CREEP),
    "linear": lambda v: MU * np.clip(v / CREEP, -1, 1),
    "stribeck": stribeck,
    "bengisu-akay": bengisu_akay,
}


@pytest.mark.parametrize("name", CURVES)
def test_curves(name: str) -> None:
    rubbing = Rubbing(coefficient=MU, static=REST, creep=CREEP, fade=FADE)
    law = sympy.sympify(friction_laws()[name]().coefficient(SPEED, rubbing))
    for v in (-0.5, -0.05, -0.021, -0.019, -0.001, 0.0, 0.005, 0.0199, 0.0201, 0.1, 2.0):
        assert float(law.subs(SPEED, v)) == pytest.approx(CURVES[name](v), abs=1e-14)


def test_every_law_has_its_curve_or_bristles() -> None:
    bristles = {name for name, law in friction_laws().items() if issubclass(law, BristleLaw)}
    assert {*friction_laws()} == {*CURVES} | bristles
