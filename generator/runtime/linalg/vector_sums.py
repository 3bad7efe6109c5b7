"""Linear combinations of vectors in blocks of four values, without remainders.

A block is read before any of it is written: LLVM then computes its four values together, without
checking at run time whether vectors overlap. Vectors of small mechanisms are one or two blocks.
"""

from typing import Any

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.stepping.fused_context import LANES


@internal
def combine(
    out: Any, blocks: int, x: Any, s: float, y: Any, f: float, c: Any, count: int, k: Any
) -> None:
    """``out = x + s y + f (c[0] k[0] + ... + c[count - 1] k[count - 1])``.

    Vectors have ``LANES blocks`` values; those of ``k`` are contiguous.
    """
    size = LANES * blocks
    for block in range(blocks):
        at = LANES * block
        sum_0, sum_1, sum_2, sum_3 = 0.0, 0.0, 0.0, 0.0
        for term in range(count):
            weight, place = c[term], at + term * size
            sum_0 += weight * k[place]
            sum_1 += weight * k[place + 1]
            sum_2 += weight * k[place + 2]
            sum_3 += weight * k[place + 3]
        new_0 = x[at] + s * y[at] + f * sum_0
        new_1 = x[at + 1] + s * y[at + 1] + f * sum_1
        new_2 = x[at + 2] + s * y[at + 2] + f * sum_2
        new_3 = x[at + 3] + s * y[at + 3] + f * sum_3
        out[at], out[at + 1], out[at + 2], out[at + 3] = new_0, new_1, new_2, new_3


@internal
def move(out: Any, blocks: int, x: Any) -> None:
    """``out = x``."""
    for block in range(blocks):
        at = LANES * block
        out[at], out[at + 1], out[at + 2], out[at + 3] = x[at], x[at + 1], x[at + 2], x[at + 3]
