r"""A rotating beam by the modified floating frame of reference, written out in its displacements.

The floating frame turns by a given angle :math:`\theta(t)`; coordinates q_f are displacements and
their slopes at the nodes against the straight beam, in that frame. The inertia is that of the
floating frame,

    M q_f'' + 2 theta' M J q_f' + (theta'' M J - theta'^2 M)(q_0 + q_f) = -dU/dq_f

and the strains of every element are counted from a frame of its own that is tangent at its first
node, at the angle alpha with cos = (1 + q_f3)/s, sin = q_f4/s:

    v1' = i1 . S' q_f + i1 . i - 1,   v2'' = i2 . S'' q_f,   U = sum of (EA v1'^2 + EI v2''^2)/2
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

FloatArray = NDArray[np.float64]
Angle = Callable[[float], tuple[float, float, float]]
STEP = 1e-30
HELD = (0, 1, 3)
"""Clamped start: no displacement, no turn of the tangent; it may stretch."""


@dataclass(frozen=True)
class RotatingBeam:
    """Length, stiffnesses, mass per length and number of elements."""

    length: float
    axial: float
    bending: float
    density: float
    elements: int

    @property
    def size(self) -> float:
        """Length of an element."""
        return self.length / self.elements

    @property
    def count(self) -> int:
        """Number of coordinates, four at each node."""
        return 4 * (self.elements + 1)

    def functions(self, xi: FloatArray, order: int) -> FloatArray:
        """Hermite's functions, or derivatives by x: one row for each place."""
        a, x = self.size, xi
        if order == 1:
            rows = [(6 * x**2 - 6 * x) / a, 1 - 4 * x + 3 * x**2]
            rows += [(6 * x - 6 * x**2) / a, 3 * x**2 - 2 * x]
        else:
            rows = [(12 * x - 6) / a**2, (6 * x - 4) / a, (6 - 12 * x) / a**2, (6 * x - 2) / a]
        return np.array(rows).T

    def mass(self) -> FloatArray:
        """Mass matrix of all nodes."""
        a = self.size
        local = np.array(
            [
                [156, 22 * a, 54, -13 * a],
                [22 * a, 4 * a**2, 13 * a, -3 * a**2],
                [54, 13 * a, 156, -22 * a],
                [-13 * a, -3 * a**2, -22 * a, 4 * a**2],
            ]
        )
        local = np.kron(local * self.density * a / 420, np.eye(2))
        whole = np.zeros((self.count, self.count))
        for k in range(self.elements):
            whole[4 * k : 4 * k + 8, 4 * k : 4 * k + 8] += local
        return whole

    def energy(self, qf: NDArray[np.complex128]) -> NDArray[np.complex128]:
        """Energy of strain for coordinates in the columns."""
        x, weights = np.polynomial.legendre.leggauss(5)
        slope, bend = (self.functions((1 + x) / 2, order) for order in (1, 2))
        total = np.zeros(qf.shape[1], complex)
        for k in range(self.elements):
            local = qf[4 * k : 4 * k + 8].reshape(4, 2, -1)
            along, across = 1 + local[1, 0], local[1, 1]
            root = np.sqrt(along**2 + across**2)
            c, s = along / root, across / root
            first = np.einsum("pf,fcn->pcn", slope, local)
            second = np.einsum("pf,fcn->pcn", bend, local)
            stretch = c * first[:, 0] + s * first[:, 1] + c - 1
            curvature = -s * second[:, 0] + c * second[:, 1]
            density = self.axial * stretch**2 + self.bending * curvature**2
            total += weights @ density * self.size / 4
        return total

    def force(self, qf: FloatArray) -> FloatArray:
        """Gradient of the energy by complex steps, exact to round-off."""
        moved = qf[:, None] + 1j * STEP * np.eye(self.count)
        return np.asarray(self.energy(moved).imag / STEP)

    def straight(self) -> FloatArray:
        """Coordinates of the straight beam."""
        nodes = np.arange(self.elements + 1) * self.size
        return np.array([[x, 0.0, 1.0, 0.0] for x in nodes]).ravel()

    def motion(self, angle: Angle, t: FloatArray) -> FloatArray:
        """Displacements of all nodes against the frame at the instants, from rest: one row each."""
        free = np.setdiff1d(np.arange(self.count), HELD)
        mass, start = self.mass(), self.straight()
        turned = mass @ np.kron(np.eye(self.count // 2), np.array([[0.0, -1.0], [1.0, 0.0]]))
        inverse = np.linalg.inv(mass[np.ix_(free, free)])
        n = len(free)

        def rates(now: float, y: FloatArray) -> FloatArray:
            qf, v = np.zeros(self.count), np.zeros(self.count)
            qf[free], v[free] = y[:n], y[n:]
            _, omega, alpha = angle(now)
            load = -self.force(qf) - 2 * omega * turned @ v
            load -= (alpha * turned - omega**2 * mass) @ (start + qf)
            return np.concatenate([v[free], inverse @ load[free]])

        found = solve_ivp(
            rates, (t[0], t[-1]), np.zeros(2 * n), "DOP853", t, rtol=1e-10, atol=1e-12
        )
        whole = np.zeros((len(t), self.count))
        whole[:, free] = found.y[:n].T
        return whole
