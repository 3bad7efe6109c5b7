"""Terms of the equations of motion by name: mass matrix, forces, constraint Jacobian, stiffness.

``M a = f + G^T lam``, ``phi(t, q) = 0``, ``phi_dot = H v + phi_t``, ``phi_ddot = H a - gamma``.
For inspection, verification and teaching; simulations evaluate everything in compiled loops.
"""

from dataclasses import dataclass

import numpy as np

from mbdgen.runtime.system.displacement_maps import rates_of_displacements
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray


@dataclass(frozen=True)
class Terms:
    """Dense terms at one state; rows of M, f, K, C, W and columns of G are equations of motion.

    Attributes
    ----------
    M : array, shape (n_u, n_q)
        Mass matrix, in virtual displacements.
    f : array, shape (n_u,)
        Applied forces, and inertia forces quadratic in velocities (centrifugal, Coriolis).
    phi, phi_t, gamma : array, shape (n_phi,)
        Constraints, their explicit time derivative, right-hand side of ``H a = gamma``.
    H : array, shape (n_phi, n_q)
        Constraint Jacobian by coordinate rates, norm rows included.
    G : array, shape (n_lam, n_u)
        Directions of the reactions in virtual displacements; ``lam`` are Lagrange multipliers.
    K, C : array, shape (n_u, n_q)
        Tangent stiffness ``d(M a - f)/dq`` and damping ``-df/dv``.
    W : array, shape (n_u, n_q)
        Geometric stiffness ``d(G^T lam)/dq`` of the reactions.
    T : array, shape (n_q, n_u)
        Kinematic map of virtual displacements: ``v = T u``, ``G = H T`` for the rows with
        multipliers.
    """

    M: FloatArray
    f: FloatArray
    phi: FloatArray
    phi_t: FloatArray
    gamma: FloatArray
    H: FloatArray
    G: FloatArray
    K: FloatArray
    C: FloatArray
    W: FloatArray
    T: FloatArray


def terms(
    system: System,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray | None = None,
    lam: FloatArray | None = None,
) -> Terms:
    """Return all terms at a state (accelerations and multipliers are zero by default)."""
    n_q, constraints = system.n_q, system.data.constraint_rows
    dynamics = np.setdiff1d(np.arange(n_q), constraints)
    no_a, no_lam, no_v = np.zeros(n_q), np.zeros(system.n_lam), np.zeros(n_q)
    a = no_a if a is None else a
    lam = no_lam if lam is None else lam

    def block(c_q: float, c_v: float, c_a: float, multipliers: FloatArray) -> FloatArray:
        dense: FloatArray = system.matrix(t, q, v, a, multipliers, (c_q, c_v, c_a)).toarray()
        return dense

    mass = block(0.0, 0.0, 1.0, no_lam)
    stiffness = block(1.0, 0.0, 0.0, no_lam)[dynamics, :n_q]
    residual = system.residual(t, q, v, no_a, no_lam)
    return Terms(
        M=mass[dynamics, :n_q],
        f=-residual[dynamics],
        phi=residual[constraints],
        phi_t=system.rates(t, q, no_v, no_a)[0][constraints],
        gamma=-system.rates(t, q, v, no_a)[1][constraints],
        H=mass[constraints, :n_q],
        G=-mass[dynamics, n_q:].T,
        K=stiffness,
        C=block(0.0, 1.0, 0.0, no_lam)[dynamics, :n_q],
        W=stiffness - block(1.0, 0.0, 0.0, lam)[dynamics, :n_q],
        T=rates_of_displacements(system, t, q)[:, dynamics],
    )
