"""Meshes of one kind of elements in the plane xy, assembled and solved here element by element.

Nothing of the compiler behind the derivation takes part: the equations of one element are
evaluated in NumPy, nodes are counted from the clamp on, whose coordinates are all held.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mbdgen import Model
from tests.unit.kernels.element import Array, ElementCase, State


@dataclass
class Mesh:
    """A cantilever of equal elements that begins along x, straight or an arc of a circle."""

    kind: Any
    elements: int
    length: float
    section: Any
    material: Any
    angle: float = 0.0

    def __post_init__(self) -> None:
        model = Model("mesh", gravity=(0, 0, 0))
        model.beam(
            "beam", self._first_line(), self.section, self.material, elements=1, kind=self.kind
        )
        self.strain = ElementCase(model, "beam_strain")
        self.inertia = ElementCase(model, "beam")
        self.size, self.axes = self.strain.n_q // 2, self.strain.kinds[0].blocks[0].size

    @cached_property
    def straight(self) -> Array:
        """Coordinates of the beam at rest: every element is the first one, turned and moved."""
        first = self.strain.initial_state(np.random.default_rng(0)).q.real[:, 0]
        node, last = (x.reshape(-1, self.axes) for x in np.split(first, 2))
        chord, (x, y), (u, v) = last[0] - node[0], node[1][:2], last[1][:2]
        angle = np.arctan2(x * v - y * u, x * u + y * v)
        nodes, place = [], np.zeros(self.axes)
        for k in range(self.elements + 1):
            c, s = np.cos(k * angle), np.sin(k * angle)
            turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])[: self.axes, : self.axes]
            nodes.append(np.concatenate([place, (node[1:] @ turn.T).ravel()]))
            place = place + turn @ chord
        return np.concatenate(nodes)

    def _first_line(self) -> list[tuple[float, float]]:
        """Return points of the first element, enough for tangents to be exact."""
        length, phi = self.length / self.elements, self.angle / self.elements
        if phi == 0:
            return [(0, 0), (length, 0)]
        radius = length / phi
        return [(radius * np.sin(x), radius * (1 - np.cos(x))) for x in np.linspace(0, phi, 33)]

    def assembled(self, q: Array) -> tuple[Array, Array]:
        """Return elastic forces, which are positive where they resist, and their derivative."""
        total = np.zeros(q.size)
        for row, force in enumerate(self.strain.residual(self._states(q)).real):
            np.add.at(total, self._places[:, row], force)
        return total, self._matrix(q, (1, 0, 0))

    def damping(self) -> Array:
        """Return the derivative of viscous forces by velocities."""
        return self._matrix(self.straight, (0, 1, 0))

    @property
    def _places(self) -> Array:
        return self.size * np.arange(self.elements)[:, None] + np.arange(2 * self.size)

    def _states(self, q: Array) -> State:
        """Return all elements at once."""
        still = np.zeros((2 * self.size, self.elements))
        none = np.zeros((0, self.elements))
        return State(np.zeros(self.elements), q[self._places].T, still, still, none)

    def _matrix(self, q: Array, weights: tuple[float, float, float]) -> Array:
        matrix, own = np.zeros((q.size, q.size)), self._places
        values = self.strain.values("matrix", self._states(q), weights).real
        for (index, _), value in zip(self.strain.ir.entries("matrix"), values, strict=True):
            np.add.at(matrix, (own[:, index[0]], own[:, index[1]]), value)
        return matrix

    def mass(self) -> Array:
        """Return the mass matrix."""
        whole = np.zeros((self.straight.size,) * 2)
        zero = np.zeros(2 * self.size)
        one = self.inertia.matrix(State(0.0, zero, zero, zero, np.zeros(0)), (0, 0, 1))
        for k in range(self.elements):
            own = slice(k * self.size, (k + 2) * self.size)
            whole[own, own] += one
        return whole

    def loaded(self, force: float, steps: int = 1, axis: int = 1) -> Array:
        """Return the coordinates under a force against y or x at the free end (Newton's method)."""
        q, free = self.straight.copy(), slice(self.size, None)
        load = np.zeros(q.size)
        for part in np.linspace(0, 1, steps + 1)[1:]:
            load[-self.size + axis] = -force * part
            for _ in range(30):
                total, stiffness = self.assembled(q)
                change = np.linalg.solve(stiffness[free, free], (load - total)[free])
                q[free] += change
                if np.abs(change).max() < 1e-10 * self.length:
                    break
            else:
                raise AssertionError(f"{self.kind}: no equilibrium")
        return q

    def tip(self, force: float, steps: int = 1) -> Array:
        """Return the position of the free end."""
        return self.loaded(force, steps)[-self.size : -self.size + 2]

    def frequencies(self, clamped: bool = True) -> Array:
        """Return those of small motions about the straight beam, rising."""
        free = slice(self.size if clamped else 0, None)
        _, stiffness = self.assembled(self.straight)
        values = np.linalg.eigvals(np.linalg.solve(self.mass()[free, free], stiffness[free, free]))
        return np.sqrt(np.sort(np.abs(values.real)))
