"""Second derivatives of constraints and residual: optional kernels of a generated module."""

from collections.abc import Collection

import numpy as np
import scipy.sparse as sp

from mbdgen.errors import OptionError
from mbdgen.interface import VARIATION_KERNELS
from mbdgen.runtime.system.system import System, call
from mbdgen.runtime.system.system_data import FloatArray


def check_kernels(system: System, names: Collection[str], what: str) -> None:
    """Refuse a method or analysis that needs kernels which the module does not have.

    Parameters
    ----------
    names : collection of str
        The kernels.
    what : str
        What needs them, for the message.
    """
    missing = [name for name in names if name not in system.offers]
    if missing and set(missing) <= set(VARIATION_KERNELS):
        raise OptionError(
            f"{what} needs kernels of variations, which the module of '{system.data.model}' was "
            "made without.",
            "Make it with load(model, sensitivities=True), or mbdgen build MODEL --sensitivities.",
        )
    if missing:
        raise OptionError(
            f"{what} needs second derivatives ({', '.join(missing)}), which the module of "
            f"'{system.data.model}' was made without.",
            "Make it with load(model, second=True), or mbdgen build MODEL --second.",
        )


def slopes(
    system: System, t: float, q: FloatArray, v: FloatArray, a: FloatArray
) -> tuple[sp.csr_array, sp.csr_array]:
    """Return ``H_dot = d phi_dot/dq`` and ``H_ddot = d phi_ddot/dq`` of all constraint rows.

    ``d phi_ddot/dv = 2 H_dot``, ``d phi_dot/dv = d phi_ddot/da = H``.
    """
    check_kernels(system, ("slopes",), "slopes")
    work = system.work
    values = _evaluated(
        system, "slopes", t, (q, v, a, np.zeros(system.n_lam)), 2 * len(work.values)
    )
    first, second = (
        sp.csc_array((half, work.indices, work.indptr), (system.n, system.n)).tocsr()
        for half in values.reshape(2, -1)
    )
    rows = work.rows
    return first[rows, : system.n_q], second[rows, : system.n_q]


def jerks(
    system: System, t: float, q: FloatArray, v: FloatArray, a: FloatArray, lam: FloatArray
) -> FloatArray:
    """Return ``r_t + r_q v + r_v a`` in rows of motion and ``phi_dddot`` in constraint rows.

    Both for ``a_dot = lam_dot = 0``: the complete derivatives have ``M a_dot - G^T lam_dot`` and
    ``H a_dot`` in addition.
    """
    check_kernels(system, ("jerks",), "jerks")
    return _evaluated(system, "jerks", t, (q, v, a, lam), system.n)


def _evaluated(
    system: System, kernel: str, t: float, state: tuple[FloatArray, ...], size: int
) -> FloatArray:
    out, work = np.zeros(size), system.work
    arrays = [np.ascontiguousarray(x, np.float64) for x in state]
    function = getattr(system.kernels, kernel)
    status = call(function, float(t), *arrays, work.weights, work.p, work.m, out)
    if status != 0:
        raise OptionError(
            f"The kernel {kernel} of '{system.data.model}' could not be evaluated at t = {t:g}.",
            "Check user functions and parameters at that state.",
        )
    return out
