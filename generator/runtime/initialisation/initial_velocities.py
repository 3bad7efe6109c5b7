r"""Consistent initial velocities: what is held stays, the rest changes with least kinetic energy.

.. math::
    \min \tfrac12 (v - v_0)^T M (v - v_0), \qquad H v + \phi_t = 0, \qquad K v = K v_0

The metric is that of the bodies, so the result does not depend on the choice of coordinates. In
the rows of the equations, which are those of virtual displacements :math:`\dot q = T u`, that is

.. math::
    \begin{bmatrix} M & -G^T & -T^T K^T \\ H & \epsilon & 0 \\ K & 0 & \epsilon \end{bmatrix}
    \begin{bmatrix} \delta v \\ \lambda \\ \kappa \end{bmatrix} =
    \begin{bmatrix} b \\ -\dot\phi \\ K (v_0 - v) \end{bmatrix}

where :math:`b` is the momentum by which stated velocities of bodies differ from what the
coordinates can express: see `mbdgen.runtime.initialisation.stated_bodies`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from mbdgen.errors import AssemblyError
from mbdgen.runtime.accuracy.violated_equations import report
from mbdgen.runtime.initialisation.fast_initialisation import CONTRADICTION
from mbdgen.runtime.initialisation.stated_bodies import Held, held_rates, momentum_of_misfits
from mbdgen.runtime.linalg.index1_factors import factors
from mbdgen.runtime.linalg.least_change import least_change
from mbdgen.runtime.system.equation_scales import Sizes
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

PASSES = 6
SETTLED = 1e-13
"""A violation, as a part of its scale, that no further pass would improve."""
TOLERATED = 1e-10


def velocities(system: System, t: float, q: FloatArray) -> FloatArray:
    """Return the velocities at a consistent position, nearest to the stated ones.

    Raises
    ------
    AssemblyError
        If constraints contradict each other, or what is held.
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
    """Equations of the velocities of a system at one position.

    Attributes
    ----------
    system : System
        The mechanism.
    t, q : float, array
        Where it is.
    jacobian : sparse array
        ``H``, and below it ``K``.
    held : Held
        What is held.
    sizes : Sizes
        Of the numbers in each row.
    """

    system: System
    t: float
    q: FloatArray
    jacobian: sp.csr_array
    held: Held
    sizes: Sizes

    @classmethod
    def of(cls, system: System, t: float, q: FloatArray) -> "VelocityProblem":
        """Return the equations at a position."""
        held = held_rates(system, t, q)
        jacobian = sp.csr_array(sp.vstack([system.jacobian(t, q), held.rows]))
        return cls(system, t, q, jacobian, held, Sizes.of(system, jacobian))

    def violation(self, v: FloatArray) -> FloatArray:
        """Return ``H v + phi_t``, and behind it ``K v`` less what is held."""
        rest = np.zeros(self.system.n_q)
        phi_dot = self.system.rates(self.t, self.q, v, rest)[0][self.system.work.rows]
        return np.concatenate([phi_dot, self.held.rows @ v - self.held.wanted])

    def error(self, v: FloatArray) -> float:
        """Return the largest violation as a part of the speeds in its row."""
        return self._worst(v, slice(None))

    def _worst(self, v: FloatArray, rows: slice) -> float:
        speed = max(self.sizes.speed(v), self.sizes.speed(self.system.v0))
        return self.sizes.worst(self.violation(v), speed, self.violation(0.0 * v), rows)

    def factors(self) -> Callable[[FloatArray, FloatArray], FloatArray]:
        """Return a function of impulses and violations, which gives the change of velocities."""
        system, held = self.system, self.held
        rows, n, count = system.work.rows, system.n, len(self.held.wanted)
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
                            sp.vstack([-held.forces, padding]),
                        ],
                        [sp.hstack([held.rows, left]), sp.diags_array(held.eps)],
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
        """Make the least change of numbers, whatever the masses say, or refuse.

        Raises
        ------
        AssemblyError
            If there are no such velocities.
        """
        found = self._nearest(v, self.jacobian, slice(None))
        if self.error(found) <= CONTRADICTION:
            return found
        own = slice(0, len(self.system.work.rows))
        without = self._nearest(v, self.jacobian[own], own)
        if len(self.held.wanted) and self._worst(without, own) <= CONTRADICTION:
            bodies = ", ".join(f"'{name}'" for name in self.held.bodies)
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
        """Return how far joints are violated by what is held, if that stays."""
        held = slice(len(self.system.work.rows), None)
        return self.violation(self._nearest(v, self.jacobian[held], held))[rows]
