"""Staggered stabilisation: ODE for the Lagrange multipliers, integrated like velocities.

``M a = f + G^T lam``,  ``epsilon lam_dot = -(phi_dot + tau phi_ddot)``

A joint is a spring ``1/epsilon`` with a damper ``tau/epsilon``: one derivative of the constraints
is sufficient, and redundant constraints share their reactions: from a consistent state on
``phi + tau phi_dot = -epsilon (lam - lam_0)``. With the eigenvalues ``s`` of ``H M^-1 G^T`` the
errors of ``lam`` follow ``epsilon p^2 + tau s p + s = 0``: without ``tau`` they oscillate with
``sqrt(s/epsilon)``, and decay if the integrator damps; otherwise with ``tau s/epsilon``, or
``1/tau`` in the limit. Explicit methods must resolve that, and need a regular ``M``; an implicit
relation with the weight ``c_v`` has the matrix ``M + c_v (c_v + tau)/epsilon G^T H``, regular where
the constraints restrict the motion.

After Park and Chiou (1988).
"""

from typing import Any

import numpy as np

from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_combination import of_accelerations, set_up
from mbdgen.runtime.solvers.constraint_levels import take_positions
from mbdgen.runtime.solvers.dense_workspace import (
    COMPLIANCE,
    OF_PHI_DDOT,
    OF_PHI_DOT,
    DenseWorkspace,
)
from mbdgen.runtime.solvers.scheme_functions import slopes
from mbdgen.runtime.system.kernel_calls import add_change, evaluate_rates, largest
from mbdgen.runtime.system.run_workspace import NOT_FINITE, OK, RunWorkspace, State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray


@slopes
def slope(
    eliminate: Any,
    complete: Any,
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    t: float,
    y: FloatArray,
    y_dot: FloatArray,
) -> int:
    """``y_dot = (v, a, lam_dot)``; ``K x = rhs`` is ``M a = f + G^T lam`` with ones below it."""
    q, v, a, lam = state.q, state.v, state.a, state.lam
    n_q, n, w = len(q), dense.K.shape[0], dense.numbers
    state.clock[0] = t
    take_positions(state, dense, y)
    for i in range(n_q):
        a[i] = 0.0
    for k in range(n - n_q):
        lam[k] = dense.z[k]
    status: int = set_up(kernels, work, state, dense, of_accelerations(), 0.0, 0.0)
    for k in range(n_q, n):
        dense.rhs[k] = 0.0
        for j in range(n):
            dense.K[k, j] = 1.0 if j == k else 0.0
    if status == OK:
        status = eliminate(work, dense)
    if status != OK:
        return status
    add_change(state.a, state.lam, dense.x)
    for i in range(n_q):
        y_dot[i], y_dot[n_q + i] = v[i], a[i]
    status = evaluate_rates(kernels, work, t, q, v, a, lam)
    for k in range(n - n_q):
        rate = w[OF_PHI_DOT] * work.rates[n_q + k] + w[OF_PHI_DDOT] * work.rates[n + n_q + k]
        dense.z_dot[k] = -rate / w[COMPLIANCE]
        y_dot[2 * n_q + k] = dense.z_dot[k]
    return status if status != OK or largest(y_dot) <= 1e300 else NOT_FINITE


def _begin(system: System, state: State) -> FloatArray:
    return state.lam.copy()


def _rate(s: float, values: tuple[float, ...]) -> float:
    """Return the larger root of ``epsilon p^2 + tau s p + s = 0``."""
    epsilon, tau = values
    return float(np.abs(np.roots([epsilon, tau * s, s])).max())


FORMULATION = Formulation(
    name="staggered",
    text="multipliers are integrated: compliant constraints, one derivative only",
    source="K. C. Park, J. C. Chiou: Stabilization of computational procedures for constrained "
    "dynamical systems, J. Guid. Control Dyn. 11 (1988) 365-370.",
    weights=lambda values: (0.0, 1.0, values[1], values[0]),
    options=(
        Option("epsilon", 1e-6, 1e-15, 1e3, "compliance of the constraints in m/N"),
        Option("tau", 1e-3, 0.0, 1e3, "weight of phi_ddot beside phi_dot, in s"),
    ),
    slope=slope,
    begin=_begin,
    levels=(),
    exact=False,
    massless=False,
    rate=_rate,
)
