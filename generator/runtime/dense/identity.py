"""The identity."""

from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray


@internal
def fill_identity(table: FloatArray) -> None:
    """``table <- 1``."""
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            table[i, j] = 1.0 if i == j else 0.0
