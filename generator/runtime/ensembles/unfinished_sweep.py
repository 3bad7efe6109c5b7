"""Checkpoint file of an unfinished sweep: every finished block, for resumption.

A Parquet file can be read when it is complete. Until then this file beside it has the same data and
the status of members: a killed process leaves it, and the next one resumes from it.
"""

import json
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from mbdgen.errors import OptionError
from mbdgen.runtime.ensembles.job import BlockOutcome
from mbdgen.runtime.ensembles.member_block import COLUMNS
from mbdgen.runtime.ensembles.sweep_identity import Identity, check_same_sweep
from mbdgen.runtime.program.atomic_files import temporary_name
from mbdgen.runtime.system.run_workspace import COUNTERS

Finished = tuple[int, NDArray[np.float64], BlockOutcome]
"""First member of a part, its series, how its members ended."""

_MAGIC = b"mbdgen unfinished sweep 3\n"
_PART = struct.Struct("<QQQI")  # first member, members, bytes about them, checksum of all
_ABOUT = struct.Struct("<Qd")  # members, processor time
_DAMAGED = (ValueError, KeyError, AttributeError, TypeError, struct.error, zlib.error)


def unfinished_path(path: Path) -> Path:
    """Return where the blocks of a sweep are kept until its file is complete."""
    return path.with_name(path.name + ".unfinished")


class Unfinished:
    """Writes blocks as they are finished, in any order; see `keeping`.

    Parameters
    ----------
    path : Path
        The file that the sweep makes.
    identity : dict
        Which sweep it is.
    """

    def __init__(self, path: Path, identity: Identity) -> None:
        self._path, self._parts = unfinished_path(path), 0
        self._temporary: Path | None = path.with_name(temporary_name())
        self._file: BinaryIO = self._temporary.open("xb")
        text = json.dumps(identity).encode()
        self._file.write(_MAGIC + struct.pack("<QI", len(text), zlib.crc32(text)) + text)

    def put(self, first: int, values: NDArray[np.float64], outcome: BlockOutcome) -> None:
        """Keep a finished part."""
        about, series = packed(outcome), np.ascontiguousarray(values).data
        sizes = first, len(values), len(about)
        self._file.write(_PART.pack(*sizes, _check(sizes, about, series)))
        self._file.write(about)
        self._file.write(series)
        self._file.flush()
        self._parts += 1

    def appear(self) -> None:
        """Replace the previous file, whose contents this one includes."""
        if self._temporary is not None:
            self._file.flush()
            os.replace(self._temporary, self._path)
            self._temporary = None

    def close(self, finished: bool) -> None:
        """Stop writing; the file stays if it has parts that no other file has."""
        number = os.fstat(self._file.fileno()).st_ino
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            if self._temporary is not None:
                self._temporary.unlink()
            elif (finished or not self._parts) and self._path.stat().st_ino == number:
                self._path.unlink()  # not that of another process


@contextmanager
def keeping(path: Path, identity: Identity) -> Iterator[Unfinished]:
    """Keep blocks beside the file ``path`` until it is complete."""
    try:
        unfinished = Unfinished(path, identity)
    except OSError as error:
        raise OptionError(
            f"Cannot write into '{path.parent}': {error.strerror}.",
            "Give a file name in an existing, writable folder.",
        ) from error
    finished = False
    try:
        yield unfinished
        finished = True
    finally:
        unfinished.close(finished)


def check_not_unfinished(path: Path, identity: Identity) -> None:
    """Reject to begin a sweep anew that was not finished: its members would be lost."""
    try:
        with unfinished_path(path).open("rb") as file:
            same = _header(path, file) == identity
    except (OSError, OptionError):
        return
    if same:
        raise OptionError(
            f"'{unfinished_path(path)}' has members of this sweep, which was killed or is still "
            "running.",
            "Go on with them by resume (mbdgen sweep --resume), or delete that file.",
        )


def unfinished_parts(path: Path, identity: Identity, row: tuple[int, ...]) -> Iterator[Finished]:
    """Read the parts that are whole in the unfinished file beside ``path``.

    Parameters
    ----------
    row : tuple of int
        Instants and series of a member.

    Raises
    ------
    OptionError
        If it is of another sweep.
    """
    source = unfinished_path(path)
    try:
        file = source.open("rb")
    except FileNotFoundError:
        return
    except OSError as error:
        raise OptionError(
            f"Cannot read '{source}': {error.strerror}.", "Make it readable, or delete it."
        ) from error
    with file:
        check_same_sweep(source, _header(source, file), identity)
        width, members = 8 * row[0] * row[1], int(identity["number of members"])
        while (part := _next(file, width, members)) is not None:
            first, count, about, series = part
            values = np.frombuffer(series).reshape(count, *row)
            yield first, values, unpacked(about, count)


def _header(source: Path, file: BinaryIO) -> Identity:
    try:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise ValueError("another format")
        length, check = struct.unpack("<QI", file.read(12))
        text = file.read(min(length, _left(file)))
        if zlib.crc32(text) != check:
            raise ValueError("another checksum")
        return dict(json.loads(text))
    except _DAMAGED as error:
        raise OptionError(
            f"'{source}' is no unfinished sweep of this mbdgen.",
            "Delete it, or leave resume away: the sweep then begins anew.",
        ) from error


def _next(file: BinaryIO, width: int, members: int) -> tuple[int, int, bytes, bytes] | None:
    """Return the next part, None behind the last that is whole."""
    head = file.read(_PART.size)
    if len(head) < _PART.size:
        return None
    first, count, length, check = _PART.unpack(head)
    if first + count > members or length + count * width > _left(file):
        return None
    about, series = file.read(length), file.read(count * width)
    if _check((first, count, length), about, series) != check:
        return None
    return first, count, about, series


def _check(sizes: tuple[int, int, int], about: bytes, series: bytes | memoryview) -> int:
    return zlib.crc32(series, zlib.crc32(about, zlib.crc32(struct.pack("<QQQ", *sizes))))


def _left(file: BinaryIO) -> int:
    return os.fstat(file.fileno()).st_size - file.tell()


def packed(outcome: BlockOutcome) -> bytes:
    """Return how members ended as bytes."""
    tables = outcome.status, outcome.counters, outcome.numbers
    head = _ABOUT.pack(len(outcome.status), outcome.cpu_s)
    texts = json.dumps([outcome.messages, outcome.warnings]).encode()
    return head + b"".join(x.tobytes() for x in tables) + texts


def unpacked(about: bytes, count: int) -> BlockOutcome:
    """Return what `packed` was given.

    Raises
    ------
    ValueError
        If it is of another number of members.
    """
    members, cpu_s = _ABOUT.unpack_from(about)
    if members != count:
        raise ValueError("another number of members")
    counters = _ABOUT.size + 8 * count
    numbers = counters + 8 * count * COUNTERS
    texts = numbers + 8 * count * COLUMNS
    messages, warned = json.loads(about[texts:])
    return BlockOutcome(
        status=np.frombuffer(about[_ABOUT.size : counters], np.int64).copy(),
        counters=np.frombuffer(about[counters:numbers], np.int64).reshape(count, -1).copy(),
        numbers=np.frombuffer(about[numbers:texts], np.float64).reshape(count, -1).copy(),
        messages={int(k): str(text) for k, text in messages.items()},
        cpu_s=cpu_s,
        warnings={int(k): tuple(map(str, found)) for k, found in warned.items()},
    )
