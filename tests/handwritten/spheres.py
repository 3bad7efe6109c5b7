"""Point masses with a radius, all pairs one after the other: springs, dampers, planes, no grid."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Spheres:
    """Masses, radii, and planes given by a point and a normal."""

    mass: FloatArray
    radius: FloatArray
    planes: Sequence[tuple[FloatArray, FloatArray]]
    stiffness: float
    restitution: float
    gravity: FloatArray

    def damper(self, reduced: float) -> float:
        """Half a damped vibration loses all but the restitution."""
        loss = -np.log(self.restitution)
        ratio = loss / np.hypot(np.pi, loss)
        return float(2 * ratio * np.sqrt(self.stiffness * reduced))

    def push(self, depth: float, rate: float, reduced: float) -> float:
        """Force of spring and damper, which do not pull."""
        if depth <= 0:
            return 0.0
        return max(self.stiffness * depth + self.damper(reduced) * rate, 0.0)

    def accelerations(self, r: FloatArray, v: FloatArray) -> FloatArray:
        """Accelerations of all."""
        force = self.mass[:, None] * self.gravity
        for i in range(len(r)):
            for j in range(i):
                arm = r[i] - r[j]
                distance = float(np.linalg.norm(arm))
                normal = arm / distance
                depth = self.radius[i] + self.radius[j] - distance
                reduced = self.mass[i] * self.mass[j] / (self.mass[i] + self.mass[j])
                push = self.push(depth, -float(normal @ (v[i] - v[j])), reduced)
                force[i] += push * normal
                force[j] -= push * normal
            for point, normal in self.planes:
                depth = self.radius[i] - float(normal @ (r[i] - point))
                push = self.push(depth, -float(normal @ v[i]), self.mass[i])
                force[i] += push * normal
        return force / self.mass[:, None]

    def heun(self, r: FloatArray, v: FloatArray, h: float, steps: int) -> FloatArray:
        """Positions after steps of Heun's method."""
        for _ in range(steps):
            a = self.accelerations(r, v)
            b = self.accelerations(r + h * v, v + h * a)
            r, v = r + h * (v + h * a / 2), v + h * (a + b) / 2
        return r
