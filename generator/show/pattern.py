"""Sparsity pattern of the iteration matrix as text."""

from typing import TYPE_CHECKING

import numpy as np

from mbdgen.view.plain_text import aligned, heading

if TYPE_CHECKING:
    from mbdgen.runtime.system.system_data import IntArray
    from mbdgen.symbolic.ir.system_ir import SystemIR

MOST_LETTERS = 80
DOTS_ACROSS = 160
BLOCKS = {
    "J": "dynamics rows by coordinates: c_a M + c_v C + c_q (K + W)",
    "G": "dynamics rows by multipliers: -G^T",
    "H": "constraint rows by coordinates: H, norm rows included",
    "0": "constraint rows by multipliers: only the diagonal, zero or eps",
}


def pattern_text(system: "SystemIR") -> str:
    """Return a picture of the matrix and the entries of its blocks."""
    n, n_q = system.sizes["n"], system.sizes["n_q"]
    rows = np.asarray(system.indices)
    columns = np.repeat(np.arange(n), np.diff(system.indptr))
    constraint = np.zeros(n, bool)
    constraint[list(system.roles.constraint_rows)] = True
    block = np.where(
        constraint[rows],
        np.where(columns < n_q, "H", "0"),
        np.where(columns < n_q, "J", "G"),
    )
    counts = [(letter, str(int((block == letter).sum())), text) for letter, text in BLOCKS.items()]
    filled = 100.0 * len(rows) / n**2 if n else 0.0
    parts = [
        heading(f"pattern: {n} x {n}, {len(rows)} entries ({filled:.3g} %)"),
        aligned(counts, indent=4, right=(1,)),
        "",
        _letters(system, rows, columns, block) if n <= MOST_LETTERS else _dots(n, rows, columns),
    ]
    return "\n".join(parts)


def _letters(system: "SystemIR", rows: "IntArray", columns: "IntArray", block: "np.ndarray") -> str:
    """Return one letter for every entry, with the names of the rows."""
    n = system.sizes["n"]
    grid = np.full((n, n), "·")
    grid[rows, columns] = block
    names = system.names["rows"]
    width = max(map(len, names))
    return "\n".join(f"{names[k]:>{width}}  {' '.join(grid[k])}" for k in range(n))


def _dots(n: int, rows: "IntArray", columns: "IntArray") -> str:
    """Return a picture of Braille characters with 4 x 2 dots; a dot may be many entries."""
    across = min(n, DOTS_ACROSS)
    grid = np.zeros((across + 3, across + 1), bool)
    grid[rows * across // n, columns * across // n] = True
    weights = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
    lines = []
    for top in range(0, across, 4):
        codes = np.full((across + 1) // 2, 0x2800)
        for i, pair in enumerate(weights):
            for j, weight in enumerate(pair):
                codes += weight * grid[top + i, j : j + 2 * len(codes) : 2]
        lines.append("".join(map(chr, codes)))
    size = n / across
    scale = f"(a dot stands for {size:.3g} x {size:.3g} entries)" if n > across else ""
    return "\n".join([*lines, scale]).rstrip()
