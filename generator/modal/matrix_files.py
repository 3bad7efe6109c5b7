"""Finite element matrices from user input: arrays, NumPy files, Matrix Market files."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from mbdgen.errors import ModelError
from mbdgen.modal.matrix_market import read_matrix_market
from mbdgen.numpy_files import DAMAGED, check_sizes

_ENDINGS = (".npy", ".npz", ".mtx")


def as_matrix(given: Any, name: str, what: str) -> Any:
    """Return a matrix that a user gave by itself or by its file; it may be sparse.

    Parameters
    ----------
    name : str
        What it is: also the key of an npz file with more than one array.
    what : str
        Whose, for messages.
    """
    source = f"The {name} of {what}"
    if isinstance(given, str | os.PathLike):
        path = Path(given)
        given, source = _read(path, name, source), f"{source} ({path.name})"
    if not sparse.issparse(given):
        given = _array(given, source)
    numbers = given.data if sparse.issparse(given) else given
    if given.ndim != 2 or not np.issubdtype(numbers.dtype, np.number) or np.iscomplexobj(numbers):
        raise ModelError(
            f"{source} is an array of {given.ndim} dimensions and type {numbers.dtype}.",
            "Give a matrix of real numbers.",
        )
    if not np.isfinite(numbers).all():
        raise ModelError(f"{source} has entries that are not finite.", "Mend the matrix.")
    return given.astype(float)


def _array(given: Any, source: str) -> Any:
    try:
        return np.asarray(given)
    except ValueError as error:
        raise ModelError(f"{source} is no matrix ({error}).", "Give rows of one length.") from error


def _read(path: Path, name: str, source: str) -> Any:
    if path.suffix not in _ENDINGS:
        raise ModelError(
            f"{source} is the file '{path}', whose format is not known.",
            f"Give a file that ends with {', '.join(_ENDINGS)}.",
        )
    try:
        if path.suffix == ".mtx":
            return read_matrix_market(path)
        check_sizes(path)
        loaded = np.load(path, allow_pickle=False)
        return loaded if path.suffix == ".npy" else _of_archive(path, loaded, name, source)
    except FileNotFoundError as error:
        raise ModelError(f"{source}: there is no file '{path}'.", "Check the path.") from error
    except (OSError, MemoryError, *DAMAGED) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        if "pickle" in reason or "magic" in reason:  # NumPy's name for foreign files
            reason = "it holds no array of numbers that NumPy has written"
        raise ModelError(
            f"{source}: the file '{path}' cannot be read ({reason}).",
            "Write it with numpy.save, numpy.savez, scipy.sparse.save_npz or scipy.io.mmwrite.",
        ) from error


def _of_archive(path: Path, loaded: Any, name: str, source: str) -> Any:
    keys = list(loaded.files)
    if {"format", "shape", "data"} <= {*keys}:
        return sparse.load_npz(path)
    if len(keys) == 1:
        return loaded[keys[0]]
    if name not in keys:
        raise ModelError(
            f"{source}: the file '{path}' has no array {name!r}.",
            f"It has: {', '.join(keys)}. Write numpy.savez(path, {name}=...).",
        )
    return loaded[name]
