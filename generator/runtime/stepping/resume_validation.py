"""Validation of a checkpoint before a run is resumed from it.

Compiled loops check no index. All data from a file is first compared with the corresponding data of
this run: number of arrays, their types and shapes, finite values, every index within its array.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.linalg.factor_storage import DENSE, SPARSE, UNKNOWN, Factors
from mbdgen.runtime.linalg.linear_solver import dense_factors, new_factors
from mbdgen.runtime.system.run_workspace import RunWorkspace

Arrays = tuple[Any, ...]


def check_alike(name: str, found: Arrays, live: Arrays, infinite: bool = False) -> None:
    """Raise unless arrays have the types and shapes of others and contain no NaN.

    Infinite values are refused unless ``infinite``: what a method measures may be a limit.
    """
    alike = len(found) == len(live) and all(map(_is_like, found, live))
    sound = np.isfinite if not infinite else lambda array: ~np.isnan(array)
    if not alike or not all(sound(array).all() for array in found if array.dtype.kind == "f"):
        raise damaged(name)


def check_indices(name: str, found: Arrays) -> None:
    """Refuse integers that are out of the range of the arrays they index."""
    for array in found:
        if array.dtype.kind not in "iu" or array.size == 0:
            continue
        if array.ndim == 1:  # a marker
            inside = array.min() >= 0 and array.max() <= max(1, array.size - 1)
        else:
            from mbdgen.runtime.linalg.pivot_reuse import AGE

            orders = np.delete(array, AGE, axis=0)
            inside = array.min() >= 0 and orders.max() < array.shape[1]
        if not inside:
            raise damaged(name)


def check_factors(name: str, found: Arrays, work: RunWorkspace) -> None:
    """Refuse factors that do not belong to the matrix of this mechanism."""
    try:
        sound = _are_factors(Factors(*found), work)
    except (TypeError, ValueError, IndexError, AttributeError):
        sound = False
    if not sound:
        raise damaged(name)


def damaged(name: str) -> OptionError:
    """Return the error for a part of a checkpoint that this run cannot use."""
    return OptionError(
        f"The checkpoint is damaged: its part '{name}' does not fit the mechanism.",
        "Take another checkpoint, or begin the run anew.",
    )


def _is_like(found: Any, live: Any) -> bool:
    return bool(found.shape == live.shape and found.dtype == live.dtype)


def _are_factors(found: Factors, work: RunWorkspace) -> bool:
    pattern = work.indptr, work.indices
    n, slots = len(work.indptr) - 1, len(work.indices)
    empty = new_factors(*pattern)
    arrays: Arrays = tuple(found)
    others: Arrays = tuple(empty)
    kinds = [array.dtype == other.dtype for array, other in zip(arrays, others, strict=True)]
    if not all(kinds) or any(array.ndim != 1 for array in arrays) or found.header.size != 2:
        return False
    if found.header[0] != n or any(np.isnan(array).any() for array in arrays):
        return False
    mode = int(found.header[1])
    if mode == UNKNOWN:
        return _sizes(found) == _sizes(empty)
    if mode == DENSE:
        capacity = dense_factors(*pattern)
        fixed = ("a_ptr", "a_row")
        same = all(np.array_equal(getattr(found, x), getattr(capacity, x)) for x in fixed)
        return same and _sizes(found) == _sizes(capacity) and _permutes(found, n)
    return mode == SPARSE and _is_sparse(found, n, slots)


def _is_sparse(found: Factors, n: int, slots: int) -> bool:
    vectors = (found.row_scale, found.column_scale, found.inverse, found.work, found.residual)
    return (
        _permutes(found, n)
        and all(x.size == n for x in vectors)
        and found.limits.size == 3
        and found.held.size == 1 + slots
        and found.noise.size == found.absent.size
        and _columns(found.a_ptr, found.a_row, found.a_source.size, n)
        and _columns(found.l_ptr, found.l_row, found.l_value.size, n, lambda row, k: row > k)
        and _columns(found.u_ptr, found.u_row, found.u_value.size, n, lambda row, k: row < k)
        and _below(found.a_source, slots)
        and _below(found.absent, slots)
    )


def _columns(
    ptr: Any, rows: Any, size: int, n: int, inside: Callable[[Any, Any], Any] | None = None
) -> bool:
    """Whether these are the columns of a triangular matrix of n rows."""
    if ptr.size != n + 1 or rows.size != size or int(ptr[0]) != 0 or int(ptr[-1]) != size:
        return False
    counts = np.diff(ptr.astype(np.int64))
    if (counts < 0).any() or not _below(rows, n):
        return False
    return inside is None or bool(np.all(inside(rows, np.repeat(np.arange(n), counts))))


def _permutes(found: Factors, n: int) -> bool:
    orders = (found.rows, found.columns)
    return all(np.array_equal(np.sort(x), np.arange(n)) for x in orders)


def _below(indices: Any, n: int) -> bool:
    return indices.size == 0 or int(indices.max()) < n


def _sizes(factors: Factors) -> list[int]:
    return [array.size for array in factors]
