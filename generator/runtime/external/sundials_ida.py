r"""IDA of SUNDIALS by scikit-sundae: BDF of variable order for ``F(t, Y, Y') = 0``.

Unknowns are ``Y = (q, v, \Lambda)`` with ``\Lambda' = \lambda``: Lagrange multipliers as
derivatives are excluded from the error test, which they fail for any index above 1. For index 3 its
estimate is meaningless for ``v`` and ``\Lambda``, too: they get an absolute tolerance that disables
it. It is also the increment of difference quotients for the Jacobian, so it should be of the size
of velocities.

.. math::
    q' - v = 0, \quad M(q) v' = f + G^T \Lambda', \quad
    w_0 \varphi + w_1 \dot\varphi + w_2 \ddot\varphi
    + d \Lambda' = 0

Index 2 (:math:`w_1` only), stabilised as by Gear, Gupta and Leimkuhler, has more, :math:`N' = \mu`:

.. math::
    q' - v - H^T N' = 0, \quad \varphi(t, q) = 0
"""

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.external.external_solver import (
    ATOL,
    RTOL,
    UNTESTED_WORK,
    ExternalEquations,
    Refused,
    import_sundials,
)
from mbdgen.runtime.external.sundials_cvode import Sundials
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.system.system_data import FloatArray

UNTESTED = 1.0
"""Absolute tolerance of unknowns excluded from the error test."""


def solver(equations: ExternalEquations, scheme: Scheme, end: float) -> Sundials:
    """Begin an integration."""
    ida = import_sundials("sksundae.ida", "ida")
    rtol, atol = scheme.tolerances or (RTOL, ATOL)
    works = int(equations.works)  # behind everything else
    n_lam, n_q, failures = len(equations.lam), len(equations.y) // 2, list[Refused]()
    index, stabilised = _index(scheme), scheme.values[0] > 0.5
    if stabilised and index != 2:
        raise OptionError(
            "Positions with multipliers of their own (stabilised = ggl) belong to velocities that "
            f"fulfil their constraints, not to {scheme.text}.",
            "Take formulation index2, or leave 'stabilised' away.",
        )
    n = 2 * n_q + n_lam
    more = len(equations.constraints(equations.t, equations.y[:n_q])[0]) if stabilised else 0

    def residual(t: float, y: FloatArray, y_dot: FloatArray, out: FloatArray) -> None:
        q, v = y[:n_q], y[n_q : 2 * n_q]
        v_dot, lam = y_dot[n_q : 2 * n_q], y_dot[2 * n_q : n]
        try:
            out[:n_q] = y_dot[:n_q] - v
            found = equations.residual(t, q, v, v_dot, lam)
            out[n_q:n] = found[: n - n_q]
            if works:
                out[-1] = y_dot[-1] - found[-1]
            if stabilised:
                phi, jacobian = equations.constraints(t, q)
                out[:n_q] -= jacobian.T @ y_dot[n : n + more]
                out[n : n + more] = phi
        except Refused as failure:
            failures.append(failure)
            out[:] = np.nan

    accepted = np.full(n + more + works, atol)
    if index == 3:
        accepted[n_q:] = UNTESTED
    if works:
        accepted[-1] = UNTESTED_WORK
    found = ida.IDA(residual, rtol=rtol, atol=accepted)
    motion, rate = equations.y[: 2 * n_q], equations.y_dot[: 2 * n_q]
    y = np.concatenate([motion, np.zeros(n_lam + more + works)])
    y_dot = np.concatenate([rate, equations.lam, np.zeros(more), equations.y_dot[2 * n_q :]])
    taken = [*range(2 * n_q), *([-1] if works else [])]
    found.init_step(equations.t, y, y_dot)
    return Sundials(found, equations, end, taken, failures)


def _index(scheme: Scheme) -> int:
    """Return the differentiation index of the formulation; 1 if it is mixed."""
    assert scheme.formulation is not None
    of_phi, of_phi_dot, of_phi_ddot, compliance = scheme.formulation.weights(
        scheme.formulation_values
    )
    if of_phi_ddot or compliance:
        return 1
    return 3 if of_phi and not of_phi_dot else 2 if of_phi_dot and not of_phi else 1
