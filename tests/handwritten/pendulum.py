"""Pendulum as an ODE in one angle, for a point mass on a massless rod or any rigid body.

The angle ``a`` runs from +x to the line pivot -> centre of mass, counter-clockwise, gravity along
-y. With the distance ``l`` of the centre of mass and the inertia ``J`` about it

    M a'' = f,   M = J + m l^2,   f = -m g l cos a - c a'
    E = 1/2 M a'^2 + m g l sin a
    centre: (l cos a, l sin a)

Force of the rod on a body at the distance ``l``, positive in tension (along the rod):

    N = m (l a'^2 - g sin a)
"""

from dataclasses import dataclass

import numpy as np

from tests.handwritten.ode import FloatArray, Motion, second_order


@dataclass(frozen=True)
class Pendulum:
    """Mass, distance of the centre of mass, inertia about it, gravity, viscous friction."""

    m: float = 1.0
    l: float = 1.0  # noqa: E741 - the published letter
    J: float = 0.0
    g: float = 9.81
    c: float = 0.0

    @staticmethod
    def rod(m: float = 1.0, length: float = 1.0, g: float = 9.81) -> "Pendulum":
        """A thin uniform rod hung at its end."""
        return Pendulum(m, length / 2.0, m * length**2 / 12.0, g)


def mass(par: Pendulum, q: FloatArray) -> FloatArray:
    """Mass matrix, shape (1, 1): constant, so ``q`` only gives the type."""
    return np.array([[par.J + par.m * par.l**2]]) + 0.0 * q[0]


def force(par: Pendulum, q: FloatArray, v: FloatArray) -> FloatArray:
    """Generalised force, shape (1,)."""
    return np.array([-par.m * par.g * par.l * np.cos(q[0]) - par.c * v[0]])


def acceleration(par: Pendulum, q: FloatArray, v: FloatArray) -> FloatArray:
    """``a'' = f / M``."""
    return force(par, q, v) / mass(par, q)[0, 0]


def solve(par: Pendulum, t: FloatArray, a0: float = -np.pi, w0: float = 0.0) -> Motion:
    """Motion from the angle ``a0`` and rate ``w0`` (default: released horizontally at -x)."""
    return second_order(lambda _, q, v: acceleration(par, q, v), t, np.array([a0]), np.array([w0]))


def energy(par: Pendulum, q: FloatArray, v: FloatArray) -> FloatArray:
    """Kinetic plus potential energy (zero of the potential at y = 0) over the last axis."""
    inertia = par.J + par.m * par.l**2
    potential = par.m * par.g * par.l * np.sin(q[..., 0])
    return np.asarray(0.5 * inertia * v[..., 0] ** 2 + potential)


def centre(par: Pendulum, q: FloatArray) -> FloatArray:
    """Centre of mass, shape (..., 2)."""
    return par.l * np.stack([np.cos(q[..., 0]), np.sin(q[..., 0])], axis=-1)


def centre_velocity(par: Pendulum, q: FloatArray, v: FloatArray) -> FloatArray:
    """Velocity of the centre of mass, shape (..., 2)."""
    rate = par.l * v[..., 0]
    return np.stack([-rate * np.sin(q[..., 0]), rate * np.cos(q[..., 0])], axis=-1)


def tension(par: Pendulum, q: FloatArray, v: FloatArray) -> FloatArray:
    """Force along the rod at the pivot, positive in tension."""
    return np.asarray(par.m * (par.l * v[..., 0] ** 2 - par.g * np.sin(q[..., 0])))
