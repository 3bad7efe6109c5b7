"""SDIRK: singly diagonally implicit Runge-Kutta method with five stages, order 4, L-stable.

``a_i`` at ``t + c_i h`` with ``v_i = v + h sum_j A_ij a_j``, ``q_i = q + h sum_j A_ij v_j``

is one implicit relation after another with the same weights ``c_v = h/4``, ``c_q = c_v^2``: no
larger system than that of backward Euler, and every formulation can solve it. The last stage is the
end of the step. Stages are of order 1 only, so that constraints of positions or velocities alone
cost accuracy: with accelerations, ``index1``, the order is the full one.
"""

import numpy as np

from mbdgen.runtime.integrators.base import NEWTON_OPTIONS, Method
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step
from mbdgen.runtime.solvers.step_finalisation import end_implicit
from mbdgen.runtime.stepping.error_estimators import LeftByStep
from mbdgen.runtime.system.run_workspace import OK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray

_MATRIX = (
    (1 / 4, 0, 0, 0, 0),
    (1 / 2, 1 / 4, 0, 0, 0),
    (17 / 50, -1 / 25, 1 / 4, 0, 0),
    (371 / 1360, -137 / 2720, 15 / 544, 1 / 4, 0),
    (25 / 24, -49 / 48, 125 / 16, -85 / 12, 1 / 4),
)
_OF_ERROR = (-3 / 16, -27 / 32, 25 / 32, 0.0, 1 / 4)
"""Weights of order 4 minus those of order 3, ``(59/48, -17/96, 225/32, -85/12, 0)``."""


@general_step
def step(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    options: FloatArray,
    parts: SchemeFunctions,
    dense: DenseWorkspace,
) -> int:
    """Advance by one step; rows of stages are their slopes ``(v, a, z_dot)``."""
    A, d = np.array(_MATRIX), np.array(_OF_ERROR)
    q_known, v_known = work.scratch[0], work.scratch[1]
    q, v, z, t, n_q = state.q.copy(), state.v.copy(), dense.z.copy(), state.clock[0], len(state.q)
    error, slopes, c = dense.rows[0], dense.rows[1:], 0.25 * h
    for i in range(5):
        for k in range(n_q):
            q_known[k], v_known[k] = q[k], v[k]
            for j in range(i):
                q_known[k] += h * A[i, j] * slopes[j, k]
                v_known[k] += h * A[i, j] * slopes[j, n_q + k]
            q_known[k] += c * v_known[k]
        for k in range(len(z)):
            dense.z[k] = z[k]
            for j in range(i):
                dense.z[k] += h * A[i, j] * slopes[j, 2 * n_q + k]
        status = parts.solve(
            parts.eliminate,
            parts.complete,
            kernels,
            work,
            state,
            dense,
            q_known,
            v_known,
            t + h * A[i].sum(),
            c * c,
            c,
            options[0],
            int(options[1]),
        )
        if status != OK:
            return status
        for k in range(n_q):
            slopes[i, k], slopes[i, n_q + k] = state.v[k], state.a[k]
        for k in range(len(z)):
            slopes[i, 2 * n_q + k] = dense.z_dot[k]
    for k in range(len(error)):
        error[k] = 0.0
        for j in range(5):
            error[k] += h * d[j] * slopes[j, k]
    state.clock[0] = t + h
    return end_implicit(kernels, work, state, dense, parts)


METHOD = Method(
    name="sdirk",
    formulation="index1",
    order=4,
    orders={"position": 1, "velocity": 2},
    restored=False,
    general=__name__,
    needs="solve",
    relates_z=True,
    rows=6,
    estimate=LeftByStep(power=4),
    options=NEWTON_OPTIONS,
    damps=lambda values: True,
    text="singly diagonally implicit Runge-Kutta, five stages, order 4; damps fast oscillations",
    source="E. Hairer, G. Wanner: Solving ordinary differential equations II: stiff and "
    "differential-algebraic problems, Springer (1996), section IV.6, table 6.5.",
)
