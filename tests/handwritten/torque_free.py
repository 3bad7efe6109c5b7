"""Rigid body about a point: Euler's equations and a unit quaternion.

``w`` is the angular velocity in body axes, ``J`` the inertia about the centre of mass (or about a
fixed point), the quaternion ``q = (q0, q1, q2, q3)`` turns body components into global ones:

    J w' = n - w x J w,    q' = 1/2 q o (0, w),    x_global = R(q) x_body
    T = 1/2 w.J w,  and without moment the global angular momentum R J w is constant

The moment ``n(t, R)`` is given in body axes and is zero unless the caller says otherwise, so the
same solver does a top about a fixed point under any force.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tests.handwritten.ode import FloatArray, Motion, integrate

Moment = Callable[[float, FloatArray], FloatArray]


@dataclass(frozen=True)
class FreeBody:
    """Inertia matrix, 3 x 3, about the point the body turns about."""

    J: FloatArray = field(default_factory=lambda: np.diag([1.0, 2.0, 3.0]))


def rotation(q: FloatArray) -> FloatArray:
    """Rotation matrix of unit quaternions, shape (..., 3, 3), body to global."""
    s, x, y, z = (q[..., k] for k in range(4))
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (x * z + s * y)],
        [2 * (x * y + s * z), 1 - 2 * (x * x + z * z), 2 * (y * z - s * x)],
        [2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quaternion_rate(q: FloatArray, w: FloatArray) -> FloatArray:
    """``1/2 q o (0, w)``, shape (4,)."""
    s, x, y, z = q
    return 0.5 * np.array(
        [
            -x * w[0] - y * w[1] - z * w[2],
            s * w[0] + y * w[2] - z * w[1],
            s * w[1] + z * w[0] - x * w[2],
            s * w[2] + x * w[1] - y * w[0],
        ]
    )


def acceleration(par: FreeBody, w: FloatArray, moment: FloatArray) -> FloatArray:
    """``w' = J^-1 (n - w x J w)``, shape (3,)."""
    return np.asarray(np.linalg.solve(par.J, moment - np.cross(w, par.J @ w)))


def solve(
    par: FreeBody,
    t: FloatArray,
    w0: tuple[float, float, float] = (0.05, 3.0, 0.02),
    q0: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0),
    moment: Moment | None = None,
) -> Motion:
    """Motion with ``q`` the quaternions, shape (rows, 4), and ``v = w``, shape (rows, 3)."""
    nothing = np.zeros(3)

    def rhs(time: float, y: FloatArray) -> FloatArray:
        q, w = y[:4], y[4:]
        n = nothing if moment is None else moment(time, rotation(q / np.linalg.norm(q)))
        return np.concatenate([quaternion_rate(q, w), acceleration(par, w, n)])

    def normalise(y: FloatArray) -> FloatArray:
        return np.concatenate([y[:4] / np.linalg.norm(y[:4]), y[4:]])

    y = integrate(rhs, t, np.concatenate([q0, w0]), normalise)
    return Motion(t, y[:, :4], y[:, 4:])


def energy(par: FreeBody, w: FloatArray) -> FloatArray:
    """Kinetic energy ``1/2 w.J w`` over the last axis."""
    return np.asarray(0.5 * np.einsum("...i,ij,...j", w, par.J, w))


def momentum(par: FreeBody, q: FloatArray, w: FloatArray) -> FloatArray:
    """Angular momentum in global axes, shape (..., 3)."""
    return np.asarray(np.einsum("...ij,jk,...k", rotation(q), par.J, w))
