"""Equations of initial positions, scaled by the size of their terms."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from mbdgen.runtime.accuracy.violated_equations import report
from mbdgen.runtime.initialisation.fast_initialisation import POSITION_TOLERANCE
from mbdgen.runtime.initialisation.stated_bodies import BodyStates
from mbdgen.runtime.system.equation_scales import Sizes
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray


@dataclass(frozen=True)
class Positions:
    """Holonomic constraints, and fixed coordinates of bodies, at an instant.

    Attributes
    ----------
    system : System
        The mechanism.
    t : float
        The instant.
    weights : array
        Reciprocal of the size of each equation.
    bodies : BodyStates or None
        The bodies, if some of their coordinates are fixed that are not those of the system.
    wanted : array
        Values of these coordinates.
    """

    system: System
    t: float
    weights: FloatArray
    bodies: BodyStates | None
    wanted: FloatArray

    @classmethod
    def of(cls, system: System, t: float, q: FloatArray) -> "Positions":
        """Return the equations, scaled by the size of their terms at a position."""
        fixed, bodies, wanted = system.data.stated.held, None, np.zeros(0)
        if len(fixed):
            bodies = BodyStates(system, t)
            wanted = bodies.stated()[0][fixed]
        plain = cls(system, t, np.ones(0), bodies, wanted)
        sizes = Sizes.of(system, plain._rows(q), q)
        return cls(system, t, 1.0 / sizes.rows, bodies, wanted)

    def violation(self, q: FloatArray) -> FloatArray:
        """Return the residuals, each relative to the size of its equation."""
        rest = np.zeros(self.system.n_q), np.zeros(self.system.n_q), np.zeros(self.system.n_lam)
        phi = self.system.residual(self.t, q, *rest)[self.system.position_rows]
        if self.bodies is not None:
            position = self.bodies.of(q, rest[0])[0][self.system.data.stated.held]
            phi = np.concatenate([phi, position - self.wanted])
        return self.weights * phi

    def jacobian(self, q: FloatArray) -> sp.csr_array:
        """Return the Jacobian of `violation`."""
        return sp.csr_array(sp.diags_array(self.weights) @ self._rows(q))

    def tolerance(self, q: FloatArray) -> float:
        """Return the tolerance of the residual: above round-off, which grows with angles."""
        return max(POSITION_TOLERANCE, 2e-14 * float(np.abs(q).max(initial=0.0)))

    def report(self, q: FloatArray) -> str:
        """Return a text that names the largest violation."""
        rows = self.system.position_rows
        phi = (self.violation(q) / self.weights)[: len(rows)]
        if self.bodies is not None and not np.abs(phi).max(initial=0.0) > 0.0:
            return "what is fixed contradicts itself"
        return report(self.system, phi, rows)

    def _rows(self, q: FloatArray) -> sp.csr_array:
        own = self.system.jacobian(self.t, q, self.system.position_rows)
        if self.bodies is None:
            return own
        units = self.bodies.by_velocities(q)[1][:, self.system.data.stated.held]
        return sp.csr_array(sp.vstack([own, sp.csr_array(units.T)]))
