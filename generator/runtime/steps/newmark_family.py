"""Generalised-alpha and Newmark methods: one pair ``(alpha_m, alpha_f)`` for each method.

``(1 - alpha_m) s+ + alpha_m s = (1 - alpha_f) a+ + alpha_f a``,
``q+ = q + h v + h^2 ((1/2 - beta) s + beta s+)``,  ``v+ = v + h ((1 - gamma) s + gamma s+)``

with ``gamma = 1/2 + alpha_f - alpha_m`` and ``beta = (gamma + 1/2)^2/4``. The equations hold at the
new instant; Newmark's formula is applied to ``s``, the acceleration-like variable.

The history between steps, in ``work.kept[0]``, is ``(s - a)/h``, so that the step size may change.
Its initial value is zero, ``s = a``: an error of order ``h`` in ``s`` that decays, hence of order 2
in the motion.
"""

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system_data import FloatArray


def alphas(rho: float) -> tuple[float, float]:
    """Return ``(alpha_m, alpha_f)`` for the spectral radius ``rho`` at infinite frequency."""
    return (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)


def weights(alpha_m: float, alpha_f: float, h: float) -> tuple[float, float, float]:
    """Return ``(c_q, c_v, c_s)``, the weights of ``a+`` in ``q+``, ``v+`` and ``s+``."""
    gamma = 0.5 + alpha_f - alpha_m
    c_s = (1.0 - alpha_f) / (1.0 - alpha_m)
    return 0.25 * (gamma + 0.5) * (gamma + 0.5) * c_s * h * h, gamma * c_s * h, c_s


alphas_of, alpha_weights = internal(alphas), internal(weights)
"""The same for compiled code."""


@internal
def begin_alpha(
    kept: FloatArray,
    state: State,
    h: float,
    alpha_m: float,
    alpha_f: float,
    q_known: FloatArray,
    v_known: FloatArray,
    s_known: FloatArray,
) -> None:
    """Compute the parts of ``q+``, ``v+`` and ``s+`` that do not depend on ``a+``."""
    gamma = 0.5 + alpha_f - alpha_m
    beta = 0.25 * (gamma + 0.5) * (gamma + 0.5)
    for i in range(len(state.q)):
        q, v, a = state.q[i], state.v[i], state.a[i]
        s = a + h * kept[i]
        s_known[i] = (alpha_f * a - alpha_m * s) / (1.0 - alpha_m)
        q_known[i] = q + h * v + h * h * ((0.5 - beta) * s + beta * s_known[i])
        v_known[i] = v + h * ((1.0 - gamma) * s + gamma * s_known[i])


@internal
def keep_alpha(kept: FloatArray, state: State, h: float, c_s: float, s_known: FloatArray) -> None:
    """Store ``(s+ - a+)/h`` for the next step."""
    for i in range(len(state.a)):
        kept[i] = (s_known[i] + (c_s - 1.0) * state.a[i]) / h


# Newmark's formula: displacements and velocities from the accelerations of both ends of a step.
#
# ``q+ = q + h v + h^2 ((1/2 - beta) a + beta a+)``,  ``v+ = v + h ((1 - gamma) a + gamma a+)``
@internal
def newmark_known(
    state: State, h: float, beta: float, gamma: float, q_known: FloatArray, v_known: FloatArray
) -> None:
    """Compute the parts independent of ``a+``, whose weights are ``beta h^2`` and ``gamma h``."""
    for i in range(len(state.a)):
        q_known[i] = state.q[i] + h * state.v[i] + h * h * (0.5 - beta) * state.a[i]
        v_known[i] = state.v[i] + h * (1.0 - gamma) * state.a[i]
