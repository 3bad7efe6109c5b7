"""Double pendulum: Lagrange equations in the two absolute angles, planar, gravity along -y.

Angles ``a, b`` from +x to the two bars, counter-clockwise. Bar i has mass m_i, inertia J_i about
its centre of mass, which lies at the distance c_i from its first pin; L1 is the distance of the
pins of bar 1. With ``s = sin(a - b)`` and ``h = m2 L1 c2``

    M = [ J1 + m1 c1^2 + m2 L1^2    h cos(a - b)   ]
        [ h cos(a - b)              J2 + m2 c2^2   ]
    f = [ -h s b'^2 - (m1 c1 + m2 L1) g cos a + Q_a ]
        [ +h s a'^2 -  m2 c2 g cos b          + Q_b ]
    E = 1/2 v.M v + m1 g c1 sin a + m2 g (L1 sin a + c2 sin b) + springs

Springs and dampers in the joints (off by default), relaxed at ``a = r1`` and ``b - a = r2``:

    t1 = -k1 (a - r1) - d1 a',   t2 = -k2 (b - a - r2) - d2 (b' - a'),   Q = (t1 - t2, t2)
"""

from dataclasses import dataclass

import numpy as np

from tests.handwritten.ode import FloatArray, Motion, second_order


@dataclass(frozen=True)
class DoublePendulum:
    """Masses, centres, inertias, length of the first bar, gravity, joint springs and dampers."""

    m1: float = 1.0
    m2: float = 1.0
    c1: float = 0.5
    c2: float = 0.5
    J1: float = 1.0 / 12.0
    J2: float = 1.0 / 12.0
    L1: float = 1.0
    g: float = 9.81
    k1: float = 0.0
    d1: float = 0.0
    r1: float = 0.0
    k2: float = 0.0
    d2: float = 0.0
    r2: float = 0.0


def rods(
    m1: float = 1.0, L1: float = 1.0, m2: float = 1.0, L2: float = 1.0, g: float = 9.81
) -> DoublePendulum:
    """Two thin uniform rods."""
    return DoublePendulum(m1, m2, L1 / 2, L2 / 2, m1 * L1**2 / 12, m2 * L2**2 / 12, L1, g)


def points(
    m1: float = 1.0, L1: float = 1.0, m2: float = 1.0, L2: float = 1.0, g: float = 9.81
) -> DoublePendulum:
    """Two point masses at the far ends of massless rods."""
    return DoublePendulum(m1, m2, L1, L2, 0.0, 0.0, L1, g)


def mass(par: DoublePendulum, q: FloatArray) -> FloatArray:
    """Mass matrix, shape (2, 2)."""
    coupling = par.m2 * par.L1 * par.c2 * np.cos(q[0] - q[1])
    first = par.J1 + par.m1 * par.c1**2 + par.m2 * par.L1**2
    return np.array([[first, coupling], [coupling, par.J2 + par.m2 * par.c2**2]])


def force(par: DoublePendulum, q: FloatArray, v: FloatArray) -> FloatArray:
    """Everything but ``M a``, shape (2,)."""
    h = par.m2 * par.L1 * par.c2 * np.sin(q[0] - q[1])
    torque1 = -par.k1 * (q[0] - par.r1) - par.d1 * v[0]
    torque2 = -par.k2 * (q[1] - q[0] - par.r2) - par.d2 * (v[1] - v[0])
    weight1 = (par.m1 * par.c1 + par.m2 * par.L1) * par.g * np.cos(q[0])
    weight2 = par.m2 * par.c2 * par.g * np.cos(q[1])
    return np.array(
        [-h * v[1] ** 2 - weight1 + torque1 - torque2, h * v[0] ** 2 - weight2 + torque2]
    )


def acceleration(par: DoublePendulum, q: FloatArray, v: FloatArray) -> FloatArray:
    """``M^-1 f``."""
    return np.asarray(np.linalg.solve(mass(par, q), force(par, q, v)))


def solve(
    par: DoublePendulum,
    t: FloatArray,
    q0: tuple[float, float] = (0.0, 0.0),
    v0: tuple[float, float] = (0.0, 0.0),
    method: str = "DOP853",
    rtol: float = 1e-13,
) -> Motion:
    """Motion from the angles ``q0`` and rates ``v0`` (``method="Radau"`` for stiff springs)."""
    return second_order(
        lambda _, q, v: acceleration(par, q, v),
        t,
        np.array(q0),
        np.array(v0),
        method=method,
        rtol=rtol,
        atol=0.1 * rtol,
    )


def energy(par: DoublePendulum, q: FloatArray, v: FloatArray) -> FloatArray:
    """Kinetic energy, weight (zero at y = 0) and springs, over the last axis."""
    a, b = q[..., 0], q[..., 1]
    kinetic = 0.5 * (
        (par.J1 + par.m1 * par.c1**2 + par.m2 * par.L1**2) * v[..., 0] ** 2
        + (par.J2 + par.m2 * par.c2**2) * v[..., 1] ** 2
    )
    kinetic = kinetic + par.m2 * par.L1 * par.c2 * np.cos(a - b) * v[..., 0] * v[..., 1]
    height = par.m1 * par.c1 * np.sin(a) + par.m2 * (par.L1 * np.sin(a) + par.c2 * np.sin(b))
    springs = 0.5 * par.k1 * (a - par.r1) ** 2 + 0.5 * par.k2 * (b - a - par.r2) ** 2
    return np.asarray(kinetic + par.g * height + springs)


def centres(par: DoublePendulum, q: FloatArray) -> FloatArray:
    """Centres of mass of the two bars, shape (..., 2, 2)."""
    along = np.stack([np.cos(q), np.sin(q)], axis=-1)
    first, second = along[..., 0, :], along[..., 1, :]
    return np.stack([par.c1 * first, par.L1 * first + par.c2 * second], axis=-2)
