"""Reader of Matrix Market files, safe for damaged files.

A file is a line that says what follows, comments, a line of sizes, and one entry a line: two
numbers from 1 and a value of a sparse matrix, or the values of a full one, column by column. Of a
symmetric matrix the lower triangle is written.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

_BANNER = "%%matrixmarket"
_MIRRORED = {"general": 0, "symmetric": 1, "hermitian": 1, "skew-symmetric": -1}
_NUMBERS = ("real", "double", "integer", "unsigned-integer")
_ENTRY = [("row", np.int64), ("column", np.int64), ("value", np.float64)]


def read_matrix_market(path: Path) -> Any:
    """Return the matrix of a file; it is sparse if it is written so.

    Raises
    ------
    OSError
        If there is no such file.
    ValueError
        If it does not hold what its head says.
    """
    with path.open(encoding="latin-1") as file:
        lines = (line for line in file if line.strip())
        layout, mirrored = _head(next(lines, ""))
        sizes = _sizes(next((line for line in lines if not line.startswith("%")), ""), layout)
        _check_room(sizes, mirrored, path.stat().st_size)
        if layout == "array":
            return _full(lines, sizes, mirrored)
        return _sparse(lines, sizes, mirrored)


def _head(line: str) -> tuple[str, int]:
    """Read how a matrix is written, and the sign of the triangle that is not."""
    words = line.lower().split()
    if (
        len(words) != 5
        or words[:2] != [_BANNER, "matrix"]
        or words[2] not in ("array", "coordinate")
    ):
        raise ValueError("its first line is none of a matrix of Matrix Market")
    if words[3] not in _NUMBERS:
        raise ValueError(f"its entries are of the kind {words[3]!r}, not real")
    if words[4] not in _MIRRORED:
        raise ValueError(f"the symmetry {words[4]!r} is not known")
    return words[2], _MIRRORED[words[4]]


def _sizes(line: str, layout: str) -> list[int]:
    words = line.split()
    if len(words) != (2 if layout == "array" else 3) or not all(w.isdecimal() for w in words):
        raise ValueError("the line of its sizes is damaged")
    return [int(word) for word in words]


def _check_room(sizes: list[int], mirrored: int, size: int) -> None:
    """Reject a file whose stated size exceeds its length: every entry has two characters.

    Every row of a matrix of masses or stiffnesses has an entry, too.
    """
    rows, columns = sizes[:2]
    if mirrored and rows != columns:
        raise ValueError(f"it says that {rows} times {columns} entries are symmetric")
    entries = _written(rows, columns, mirrored) if len(sizes) == 2 else sizes[2]
    if max(rows, columns, 2 * entries) > size + 1:
        raise ValueError(f"it says that it has {rows} times {columns} entries, and has not")


def _written(rows: int, columns: int, mirrored: int) -> int:
    """How many entries of a full matrix are written."""
    return rows * (rows + mirrored) // 2 if mirrored else rows * columns


def _entries(lines: Iterator[str], kind: Any, count: int) -> Any:
    """Read the entries, of which there are as many as the head says."""
    rest = islice(lines, count + 1)
    found = np.loadtxt(rest, dtype=kind, comments=None) if count else np.array([*rest], dtype=kind)
    found = np.atleast_1d(found)
    if found.shape != (count,):
        raise ValueError(f"it says that it has {count} entries, and has not")
    return found


def _sparse(lines: Iterator[str], sizes: list[int], mirrored: int) -> Any:
    rows, columns, count = sizes
    found = _entries(lines, _ENTRY, count)
    i, j, x = found["row"] - 1, found["column"] - 1, found["value"]
    if not (np.all((i >= 0) & (i < rows)) and np.all((j >= 0) & (j < columns))):
        raise ValueError(f"an entry is outside of its {rows} times {columns} entries")
    if mirrored:
        other = i != j
        i, j, x = (
            np.concatenate((i, j[other])),
            np.concatenate((j, i[other])),
            np.concatenate((x, mirrored * x[other])),
        )
    return sparse.coo_matrix((x, (i, j)), shape=(rows, columns))


def _full(lines: Iterator[str], sizes: list[int], mirrored: int) -> Any:
    rows, columns = sizes
    found = _entries(lines, np.float64, _written(rows, columns, mirrored))
    if not mirrored:
        return np.reshape(found, (columns, rows)).T
    # The lower triangle column by column is the upper one of the transpose row by row.
    matrix = np.zeros((rows, rows))
    places = np.triu_indices(rows, 0 if mirrored > 0 else 1)
    matrix[places] = mirrored * np.asarray(found)
    matrix.T[places] = found
    return matrix
