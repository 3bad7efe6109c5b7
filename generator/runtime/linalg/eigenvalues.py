"""Largest eigenvalue of a real matrix, by the QR algorithm in the solver language."""

from math import sqrt

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.system.run_workspace import REAL_TABLE
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

_ITERATIONS = 60
_ROUND_OFF = 2.3e-16


@internal
def _reduce(H: FloatArray) -> None:
    """Reduce a matrix to Hessenberg form by similar eliminations with pivots."""
    n = H.shape[0]
    for m in range(1, n - 1):
        pivot = m
        for i in range(m + 1, n):
            if abs(H[i, m - 1]) > abs(H[pivot, m - 1]):
                pivot = i
        if H[pivot, m - 1] == 0.0:
            continue
        if pivot != m:
            for j in range(n):
                H[pivot, j], H[m, j] = H[m, j], H[pivot, j]
            for i in range(n):
                H[i, pivot], H[i, m] = H[i, m], H[i, pivot]
        for i in range(m + 1, n):
            factor = H[i, m - 1] / H[m, m - 1]
            if factor != 0.0:
                for j in range(n):
                    H[i, j] -= factor * H[m, j]
                for k in range(n):
                    H[k, m] += factor * H[k, i]
    for i in range(2, n):
        for j in range(i - 1):
            H[i, j] = 0.0


@internal
def _rotate(H: FloatArray, first: int, last: int, shift: float, product: float) -> None:
    """Make a double step of Francis with the shifts' sum and product, on rows ``first..last``."""
    n = H.shape[0]
    x = H[first, first] * H[first, first] + H[first, first + 1] * H[first + 1, first]
    x += product - shift * H[first, first]
    y = H[first + 1, first] * (H[first, first] + H[first + 1, first + 1] - shift)
    z = H[first + 1, first] * H[first + 2, first + 1] if first + 2 <= last else 0.0
    for k in range(first, last):
        rows = 3 if k + 2 <= last else 2
        if k > first:
            x, y = H[k, k - 1], H[k + 1, k - 1]
            z = H[k + 2, k - 1] if rows == 3 else 0.0
        size = sqrt(x * x + y * y + z * z)
        if size == 0.0:
            continue
        # The reflection I - u u^T / c that maps (x, y, z) onto the first axis.
        norm = size if x >= 0.0 else -size
        u_0, u_1, u_2 = x + norm, y, z
        c = norm * u_0
        for j in range(max(k - 1, 0), n):
            total = u_0 * H[k, j] + u_1 * H[k + 1, j]
            if rows == 3:
                total += u_2 * H[k + 2, j]
            total /= c
            H[k, j] -= total * u_0
            H[k + 1, j] -= total * u_1
            if rows == 3:
                H[k + 2, j] -= total * u_2
        for i in range(min(last, k + 3) + 1):
            total = u_0 * H[i, k] + u_1 * H[i, k + 1]
            if rows == 3:
                total += u_2 * H[i, k + 2]
            total /= c
            H[i, k] -= total * u_0
            H[i, k + 1] -= total * u_1
            if rows == 3:
                H[i, k + 2] -= total * u_2
        if k > first:
            H[k + 1, k - 1] = 0.0
            if rows == 3:
                H[k + 2, k - 1] = 0.0


@separate(types.float64(REAL_TABLE))
def largest_real_part(H: FloatArray) -> float:
    """Return the largest real part of the eigenvalues, at least zero; ``H`` is overwritten.

    Hessenberg form, then double steps with the eigenvalues of the last two rows as shifts.
    """
    _reduce(H)
    last, top, count = H.shape[0] - 1, 0.0, 0
    while last >= 0:
        first = last
        while first > 0:
            size = abs(H[first - 1, first - 1]) + abs(H[first, first])
            if not abs(H[first, first - 1]) > _ROUND_OFF * size:
                H[first, first - 1] = 0.0
                break
            first -= 1
        if first == last:
            top = max(top, H[last, last])
            last, count = last - 1, 0
            continue
        a, b, c, d = H[last - 1, last - 1], H[last - 1, last], H[last, last - 1], H[last, last]
        if first == last - 1:
            half, square = 0.5 * (a + d), 0.25 * (a - d) * (a - d) + b * c
            top = max(top, half + sqrt(square) if square > 0.0 else half)
            last, count = last - 2, 0
            continue
        count += 1
        if count > _ITERATIONS:
            return top
        if count % 10 == 0:  # exceptional shifts, where the iteration may circle
            size = abs(c) + abs(H[last - 1, last - 2])
            _rotate(H, first, last, 1.5 * size, size * size)
        else:
            _rotate(H, first, last, a + d, a * d - b * c)
    return top
