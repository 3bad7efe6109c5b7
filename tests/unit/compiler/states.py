"""Consistent states of plain modules, by dense linear algebra."""

from types import ModuleType
from typing import Any

import numpy as np

from tests.unit.compiler.printed import Array, call


class Motion:
    """A plain module at a consistent state, and how its outputs change from there."""

    def __init__(self, module: ModuleType, t: float = 0.0, v: Array | None = None) -> None:
        self.module, self.t = module, t
        system = self.system = module.system
        self.q = system.q0.copy()
        self.v = self._consistent(system.v0 if v is None else v)
        self.a, self.lam = self._accelerations()

    def dense(self, weights: tuple[float, ...]) -> Array:
        """The matrix at this state (multipliers zero)."""
        s, work = self.system, self.system.work
        zero = np.zeros(s.n_q)
        arguments = [self.t, self.q, getattr(self, "v", zero), zero, np.zeros(s.n_lam)]
        values = call(self.module, "matrix", [*arguments, np.array(weights, float)])
        out = np.zeros((s.n, s.n))
        for column in range(s.n):
            for k in range(work.indptr[column], work.indptr[column + 1]):
                out[work.indices[k], column] = values[k]
        return out

    def residual(self, v: Array, a: Array, lam: Array) -> Array:
        return call(self.module, "residual", [self.t, self.q, v, a, lam, np.zeros(3)])

    def rates(self, v: Array, a: Array) -> Array:
        s = self.system
        both = call(self.module, "rates", [self.t, self.q, v, a, np.zeros(s.n_lam), np.zeros(3)])
        return both.reshape(2, s.n)

    def _consistent(self, v: Array) -> Array:
        s, rows = self.system, self.system.data.constraint_rows
        h = self.dense((0, 0, 0))[rows, : s.n_q]
        violation = self.rates(v, np.zeros(s.n_q))[0][rows]
        return v - np.linalg.lstsq(h, violation, rcond=None)[0]

    def _accelerations(self) -> tuple[Array, Array]:
        s, rows = self.system, self.system.data.constraint_rows
        zero = np.zeros(s.n_q)
        right = -self.residual(self.v, zero, np.zeros(s.n_lam))
        right[rows] = -self.rates(self.v, zero)[1][rows]
        x = np.linalg.lstsq(self.dense((0, 0, 1)), right, rcond=None)[0]
        return x[: s.n_q], x[s.n_q :]

    def outputs(self, tau: float = 0.0) -> dict[str, float]:
        """Outputs a moment later, on the parabola of this state."""
        q = self.q + tau * self.v + tau**2 / 2 * self.a
        v = self.v + tau * self.a
        arguments = [self.t + tau, q, v, self.a, self.lam, np.zeros(3)]
        values = call(self.module, "outputs", arguments)
        return dict(zip(self.system.names.outputs, values.tolist(), strict=True))

    def vector(self, name: str) -> Array:
        """One output of three components."""
        found = self.outputs()
        return np.array([found[f"{name}.{c}"] for c in "xyz"])

    def slope(self, name: str) -> float:
        """Time derivative of an output by central differences, O(tau^2)."""
        tau: Any = 1e-4
        return (self.outputs(tau)[name] - self.outputs(-tau)[name]) / (2 * tau)
