"""NumPy's files, read only if they hold as much as they say.

The head of an array promises a size, which NumPy would make room for before it looks what follows,
and a small archive may unpack to more than there is of memory.
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
"""What reading a damaged file may raise besides `OSError`."""
LARGE, DENSE = 200_000_000, 200
"""Bytes from which on an archive is suspected that unpacks to so many times its own size."""


@contextmanager
def arrays_of(path: str | os.PathLike[str]) -> Iterator[Any]:
    """Open an npz file, whose arrays are read when they are asked for.

    Raises
    ------
    OSError
        If it cannot be read.
    ValueError, ...
        One of `DAMAGED`, if it is something else.
    """
    require_sizes(path)
    with np.load(path, allow_pickle=False) as stored:
        if not hasattr(stored, "files"):
            raise ValueError("it is a single array, no archive")
        yield stored


def require_sizes(path: str | os.PathLike[str]) -> None:
    """Refuse an npz or npy file whose arrays do not have the sizes that they say.

    Raises
    ------
    ValueError
        If one has not.
    """
    with Path(path).open("rb") as file:
        if file.read(4) != b"PK\3\4":
            file.seek(0)
            _require_size(file, os.fstat(file.fileno()).st_size, "it")
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
                    _require_size(stream, entry.file_size, entry.filename)


def _require_size(stream: IO[bytes], size: int, what: str) -> None:
    """Compare the head of an array with the bytes that there are."""
    old = npy.read_magic(stream) == (1, 0)
    try:
        read = npy.read_array_header_1_0 if old else npy.read_array_header_2_0
        shape, _, kind = read(stream)
    except (SyntaxError, TokenError) as error:  # NumPy reads it as Python writes it
        raise ValueError(f"the head of {what} is damaged") from error
    if kind.hasobject:
        raise ValueError(f"{what} holds Python objects")
    if prod(shape) * kind.itemsize != size - stream.tell():
        raise ValueError(f"{what} says that it has the shape {shape}, and has not")
