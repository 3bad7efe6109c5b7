"""Sorting in the solver language."""

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.system.system_data import IntArray


@internal
def ascending_order(keys: IntArray) -> IntArray:
    """Return the indices that sort ``keys``, equal ones in their order (merge sort)."""
    n = len(keys)
    order, other = np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        order[i] = i
    width = 1
    while width < n:
        first = 0
        while first < n:
            middle, last = min(first + width, n), min(first + 2 * width, n)
            left, right = first, middle
            for k in range(first, last):
                if left < middle and (right >= last or keys[order[left]] <= keys[order[right]]):
                    other[k] = order[left]
                    left += 1
                else:
                    other[k] = order[right]
                    right += 1
            first = last
        for i in range(n):
            order[i] = other[i]
        width *= 2
    return order
