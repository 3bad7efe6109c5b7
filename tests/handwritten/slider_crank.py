"""Planar slider-crank in the crank angle; equal rods pass their singular positions smoothly.

Crank (length r, from the origin, angle ``a`` from +x) and rod (length l, angle ``b`` from +x) are
bodies with mass m_i and inertia J_i about their middle; the slider (mass m3) runs on the x axis.

    b(a): sin b = -(r/l) sin a, cos b > 0;  for r = l the branch b = -a of every crank angle
    b_a = -(r cos a)/(l cos b),   b_aa = (r sin a + l sin b b_a^2)/(l cos b)
    slider   x = r cos a + l cos b,   rod centre  c = (r cos a + l/2 cos b, r sin a + l/2 sin b)

The reduced inertia and the equation of motion of one degree of freedom (' = d/da on I and V):

    I(a) = J1 + m1 r^2/4 + J2 b_a^2 + m2 |c_a|^2 + m3 x_a^2
    I a'' + 1/2 I' a'^2 + V' = tau,   V = g (m1 r/2 sin a + m2 c_y),   E = 1/2 I a'^2 + V
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tests.handwritten.ode import FloatArray, Motion, second_order


@dataclass(frozen=True)
class SliderCrank:
    """Lengths, masses, inertias about the middles, gravity, constant crank torque."""

    r: float = 1.0
    l: float = 1.0  # noqa: E741 - the published letter
    m1: float = 1.0
    m2: float = 1.0
    m3: float = 0.0
    J1: float = 1.0 / 12.0
    J2: float = 1.0 / 12.0
    g: float = 9.81
    tau: float = 0.0


# A value with its first and second derivative by the crank angle.
Jet = tuple[FloatArray, FloatArray, FloatArray]


class Geometry(NamedTuple):
    """Rod angle, slider and rod centre with first and second derivatives by the crank angle."""

    b: Jet
    x: Jet
    cx: Jet
    cy: Jet


def geometry(par: SliderCrank, a: FloatArray) -> Geometry:
    """Everything that moves, as functions of the crank angle."""
    a = np.asarray(a, dtype=float)
    sin, cos, half = par.r * np.sin(a), par.r * np.cos(a), par.l / 2.0
    if par.r == par.l:
        b0, b1, b2 = -a, np.full_like(a, -1.0), np.zeros_like(a)
    else:
        b0 = np.arcsin(-sin / par.l)
        b1 = -cos / (par.l * np.cos(b0))
        b2 = (sin + par.l * np.sin(b0) * b1**2) / (par.l * np.cos(b0))
    c0, s0 = np.cos(b0), np.sin(b0)
    rod_x = (c0, -s0 * b1, -c0 * b1**2 - s0 * b2)
    rod_y = (s0, c0 * b1, -s0 * b1**2 + c0 * b2)
    crank_x, crank_y = (cos, -sin, -cos), (sin, cos, -sin)

    def add(first: Jet, second: Jet, factor: float) -> Jet:
        values = [p + factor * q for p, q in zip(first, second, strict=True)]
        return values[0], values[1], values[2]

    return Geometry(
        (b0, b1, b2),
        add(crank_x, rod_x, par.l),
        add(crank_x, rod_x, half),
        add(crank_y, rod_y, half),
    )


def reduced(par: SliderCrank, a: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Reduced inertia ``I``, its derivative ``I'`` and the gravity moment ``V'``."""
    b, x, cx, cy = geometry(par, a)
    inertia = par.J1 + par.m1 * par.r**2 / 4.0 + par.J2 * b[1] ** 2
    inertia = inertia + par.m2 * (cx[1] ** 2 + cy[1] ** 2) + par.m3 * x[1] ** 2
    slope = 2.0 * (par.J2 * b[1] * b[2] + par.m3 * x[1] * x[2])
    slope = slope + 2.0 * par.m2 * (cx[1] * cx[2] + cy[1] * cy[2])
    weight = par.g * (par.m1 * par.r / 2.0 * np.cos(a) + par.m2 * cy[1])
    return inertia, slope, weight


def acceleration(par: SliderCrank, q: FloatArray, v: FloatArray) -> FloatArray:
    """Crank acceleration, the shape of ``q``."""
    inertia, slope, weight = reduced(par, q)
    return np.asarray((par.tau - weight - 0.5 * slope * v**2) / inertia)


def solve(
    par: SliderCrank, t: FloatArray, a0: float = np.pi / 4.0, w0: float = np.sqrt(8.0)
) -> Motion:
    """Motion from the crank angle ``a0`` and rate ``w0``."""
    return second_order(lambda _, q, v: acceleration(par, q, v), t, np.array([a0]), np.array([w0]))


def energy(par: SliderCrank, q: FloatArray, v: FloatArray) -> FloatArray:
    """Kinetic plus potential energy (zero at y = 0) over the last axis."""
    a = q[..., 0]
    height = par.m1 * par.r / 2.0 * np.sin(a) + par.m2 * geometry(par, a).cy[0]
    return np.asarray(0.5 * reduced(par, a)[0] * v[..., 0] ** 2 + par.g * height)


def slider(par: SliderCrank, q: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Position and velocity of the slider."""
    x = geometry(par, q[..., 0]).x
    return x[0], x[1] * v[..., 0]
