"""Newmark's formula: displacements and velocities from the accelerations of both ends of a step.

``q+ = q + h v + h^2 ((1/2 - beta) a + beta a+)``,  ``v+ = v + h ((1 - gamma) a + gamma a+)``
"""

from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.work import State


@internal
def newmark_known(
    state: State, h: float, beta: float, gamma: float, q_known: FloatArray, v_known: FloatArray
) -> None:
    """Fill in what is known before ``a+``, whose weights are ``beta h^2`` and ``gamma h``."""
    for i in range(len(state.a)):
        q_known[i] = state.q[i] + h * state.v[i] + h * h * (0.5 - beta) * state.a[i]
        v_known[i] = state.v[i] + h * (1.0 - gamma) * state.a[i]
