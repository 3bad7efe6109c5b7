"""A shaft line with two universal joints in natural coordinates: one equation too many.

Three shafts, the last parallel to the first one, forks in phase. With the angle b of the bends the
shaft in the middle turns by the ratio r of the first one, and the last one turns like that:

    r = cos(b)/(1 - sin(b)^2 cos(theta)^2),   (J1 + J3 + J2 r^2) theta'^2/2 = E0 + T theta
"""

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mbdgen import Model, load, simulate
from mbdgen.language.bodies.orientation import axis_angle
from mbdgen.runtime.methods.scheme import choose
from mbdgen.runtime.system.system import System
from tests.physics.running import SOONEST, FloatArray

BEND, SPEED, TORQUE, END = 0.5, 30.0, 0.7, 1.0
THIN, MIDDLE = 0.02, 0.05


@cache
def shaft_line() -> System:
    """As many equations as coordinates of free bodies: one depends on the others."""
    m = Model("shaft_line", gravity=(0, 0, -9.81), coordinates="natural")
    bent = axis_angle((1, 0, 0), BEND)
    along = np.array([float(x) for x in bent.apply((0, 0, 1))])
    ratio = 1 / np.cos(BEND)
    first = m.body("first", 1, (0.1, 0.1, THIN), position=(0, 0, -0.5),
                   angular_velocity=(0, 0, SPEED))  # fmt: skip
    middle = m.body("middle", 1, (0.1, 0.1, MIDDLE), position=tuple(0.5 * along), orientation=bent,
                    angular_velocity=tuple(SPEED * ratio * along))  # fmt: skip
    last = m.body("last", 1, (0.1, 0.1, THIN), position=tuple(along + np.array([0, 0, 0.5])),
                  angular_velocity=(0, 0, SPEED))  # fmt: skip
    far = tuple(along + np.array([0, 0, 1]))
    m.revolute("bearing", m.ground, first, at=(0, 0, -1), axis=(0, 0, 1))
    m.universal("near", first.at(0, 0, 0.5), middle.at(0, 0, -0.5),
                axis_a=(0, 1, 0), axis_b=(1, 0, 0))  # fmt: skip
    m.universal("far", middle.at(0, 0, 0.5), last.at(0, 0, -0.5),
                axis_a=(1, 0, 0), axis_b=(0, 1, 0))  # fmt: skip
    m.revolute("end", m.ground, last, at=far, axis=(0, 0, 1))
    m.motor("motor", m.ground, first, at=(0, 0, -1), axis=(0, 0, 1), torque=TORQUE)
    for body in (first, middle, last):
        spin = sum(w * e for w, e in zip(body.angular_velocity, body.at().e3, strict=True))
        m.output(f"{body.name}_speed", spin)
        m.output(f"{body.name}_e1", body.at().e1)
    return load(m, layout="flat", backend=SOONEST, eliminate=True)


def ratio_at(theta: FloatArray) -> FloatArray:
    """Of the speeds of the shaft in the middle and the first one."""
    found: FloatArray = np.cos(BEND) / (1 - np.sin(BEND) ** 2 * np.cos(theta) ** 2)
    return found


def speed_at(theta: FloatArray) -> FloatArray:
    """Of the first shaft: the energy that it began with, and the work of the motor."""
    begun = (2 * THIN + MIDDLE * ratio_at(np.zeros(1))[0] ** 2) * SPEED**2 / 2
    found: FloatArray = np.sqrt(
        2 * (begun + TORQUE * theta) / (2 * THIN + MIDDLE * ratio_at(theta) ** 2)
    )
    return found


@cache
def expected() -> Any:
    """The angle of the first shaft, as a function of time."""
    tight = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-12}
    return solve_ivp(lambda _, x: speed_at(x), (0, END), [0.0], dense_output=True, **tight).sol


PRECISE: dict[str, Any] = {"method": "dop853", "rtol": 1e-9, "atol": 1e-9}
NEWMARK: dict[str, Any] = {"method": "newmark", "h": 5e-4}
WAYS: list[tuple[str | None, dict[str, Any], float]] = [
    ("nullspace-qr", PRECISE, 1e-7),
    ("index1", PRECISE, 1e-7),
    (None, NEWMARK, 5e-4),
]
MORE: list[tuple[str | None, dict[str, Any], float]] = [
    *((f"nullspace-{x}", PRECISE, 1e-7) for x in ("svd", "lu", "gs")),
    ("nullspace-qr", {"method": "rk4", "h": 5e-4}, 1e-6),
    ("nullspace-qr", NEWMARK, 1e-3),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formulation", "how", "tolerance"),
    [*WAYS, *(pytest.param(*way, marks=pytest.mark.slow) for way in MORE)],
    ids=[f"{how['method']}-{formulation}" for formulation, how, _ in (*WAYS, *MORE)],
)
def test_all_ways_turn_alike(
    formulation: str | None, how: dict[str, Any], tolerance: float
) -> None:
    """More than five turns, to the accuracy of the method; the last shaft turns as the first."""
    result = simulate(shaft_line(), (0, END), formulation=formulation, progress=False, **how)
    assert result.success and (result.info.dof, result.info.redundant) == (1, 1)
    assert result.accuracy is not None and result.accuracy.constraint_violation < 1e-6
    theta = expected()(result.t)[0]
    assert theta[-1] > 10 * np.pi
    speed = speed_at(theta)
    np.testing.assert_allclose(result["first_speed"], speed, rtol=tolerance)
    np.testing.assert_allclose(result["middle_speed"], ratio_at(theta) * speed, rtol=tolerance)
    np.testing.assert_allclose(result["last_speed"], speed, rtol=tolerance)
    axis = np.stack([np.cos(theta), np.sin(theta), 0 * theta], axis=-1)
    for name in ("first", "last"):
        np.testing.assert_allclose(result[f"{name}_e1"], axis, atol=10 * tolerance)


@pytest.mark.slow
def test_an_unstable_formulation_is_no_success() -> None:
    """Positions alone (index 3, Newmark) blow up here, with one equation too many or without.

    No step helps, but a projection does, or the method by itself (above): that is what is said.
    """
    result = simulate(shaft_line(), (0, END), formulation="index3", progress=False, **NEWMARK)
    assert not result.success and "energy does not balance" in result.message
    remedy = "give projection='mass', or leave the formulation to the method"
    assert remedy in result.message and "would do" not in result.message
    assert remedy in result.accuracy.advice
    aided = {"formulation": "index3", "projection": "mass", "progress": False, **NEWMARK}
    helped = simulate(shaft_line(), (0, END), **aided)
    assert helped.success and not helped.warnings and helped.accuracy.energy_balance < 1e-3


@pytest.mark.parametrize(
    ("method", "formulation", "projection", "alone"),
    [
        ("newmark", "index3", None, True),
        ("newmark", "index3", "mass", False),
        ("newmark", "ggl", None, False),
        ("newmark", None, None, False),
        ("generalized-alpha", "index3", None, False),  # damps
    ],
)
def test_which_schemes_hold_positions_only(
    method: str, formulation: str | None, projection: str | None, alone: bool
) -> None:
    assert choose(method, formulation, projection).holds_positions_only == alone
