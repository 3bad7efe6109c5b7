"""NumPy files (npy, npz) with a check of the declared array sizes before reading.

NumPy allocates the size in the header of an array before it reads the data, and a small archive may
decompress to more than the available memory.
"""

import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any
from zipfile import BadZipFile

import numpy as np
from numpy.lib import format as npy

DAMAGED = (
    *(AttributeError, BadZipFile, EOFError, IndexError, KeyError, NotImplementedError),
    *(OverflowError, RecursionError, RuntimeError, TypeError, ValueError, zlib.error),
)
"""Exceptions besides `OSError` when a damaged file is read."""
LARGE, DENSE = 200_000_000, 200
"""Decompressed size in bytes, and compression ratio, above both of which an archive is rejected."""


@contextmanager
def arrays_of(path: str | os.PathLike[str]) -> Iterator[Any]:
    """Open an npz file, whose arrays are read on access.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError, ...
        One of `DAMAGED`, if it is not a valid npz file.
    """
    check_sizes(path)
    with np.load(path, allow_pickle=False) as stored:
        if not hasattr(stored, "files"):
            raise ValueError("it is a single array, no archive")
        yield stored


def check_sizes(path: str | os.PathLike[str]) -> None:
    """Reject an npz or npy file whose arrays do not have the declared sizes.

    Raises
    ------
    ValueError
        If the size of an array differs.
    """
    with Path(path).open("rb") as file:
        if file.read(4) != b"PK\3\4":
            file.seek(0)
            _check_size(file, os.fstat(file.fileno()).st_size, "it")
            return
    whole = os.path.getsize(path)
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        unpacked = sum(entry.file_size for entry in entries)
        if unpacked > LARGE and unpacked > DENSE * whole:
            raise ValueError(f"it has {whole} bytes and unpacks to {unpacked}")
        for entry in entries:
            if entry.filename.endswith(".npy"):
                with archive.open(entry) as stream:
                    _check_size(stream, entry.file_size, entry.filename)


def _check_size(stream: IO[bytes], size: int, what: str) -> None:
    """Compare the size in the header of an array with the number of bytes present."""
    old = npy.read_magic(stream) == (1, 0)
    try:
        read = npy.read_array_header_1_0 if old else npy.read_array_header_2_0
        shape, _, kind = read(stream)
    except (SyntaxError, TokenError) as error:  # NumPy parses the header as a Python literal
        raise ValueError(f"the head of {what} is damaged") from error
    if kind.hasobject:
        raise ValueError(f"{what} holds Python objects")
    if prod(shape) * kind.itemsize != size - stream.tell():
        raise ValueError(f"{what} says that it has the shape {shape}, and has not")
