"""Heavy symmetric top about a fixed point, in Euler angles Z-X-Z.

``R = Rz(psi) Rx(theta) Rz(phi)``: precession, nutation, spin; A is the transverse inertia and C the
axial inertia, both about the fixed point, which lies at the distance l from the centre of mass on
the body axis 3; gravity along -z. From ``T = 1/2 A (theta'^2 + psi'^2 sin^2 theta) + 1/2 C n^2``,
with the axial spin ``n = phi' + psi' cos theta``, which is constant:

    theta'' = psi'^2 sin theta cos theta - (C/A) n psi' sin theta + (m g l/A) sin theta
    psi''   = theta' (C n - 2 A psi' cos theta) / (A sin theta)
    phi''   = psi' theta' sin theta - psi'' cos theta
    E = T + m g l cos theta
    centre: l (sin theta sin psi, -sin theta cos psi, cos theta)

The upright position theta = 0 is singular in these angles.
"""

from dataclasses import dataclass

import numpy as np

from tests.handwritten.ode import FloatArray, Motion, second_order


@dataclass(frozen=True)
class HeavyTop:
    """Mass, distance of the centre of mass, inertias about the fixed point, gravity."""

    m: float = 1.5
    l: float = 0.15  # noqa: E741 - the published letter
    A: float = 0.01 + 1.5 * 0.15**2
    C: float = 0.012
    g: float = 9.81


def acceleration(par: HeavyTop, q: FloatArray, v: FloatArray) -> FloatArray:
    """Second derivatives of (precession, nutation, spin), shape (3,)."""
    sin, cos = np.sin(q[1]), np.cos(q[1])
    precession, nutation, spin = v
    axial = par.C / par.A * (spin + precession * cos)
    psi = nutation * (axial - 2.0 * precession * cos) / sin
    theta = sin * (precession**2 * cos - axial * precession + par.m * par.g * par.l / par.A)
    return np.array([psi, theta, precession * nutation * sin - psi * cos])


def solve(
    par: HeavyTop,
    t: FloatArray,
    q0: tuple[float, float, float] = (0.0, 0.5, 0.0),
    v0: tuple[float, float, float] = (0.0, 0.0, 100.0),
) -> Motion:
    """Motion from angles and rates (precession, nutation, spin)."""
    return second_order(lambda _, q, v: acceleration(par, q, v), t, np.array(q0), np.array(v0))


def energy(par: HeavyTop, q: FloatArray, v: FloatArray) -> FloatArray:
    """Kinetic plus potential energy (zero at the fixed point) over the last axis."""
    sin, cos = np.sin(q[..., 1]), np.cos(q[..., 1])
    kinetic = 0.5 * par.A * (v[..., 1] ** 2 + (v[..., 0] * sin) ** 2)
    kinetic = kinetic + 0.5 * par.C * (v[..., 2] + v[..., 0] * cos) ** 2
    return np.asarray(kinetic + par.m * par.g * par.l * cos)


def momenta(par: HeavyTop, q: FloatArray, v: FloatArray) -> FloatArray:
    """The two conserved momenta: about the vertical and about the body axis, shape (..., 2)."""
    sin, cos = np.sin(q[..., 1]), np.cos(q[..., 1])
    axial = par.C * (v[..., 2] + v[..., 0] * cos)
    return np.stack([par.A * v[..., 0] * sin**2 + axial * cos, axial], axis=-1)


def centre(par: HeavyTop, q: FloatArray) -> FloatArray:
    """Centre of mass, shape (..., 3)."""
    psi, theta = q[..., 0], q[..., 1]
    sin = np.sin(theta)
    return par.l * np.stack([sin * np.sin(psi), -sin * np.cos(psi), np.cos(theta)], axis=-1)


def body_rates(q: FloatArray, v: FloatArray) -> FloatArray:
    """Angular velocity in body axes, shape (..., 3)."""
    theta, phi = q[..., 1], q[..., 2]
    across = v[..., 0] * np.sin(theta)
    return np.stack(
        [
            across * np.sin(phi) + v[..., 1] * np.cos(phi),
            across * np.cos(phi) - v[..., 1] * np.sin(phi),
            v[..., 2] + v[..., 0] * np.cos(theta),
        ],
        axis=-1,
    )
