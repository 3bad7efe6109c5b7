"""Crank with k rods and sliders in space, in the crank's angle alone.

The crank turns about x with its pin at ``p = r (0, cos th, sin th)``; slider i is at ``s_i d_i``
with ``|s_i d_i - p| = L``; the rod's unit vector is ``n = (s d - p) / L``, and its transverse axis
``u = n x e_x / |n x e_x|`` stays normal to x. All velocities are proportional to ``th'``:

    1/2 J(th) th'^2 + V(th) = E,    th' = sqrt(2 (E - V) / J)    while the crank does not stop.
"""

from dataclasses import dataclass
from math import pi, radians

import numpy as np
from scipy.integrate import solve_ivp

from tests.handwritten.ode import FloatArray

X = np.array([1.0, 0.0, 0.0])
CRANK_INERTIA, ROD_INERTIA = 0.05, np.array([0.002, 0.0012, 0.0234])
"""About the crank's axis; about the rod's axes u, n and u x n."""
TINY = 1e-30


@dataclass(frozen=True)
class CrankDyads:
    """Number of rods, crank and rod length, masses of crank, rod and slider, gravity along -z."""

    k: int = 1
    r: float = 0.1
    L: float = 0.4
    masses: tuple[float, float, float] = (1.0, 3.0, 1.0)
    g: float = 9.81

    @property
    def directions(self) -> FloatArray:
        """Unit vectors of the slider lines, shape (k, 3)."""
        around, tilt = 0.3 + 2 * pi * np.arange(self.k) / self.k, radians(30)
        return np.column_stack(
            [np.full(self.k, np.sin(tilt)), np.cos(tilt) * np.cos(around),
             np.cos(tilt) * np.sin(around)]
        )  # fmt: skip


def pose(par: CrankDyads, th: complex) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Pin, places of the sliders on their lines, rod vectors n and transverse axes u."""
    d = par.directions
    p = par.r * np.array([0.0, np.cos(th), np.sin(th)])
    s = d @ p + np.sqrt(par.L**2 - p @ p + (d @ p) ** 2)
    n = (s[:, None] * d - p) / par.L
    u = np.cross(n, X)
    return p, s, n, u / np.sqrt(np.sum(u * u, axis=1, keepdims=True))


def inertia_and_potential(par: CrankDyads, th: float) -> tuple[float, float]:
    """``J`` and ``V``; derivatives by complex steps, exact to round-off."""
    p, s, n, u = (np.real(x) for x in pose(par, th))
    dp, ds, dn, du = (np.imag(x) / TINY for x in pose(par, th + 1j * TINY))
    third, crank, rod, slider = np.cross(u, n), *par.masses
    # Components of the rod's angular velocity from the rates of its axes.
    spin = np.column_stack(
        [np.sum(dn * third, axis=1), -np.sum(du * third, axis=1), np.sum(du * n, axis=1)]
    )
    centre = dp + par.L / 2 * dn
    J = CRANK_INERTIA + crank * (par.r / 2) ** 2 + slider * ds @ ds
    J += rod * np.sum(centre**2) + np.sum(spin**2 @ ROD_INERTIA)
    heights = crank * p[2] / 2 + rod * np.sum(p[2] + par.L / 2 * n[:, 2])
    return J, par.g * (heights + slider * s @ par.directions[:, 2])


def solve(par: CrankDyads, t: FloatArray, speed: float = 24.0) -> FloatArray:
    """Crank angle, from 0 at the given speed."""
    J, V = inertia_and_potential(par, 0.0)
    energy = J * speed**2 / 2 + V

    def rate(_: float, th: FloatArray) -> list[float]:
        J, V = inertia_and_potential(par, th[0])
        return [np.sqrt(2 * (energy - V) / J)]

    found = solve_ivp(rate, (t[0], t[-1]), [0.0], "DOP853", t, rtol=1e-11, atol=1e-12)
    return np.asarray(found.y[0])


def observed(par: CrankDyads, th: FloatArray) -> FloatArray:
    """Pin (y, z) and place of the first slider on its line, shape (instants, 3)."""
    poses = [pose(par, x) for x in th]
    return np.real([[p[1], p[2], s[0]] for p, s, _, _ in poses])
