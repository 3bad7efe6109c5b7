"""Steps that are explicit on one condition: that accelerations do not depend on velocities.

``w = (v, z)`` and its derivatives ``w_1 = (a, z_dot), .., w_n`` stand at the instant of the state.
With ``c_k = h^k / k!``, the prediction ``p_i = w_i + c_1 w_(i+1) + .. + c_(n-i) w_n`` and the jumps
``d+ = w_n+ - w_n``, ``d = w_n - w_n-``:

``q+ = q + h q_dot + c_2 w_1 + .. + c_(n+1) (w_n + (alpha - 1) d)``
``w+ = p_0 + c_n beta d+``
``w_1+ = p_1 + c_(n-1) gamma d+ = g(t+, q+, w+)``     (``d+ = w_1+ - w_1`` for ``n = 1``)
``w_2+ = p_2 + c_(n-2) zeta d+``

The new position is explicit. Its accelerations give ``d+``, and that the velocities, which are
inserted again until they do not change any more: at once, if ``g`` does not depend on them.
"""

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.beginning import begin_derivatives, coefficient
from mbdgen.runtime.dense.classical import classical_step
from mbdgen.runtime.dense.ending import end_at_slope, pack
from mbdgen.runtime.dense.parts import Parts, general_step
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.work import NEWTON, NOT_CONVERGED, OK, State, Work


@internal
def _predict(rows: FloatArray, i: int, n: int, h: float, first: int, out: FloatArray) -> None:
    """``out <- p_i`` from the place ``first`` on; for ``i = 0``, ``w`` is in ``out`` already."""
    for k in range(max(i, 1), n + 1):
        c = coefficient(h, k - i)
        for j in range(first, len(out)):
            out[j] = c * rows[k - 1, j] + (0.0 if k == i else out[j])


@internal
def _move(dense: Dense, q: FloatArray, n: int, h: float, alpha: float) -> None:
    """``q <- q+``; row ``n`` has ``d`` over the step it belongs to, because steps may change."""
    rows, n_q = dense.rows, len(q)
    for i in range(n_q):
        q[i] += h * rows[0, i]
    for k in range(1, n + 1):
        c = coefficient(h, k + 1)
        for i in range(n_q):
            q[i] += c * rows[k - 1, n_q + i]
    c = coefficient(h, n + 1) * (alpha - 1.0) * h
    for i in range(n_q):
        q[i] += c * rows[n, n_q + i]


@internal
def _jump(dense: Dense, slope: FloatArray, n: int, n_q: int, of_slope: float) -> None:
    """Row ``n <- d+`` of a slope."""
    rows = dense.rows
    for i in range(n_q, rows.shape[1]):
        rows[n, i] = (slope[i] - rows[n + 3, i]) / of_slope


@internal
def _insert(dense: Dense, n: int, n_q: int, of_jump: float) -> float:
    """``w+ <- p_0 + c_n beta d+`` in ``y`` and in the slope; return its relative change."""
    y, slope, jump, predicted = dense.y, dense.rows[n + 1], dense.rows[n], dense.rows[n + 2]
    change = largest = 0.0
    for i in range(n_q, len(y)):
        w = predicted[i] + of_jump * jump[i]
        if i < 2 * n_q:
            slope[i - n_q] += w - y[i]  # q_dot is the velocity, or contains it
        change, largest = max(change, abs(w - y[i])), max(largest, abs(w))
        y[i] = w
    return change / (1.0 + largest)


@general_step
def step(
    kernels: Kernels,
    work: Work,
    state: State,
    h: float,
    options: FloatArray,
    parts: Parts,
    dense: Dense,
) -> int:
    """Advance by one step; ``options`` are the weights, tolerance, limit, kind, and ``n``.

    Rows ``0 .. n - 1`` have ``w_1 .. w_n`` at the state, row 0 with ``q_dot`` before it; row ``n``
    the jump over the step. The next three are scratch: a slope, ``p_0`` and ``p_1``.
    """
    n, n_q, rows, y = int(options[-1]), len(state.q), dense.rows, dense.y
    tolerance, limit = options[n + 1], int(options[n + 2])
    if options[n + 3] > 0.5:
        return classical_step(kernels, work, state, h, tolerance, limit, parts, dense)
    if dense.times[0] == 0.0:
        status = begin_derivatives(kernels, work, state, h, n, parts, dense)
        if status != OK:
            return status
    pack(state, dense, rows[n + 2])
    _predict(rows, 0, n, h, n_q, rows[n + 2])
    _predict(rows, 1, n, h, n_q, rows[n + 3])
    _move(dense, state.q, n, h, options[0])
    for i in range(len(y)):
        y[i] = state.q[i] if i < n_q else rows[n + 2, i]
    of_slope = coefficient(h, n - 1) * (options[2] if n > 1 else 1.0)
    of_jump = coefficient(h, n) * options[1]
    t, status = state.clock[0] + h, NOT_CONVERGED
    for _ in range(limit):
        status = parts.slope(
            parts.eliminate, parts.complete, kernels, work, state, dense, t, y, rows[n + 1]
        )
        if status != OK:
            return status
        work.counters[NEWTON] += 1
        _jump(dense, rows[n + 1], n, n_q, of_slope)
        # One evaluation only is the wish of a user whose forces depend on no velocities.
        if _insert(dense, n, n_q, of_jump) <= tolerance or limit == 1:
            break
        status = NOT_CONVERGED
    if status == OK:
        status = end_at_slope(kernels, work, state, dense, parts, rows[n + 1])
    if status != OK:
        return status
    _jump(dense, rows[0], n, n_q, of_slope)
    for k in range(2, n + 1):
        weight = (options[k + 1] if k < n else 1.0) * coefficient(h, n - k)
        _predict(rows, k, n, h, n_q, rows[n + 2])
        for i in range(n_q, len(y)):
            rows[k - 1, i] = rows[n + 2, i] + weight * rows[n, i]
    for i in range(n_q, len(y)):
        rows[n, i] /= h
    dense.times[0] = 1.0
    return OK
