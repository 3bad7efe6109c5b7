"""N square four-bars in a row (A02) in one angle; also one loop with torque or a diagonal spring.

N + 1 uniform bars (mass m, length L) hinged to ground stay parallel, N couplers (mass mc)
translate on a circle. ``a`` is the angle of the bars from +y, positive towards +x (clockwise):

    I a'' = S g L sin a + tau + F dl/da
    I = ((N + 1) m/3 + N mc) L^2,   S = (N + 1) m/2 + N mc
    E = 1/2 I a'^2 + S g L cos a + 1/2 k (l - l0)^2

For m = mc = L = 1: ((N + 1)/3 + N) a'' = ((N + 1)/2 + N) g sin a. ``tau`` is a constant torque on
the left bar, positive clockwise. The spring-damper acts from the left ground pin to the top of the
second bar, D being the distance of the ground pins:

    l^2 = (D + L sin a)^2 + (L cos a)^2,   dl/da = D L cos a / l,   F = -k (l - l0) - c a' dl/da

The angle passes the singular positions (all bars in line) on the parallelogram branch.
"""

from dataclasses import dataclass

import numpy as np

from tests.handwritten.ode import FloatArray, Motion, second_order


@dataclass(frozen=True)
class FourBars:
    """Number of loops, masses, lengths, gravity, torque and diagonal spring-damper."""

    n: int = 2
    m: float = 1.0
    mc: float = 1.0
    L: float = 1.0
    D: float = 1.0
    g: float = 9.81
    tau: float = 0.0
    k: float = 0.0
    c: float = 0.0
    l0: float = 0.0


def inertia(par: FourBars) -> float:
    """Inertia ``I`` reduced to the angle."""
    return ((par.n + 1) * par.m / 3.0 + par.n * par.mc) * par.L**2


def diagonal(par: FourBars, a: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Length of the diagonal spring and its derivative with respect to the angle."""
    length = np.hypot(par.D + par.L * np.sin(a), par.L * np.cos(a))
    return length, par.D * par.L * np.cos(a) / length


def acceleration(par: FourBars, q: FloatArray, v: FloatArray) -> FloatArray:
    """Angular acceleration, the shape of ``q``."""
    weight = ((par.n + 1) * par.m / 2.0 + par.n * par.mc) * par.g * par.L
    moment = weight * np.sin(q) + par.tau
    if par.k or par.c:
        length, slope = diagonal(par, q)
        moment = moment + slope * (-par.k * (length - par.l0) - par.c * slope * v)
    return np.asarray(moment / inertia(par))


def solve(par: FourBars, t: FloatArray, a0: float = 0.0, w0: float = 1.0) -> Motion:
    """Motion from the angle ``a0`` and rate ``w0`` (A02: upright, tops at +1 m/s)."""
    return second_order(lambda _, q, v: acceleration(par, q, v), t, np.array([a0]), np.array([w0]))


def energy(par: FourBars, q: FloatArray, v: FloatArray) -> FloatArray:
    """Kinetic energy, weight (zero at y = 0) and spring, over the last axis."""
    a = q[..., 0]
    weight = ((par.n + 1) * par.m / 2.0 + par.n * par.mc) * par.g * par.L
    spring = 0.5 * par.k * (diagonal(par, a)[0] - par.l0) ** 2 if par.k else 0.0
    return np.asarray(0.5 * inertia(par) * v[..., 0] ** 2 + weight * np.cos(a) + spring)


def top(par: FourBars, q: FloatArray, bar: int = 0) -> FloatArray:
    """Top of ground-hinged bar number ``bar``, shape (..., 2)."""
    a = q[..., 0]
    return np.stack([bar * par.D + par.L * np.sin(a), par.L * np.cos(a)], axis=-1)


def top_velocity(par: FourBars, q: FloatArray, v: FloatArray) -> FloatArray:
    """Velocity of every top, shape (..., 2)."""
    a, rate = q[..., 0], par.L * v[..., 0]
    return np.stack([rate * np.cos(a), -rate * np.sin(a)], axis=-1)
