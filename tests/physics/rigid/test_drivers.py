"""Prescribed motions: the equations then are kinematics, and the reactions inverse dynamics."""

from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import Model, load
from tests.physics.running import run, system, worst

LENGTHS, MASSES, BASE, G = (0.4, 1.2, 0.9), (1.0, 2.0, 1.5), 1.0, 9.81
T = np.linspace(0.0, 3.0, 61)
TINY = 1e-30


def prescribed(t: Any) -> Any:
    """Crank angle: full turns with an uneven rate; for SymPy and for complex NumPy numbers."""
    sin = sympy.sin if isinstance(t, sympy.Expr) else np.sin
    return 0.5 + 4.0 * t + 0.3 * sin(3.0 * t)


def pose(t: np.ndarray) -> np.ndarray:
    """Coordinates of the pins B and C, shape (instants, 4); analytic in ``t``."""
    l1, l2, l3 = LENGTHS
    b = np.array([l1 * np.cos(prescribed(t)), l1 * np.sin(prescribed(t))])
    d = np.array([BASE + 0 * t, 0 * t]) - b
    square = d[0] ** 2 + d[1] ** 2
    along = (l2**2 + square - l3**2) / (2 * square)
    across = np.sqrt(l2**2 / square - along**2)
    c = b + along * d + across * np.array([-d[1], d[0]])
    return np.stack([*b, *c], axis=-1)


def rate(t: np.ndarray) -> np.ndarray:
    """First derivatives of `pose`, exact."""
    return np.imag(pose(t + 1j * TINY)) / TINY


def difference(function: Any, t: np.ndarray, s: float = 1e-3) -> np.ndarray:
    """Derivative by differences of fourth order."""
    near, far = function(t + s) - function(t - s), function(t + 2 * s) - function(t - 2 * s)
    return np.asarray((8 * near - far) / (12 * s))


def energy(t: np.ndarray) -> np.ndarray:
    """Kinetic and potential energy of the three uniform bars, from the motion of their ends.

    A thin bar with end velocities u, w has ``T = m/6 (u.u + u.w + w.w)``.
    """
    q, v = np.real(pose(t + 0j)), rate(t)
    zero = np.zeros_like(v[:, :2])
    ends = ((zero, v[:, :2]), (v[:, :2], v[:, 2:]), (zero, v[:, 2:]))
    total = np.zeros_like(t)
    for m, (u, w) in zip(MASSES, ends, strict=True):
        total += m / 6 * np.sum(u * u + u * w + w * w, axis=1)
    heights = (q[:, 1] / 2, (q[:, 1] + q[:, 3]) / 2, q[:, 3] / 2)
    return total + G * sum(m * y for m, y in zip(MASSES, heights, strict=True))


def start() -> dict[str, Any]:
    b, c = np.real(pose(np.array([0j])))[0].reshape(2, 2)
    bc, dc = c - b, c - (BASE, 0.0)
    angles = (0.5, float(np.arctan2(bc[1], bc[0])), float(np.arctan2(dc[1], dc[0])))
    return {"lengths": LENGTHS, "masses": MASSES, "base": BASE, "angles": angles}


@pytest.mark.slow
@pytest.mark.parametrize("kinds", ["planar", "natural", "quaternion"])
@pytest.mark.parametrize("method", ["newmark", "rk4"])
def test_driven_crank_rocker(method: str, kinds: str) -> None:
    """No degree of freedom is left: position, velocity and acceleration are exact at any step."""
    mechanism = system("four_bar", **start(), driver=prescribed, kinds=kinds)
    result = run(mechanism, T, 1e-2, method)
    assert result.info.dof == 0
    assert worst(result["C"][:, :2], np.real(pose(T + 0j))[:, 2:]) <= 1e-9
    assert worst(result["C_velocity"][:, :2], rate(T)[:, 2:]) <= 1e-8
    assert worst(result["C_acceleration"][:, :2], difference(rate, T)[:, 2:]) <= 1e-6
    assert np.ptp(result["AB"]) > 3 * np.pi


@pytest.mark.representatives(id="natural")
@pytest.mark.parametrize("kinds", ["planar", "natural", "quaternion"])
def test_driver_torque_is_inverse_dynamics(kinds: str) -> None:
    """With one driven motion the power of the driver is the rate of the energy."""
    mechanism = system("four_bar", **start(), driver=prescribed, kinds=kinds)
    result = run(mechanism, T, 1e-2)
    speed = np.imag(prescribed(T + 1j * TINY)) / TINY
    torque = difference(energy, T) / speed
    size = np.max(np.abs(torque))
    assert worst(result["energy.total"], energy(T)) <= 1e-8 * size
    assert worst(result["driver_torque.z"], torque) <= 1e-7 * size
    assert worst(result["driver_torque"][:, :2], 0.0) <= 1e-7 * size


def test_energy_balance_includes_the_driver() -> None:
    """The work is a quadrature of order 3: an eighth at half the step."""
    mechanism = system("four_bar", **start(), driver=prescribed)
    drifts = [run(mechanism, T, h).counters.energy_drift for h in (5e-3, 2.5e-3)]
    work = run(mechanism, T, 5e-3)["energy.work"]
    assert np.ptp(work) > 1.0
    assert drifts[1] <= 1e-4 and drifts[1] <= drifts[0] / 6, drifts


def test_translation_driver_on_a_slide() -> None:
    """A block on an inclined slide: the force along it is ``m (x'' + g sin(slope))``."""
    slope, m = 0.3, 2.0
    model = Model("slide", gravity=(0, -G, 0))
    axis = (np.cos(slope), np.sin(slope), 0.0)
    block = model.body("block", m, (0.1, 0.1, 0.1))
    model.prismatic("guide", model.ground, block, at=(0, 0, 0), axis=axis)
    motion = 0.2 * sympy.sin(5 * model.t)
    place = {"at": (0, 0, 0), "axis": axis}
    driver = model.translation_driver("drive", model.ground, block, distance=motion, **place)
    model.output("position", block.at())
    model.output("force", driver.force)
    result = run(load(model), T, 1e-2)
    x = 0.2 * np.sin(5 * T)
    along = result["force"] @ np.array(axis)
    assert worst(result["position"], np.outer(x, axis)) <= 1e-9
    assert worst(along, m * (-25 * x + G * np.sin(slope))) <= 1e-7
