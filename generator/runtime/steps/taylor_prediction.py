"""Taylor predictors from derivatives at an instant, stored in the rows of the workspace.

``w = (v, z)`` and its derivatives ``w_1 = (a, z_dot), .., w_n`` are in rows ``0 .. n - 1``, the
first of them after ``q_dot``; ``c_k = h^k / k!``.
"""

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.system.system_data import FloatArray


@internal
def coefficient(h: float, k: int) -> float:
    """``h^k / k!``."""
    c = 1.0
    for i in range(k):
        c *= h / (i + 1)
    return c


@internal
def predict(rows: FloatArray, i: int, n: int, h: float, first: int, out: FloatArray) -> None:
    """``out <- p_i = w_i + c_1 w_(i+1) + .. + c_(n-i) w_n`` from index ``first`` on.

    For ``i = 0``, ``w`` is in ``out`` already.
    """
    for k in range(max(i, 1), n + 1):
        c = coefficient(h, k - i)
        for j in range(first, len(out)):
            out[j] = c * rows[k - 1, j] + (0.0 if k == i else out[j])


@internal
def displace(rows: FloatArray, n: int, h: float, q: FloatArray) -> None:
    """``q += h q_dot + c_2 w_1 + .. + c_(n+1) w_n``."""
    n_q = len(q)
    for i in range(n_q):
        q[i] += h * rows[0, i]
    for k in range(1, n + 1):
        c = coefficient(h, k + 1)
        for i in range(n_q):
            q[i] += c * rows[k - 1, n_q + i]


@internal
def displace_weighted(rows: FloatArray, n: int, h: float, alpha: float, q: FloatArray) -> None:
    """The same with ``w_n + (alpha - 1) d`` for ``w_n``, with the jump ``d`` of the last step.

    Row ``n`` has ``d`` divided by its step size, because the step size may change.
    """
    n_q = len(q)
    displace(rows, n, h, q)
    c = coefficient(h, n + 1) * (alpha - 1.0) * h
    for i in range(n_q):
        q[i] += c * rows[n, n_q + i]
