r"""Stiffness that a formulation adds to a mechanism, and stable steps of explicit methods.

Compliant joints with Lagrange multipliers of their own add decay rates that grow with the stiffness
of the joints: with the eigenvalues s of :math:`H M^{-1} G^T` the rates are those of
`Formulation.rate`. An explicit method is stable for a decay rate r as long as h r is below the
limit of its stability region, about 2 to 6.
"""

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.system.run_workspace import INDEX_1
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

FOLLOWED, EASY = 7.0, 1.5
"""Products of step size and rate for which no explicit method here is stable, and all are."""
_PASSES, _REGULAR = 60, 1e-13


def check_resolved(system: System, scheme: Scheme, t: float, q: FloatArray, h: float) -> None:
    """Refuse fixed steps of explicit methods far beyond stability for a stiff formulation."""
    rate = fastest(system, scheme, t, q)
    if h * rate > FOLLOWED:
        raise OptionError(
            f"Method '{scheme.method.name}' is explicit: with steps of {h:g} s it cannot follow "
            f"the joints of '{system.data.model}', which formulation '{scheme.text}' makes springs "
            f"and dampers with rates up to {rate:.2g} 1/s.",
            f"{_advice(scheme, rate)}.",
        )


def reason(system: System, scheme: Scheme, h: float) -> str:
    """Return the stiffness of the formulation as the likely cause of a failure, or nothing."""
    rate = fastest(system, scheme, 0.0, system.q0)
    if not h * rate > EASY:
        return ""
    return (
        f" Formulation '{scheme.text}' makes joints springs and dampers with rates up to "
        f"{rate:.2g} 1/s, which '{scheme.method.name}' has to resolve. {_advice(scheme, rate)}."
    )


def fastest(system: System, scheme: Scheme, t: float, q: FloatArray) -> float:
    """Return the largest rate in 1/s that a formulation adds to an explicit method; 0 if none."""
    formulation = scheme.formulation
    explicit = scheme.method.needs in ("slope", "jerk")
    if formulation is None or formulation.rate is None or not explicit or not system.n_lam:
        return 0.0
    return formulation.rate(_stiffness(system, t, q), scheme.formulation_values)


def _advice(scheme: Scheme, rate: float) -> str:
    assert scheme.formulation is not None
    options = " and ".join(option.name for option in scheme.formulation.options)
    return (
        f"Take steps below {EASY / rate:.1g} s, other numbers for {options}, an implicit method "
        "such as newmark, or rtol="
    )


def _stiffness(system: System, t: float, q: FloatArray) -> float:
    """Return the largest eigenvalue of ``H M^-1 G^T`` ; 0 for a singular ``M``."""
    from scipy.sparse import csc_matrix  # slow to import, and few runs need it
    from scipy.sparse.linalg import splu

    n_q, zero = system.n_q, np.zeros(system.n_q)
    matrix = system.matrix(t, q, zero, zero, np.zeros(system.n_lam), INDEX_1)
    blocks = csc_matrix(matrix)
    mass, down, across = blocks[:n_q, :n_q], blocks[n_q:, :n_q], blocks[:n_q, n_q:]
    try:
        factors = splu(csc_matrix(mass))
    except RuntimeError:  # singular; reported where the mass matrix is needed
        return 0.0
    pivots = np.abs(factors.U.diagonal())
    if pivots.min(initial=1.0) <= _REGULAR * pivots.max(initial=1.0):
        return 0.0
    x = np.random.default_rng(0).normal(size=system.n_lam)
    size = 0.0
    for _ in range(_PASSES):
        x = -(down @ factors.solve(across @ (x / np.linalg.norm(x))))
        before, size = size, float(np.linalg.norm(x))
        if not size > 0.0 or abs(size - before) <= 1e-3 * size:
            break
    return size if np.isfinite(size) else 0.0
