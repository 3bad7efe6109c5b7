r"""Consistent initial velocities: least change in kinetic energy, with fixed velocities kept.

.. math::
    \min \tfrac12 (v - v_0)^T M (v - v_0), \qquad H v + \phi_t = 0, \qquad K v = K v_0

The metric is the mass matrix, so the result does not depend on the choice of coordinates. In the
rows of the equations of motion, which are those of virtual displacements :math:`\dot q = T u`, the
optimality conditions with the Lagrange multipliers :math:`\lambda, \kappa` are

.. math::
    \begin{bmatrix} M & -G^T & -T^T K^T \\ H & \epsilon & 0 \\ K & 0 & \epsilon \end{bmatrix}
    \begin{bmatrix} \delta v \\ \lambda \\ \kappa \end{bmatrix} =
    \begin{bmatrix} b \\ -\dot\phi \\ K (v_0 - v) \end{bmatrix}

where :math:`b` is the momentum of the difference between stated velocities of bodies and those
that the coordinates can express: see `mbdgen.runtime.initialisation.stated_bodies`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from mbdgen.errors import AssemblyError
from mbdgen.runtime.accuracy.violated_equations import report
from mbdgen.runtime.initialisation.fast_initialisation import CONTRADICTION
from mbdgen.runtime.initialisation.stated_bodies import FixedRates, fixed_rates, momentum_of_misfits
from mbdgen.runtime.linalg.index1_factors import factors
from mbdgen.runtime.linalg.least_change import least_change
from mbdgen.runtime.system.equation_scales import Sizes
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

PASSES = 6
SETTLED = 1e-13
"""Relative violation below which further iterations bring no improvement."""
TOLERATED = 1e-10


def velocities(system: System, t: float, q: FloatArray) -> FloatArray:
    """Return consistent velocities at a consistent position, nearest to the stated ones.

    Raises
    ------
    AssemblyError
        If the constraints are inconsistent, or fixed velocities contradict them.
    """
    problem = VelocityProblem.of(system, t, q)
    v = system.v0.copy()
    misfit = momentum_of_misfits(system, t, q, v)
    if misfit is None and problem.error(v) <= SETTLED:
        return v
    solve = problem.factors()
    force = np.zeros(system.n_q) if misfit is None else misfit
    best, left = v, np.inf
    for _ in range(PASSES):
        v = v + solve(force, problem.violation(v))
        force = np.zeros(system.n_q)
        error = problem.error(v)
        if not error < 0.5 * left:
            break
        best, left = v, error
        if error <= SETTLED:
            break
    return best if left <= TOLERATED else problem.least(best)


@dataclass(frozen=True)
class VelocityProblem:
    """Velocity constraints of a system at one position, ``H v + phi_t = 0`` and ``K v = K v0``.

    Attributes
    ----------
    system : System
        The mechanism.
    t, q : float, array
        Time and position.
    jacobian : sparse array
        ``H``, and below it ``K``.
    fixed : Held
        Fixed velocities.
    sizes : Sizes
        Scales of the values in each row.
    """

    system: System
    t: float
    q: FloatArray
    jacobian: sp.csr_array
    fixed: FixedRates
    sizes: Sizes

    @classmethod
    def of(cls, system: System, t: float, q: FloatArray) -> "VelocityProblem":
        """Return the equations at a position."""
        fixed = fixed_rates(system, t, q)
        jacobian = sp.csr_array(sp.vstack([system.jacobian(t, q), fixed.rows]))
        return cls(system, t, q, jacobian, fixed, Sizes.of(system, jacobian))

    def violation(self, v: FloatArray) -> FloatArray:
        """Return ``H v + phi_t``, followed by ``K v`` minus the fixed velocities."""
        rest = np.zeros(self.system.n_q)
        phi_dot = self.system.rates(self.t, self.q, v, rest)[0][self.system.work.rows]
        return np.concatenate([phi_dot, self.fixed.rows @ v - self.fixed.wanted])

    def error(self, v: FloatArray) -> float:
        """Return the largest violation relative to the speeds in its row."""
        return self._worst(v, slice(None))

    def _worst(self, v: FloatArray, rows: slice) -> float:
        speed = max(self.sizes.speed(v), self.sizes.speed(self.system.v0))
        return self.sizes.worst(self.violation(v), speed, self.violation(0.0 * v), rows)

    def factors(self) -> Callable[[FloatArray, FloatArray], FloatArray]:
        """Return a function that solves for the change of velocity by impulses and violations."""
        system, fixed = self.system, self.fixed
        rows, n, count = system.work.rows, system.n, len(self.fixed.wanted)
        if count == 0:
            plain = factors(system, self.t, self.q)
        else:
            padding = sp.csr_array((n - system.n_q, count))
            left = sp.csr_array((count, n - system.n_q))
            plain = splu(
                sp.block_array(
                    [
                        [
                            system.index_1_matrix(self.t, self.q),
                            sp.vstack([-fixed.forces, padding]),
                        ],
                        [sp.hstack([fixed.rows, left]), sp.diags_array(fixed.eps)],
                    ],
                    format="csc",
                )
            ).solve

        def change(force: FloatArray, violation: FloatArray) -> FloatArray:
            rhs = np.zeros(n + count)
            rhs[: system.n_q] = force
            rhs[rows] = -violation[: len(rows)]
            rhs[n:] = -violation[len(rows) :]
            found: FloatArray = plain(rhs)[: system.n_q]
            return found

        return change

    def least(self, v: FloatArray) -> FloatArray:
        """Return the least change of ``v``, in the Euclidean norm instead of that of the masses.

        Raises
        ------
        AssemblyError
            If the equations have no solution.
        """
        found = self._nearest(v, self.jacobian, slice(None))
        if self.error(found) <= CONTRADICTION:
            return found
        own = slice(0, len(self.system.work.rows))
        without = self._nearest(v, self.jacobian[own], own)
        if len(self.fixed.wanted) and self._worst(without, own) <= CONTRADICTION:
            bodies = ", ".join(f"'{name}'" for name in self.fixed.bodies)
            raise AssemblyError(
                f"The velocities that are held of {bodies} contradict the constraints: "
                f"{report(self.system, self._violated(v, own))}.",
                "Hold fewer of them (fixed_velocity=), or give values that fit these joints.",
            )
        raise AssemblyError(
            "The constraints contradict each other at the level of velocities: "
            f"{report(self.system, self.violation(without)[own])}.",
            "Remove one of these joints or drivers, or start outside a singular position.",
        )

    def _nearest(self, v: FloatArray, jacobian: sp.csr_array, rows: slice) -> FloatArray:
        weights = 1.0 / self.sizes.rows[rows]
        scaled = sp.csr_array(sp.diags_array(weights) @ jacobian)
        size = float(abs(scaled).max()) if scaled.nnz else 1.0
        for _ in range(PASSES):
            left = weights * self.violation(v)[rows]
            v = v + least_change(scaled, -left, 1e-12 * size**2)
        return v

    def _violated(self, v: FloatArray, rows: slice) -> FloatArray:
        """Return the violation of the joints by fixed velocities."""
        fixed = slice(len(self.system.work.rows), None)
        return self.violation(self._nearest(v, self.jacobian[fixed], fixed))[rows]
