"""A double pendulum with very stiff springs and dampers in its joints, against the references.

Damped angles of the second joint decay with a rate of about ``1e5 / s``: explicit methods need
steps of some microseconds.
"""

from functools import cache
from math import pi

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.language.bodies.homogeneous_shapes import rod
from mbdgen.runtime.system.system import System
from tests import reference

ANGLES = ("theta1", "theta2")


@cache
def pendulum(angle: float) -> System:
    """Return the system whose second bar begins at an absolute angle."""
    m = Model("stiff_pendulum", gravity=(0, -9.8, 0), coordinates="planar")
    upper = m.body("upper", mass=rod(3.0, 2.0), centre_of_mass=(1.0, 0), angle=-pi / 2)
    lower = m.body(
        "lower", mass=rod(0.3, 3.0), centre_of_mass=(1.5, 0), angle=angle, position=(0, -2.0)
    )
    pin = m.revolute("pin", m.ground.at(), upper.at())
    knee = m.revolute("knee", upper.at(2.0), lower.at())
    m.torsion_spring("hip", m.ground.at(), upper.at(), stiffness=400.0, damping=15.0)
    m.torsion_spring("stiff", upper.at(2.0), lower.at(), stiffness=3e5, damping=5e4, rest=-pi / 12)
    m.output("theta1", pin.angle)
    m.output("theta2", pin.angle + knee.angle)
    return load(m)


def errors(case: str, angle: float, method: str, h: float, **options: float) -> np.ndarray:
    """Return the largest error of the angles at each instant of the reference."""
    exact = reference.load(case).until(2.5)
    result = simulate(
        pendulum(angle), (0, 2.5), method=method, h=h, t_eval=exact.t, progress=False, **options
    )
    assert result.success, result.message
    found = np.column_stack([result[name] for name in ANGLES])
    return np.abs(found - exact.stack(*ANGLES)).max(axis=1)


SOFT = "DP3_stiff_bars_soft_start", -pi / 2 - pi / 12
VIOLENT = "DP2_stiff_bars", -pi / 2
IMPLICIT = [
    ("backward-euler", {}, 1),
    ("trapezoidal", {}, 2),
    ("hht", {}, 2),
    ("hht", {"alpha": -0.3}, 2),
    ("generalized-alpha", {}, 2),
    ("wilson", {}, 2),
    ("collocation", {}, 2),
    ("bdf", {"order": 2.0}, 2),
    ("bdf", {"order": 3.0}, 3),
    ("bdf", {"order": 4.0}, 4),
    ("bdf", {"order": 5.0}, 5),
    ("radau", {}, 5),
]


@pytest.mark.representatives(
    id=[
        "trapezoidal-options1-2",
        "generalized-alpha-options4-2",
        "bdf-options7-2",
        "bdf-options8-3",
        "bdf-options9-4",
        "bdf-options10-5",
        "radau-options11-5",
    ]
)
@pytest.mark.parametrize(("method", "options", "order"), IMPLICIT)
def test_implicit_methods(method: str, options: dict[str, float], order: int) -> None:
    """The slow motion converges with the order of the method, although the fast one is not seen.

    Methods that hardly damp fast motion carry what is left of it: their order settles later.
    """
    steps = (1.25e-3, 6.25e-4) if order <= 2 else (1e-2, 5e-3)
    coarse, fine = (errors(*SOFT, method, h, **options)[20:].max() for h in steps)
    assert coarse < {1: 5e-2, 2: 4e-4, 3: 2e-3, 4: 5e-4, 5: 5e-5}[order]
    assert np.log2(coarse / fine) > order - 0.2


@pytest.mark.parametrize(
    ("method", "options", "bound"),
    [("bdf", {"order": 5.0}, 1e-6), ("radau", {}, 1e-8), ("hht", {}, 1e-3)],
)
def test_violent_start(method: str, options: dict[str, float], bound: float) -> None:
    """The stiff spring begins 15 degrees away from its rest."""
    assert errors(*VIOLENT, method, 2.5e-3, **options).max() < bound


@pytest.mark.parametrize("method", ["euler", "heun", "adams", "pece"])
def test_explicit_methods_say_that_they_fail(method: str) -> None:
    result = simulate(pendulum(SOFT[1]), (0, 1), method=method, h=5e-3, progress=False)
    assert not result.success
    assert result.t[-1] < 0.1
