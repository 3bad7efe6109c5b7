"""Storage of ensemble series: in memory, in a temporary file, or in a Parquet file."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mbdgen.errors import OptionError
from mbdgen.numpy_files import DAMAGED
from mbdgen.runtime.ensembles.ensemble_members import Members
from mbdgen.runtime.ensembles.job import BlockOutcome
from mbdgen.runtime.ensembles.sweep_identity import Identity
from mbdgen.runtime.ensembles.unfinished_sweep import Finished, Unfinished, keeping
from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.program.optional_libraries import import_optional
from mbdgen.runtime.results.json_files import expressible
from mbdgen.runtime.results.result_series import SeriesColumn
from mbdgen.runtime.system.system_data import FloatArray

MEMORY_SHARE = 0.25
"""Fraction of memory available to a result; larger ones use a temporary file."""
RESERVED = ("member", "t", "status")
"""Columns of every table that are neither parameters nor series."""
MOST_MESSAGES = 1000
"""Messages of failed members in the header of a file; all are in the result."""
SWEEP = "mbdgen.sweep"
"""Entry of a Parquet file's header: which sweep it is."""


class Store(Protocol):
    """Takes blocks as they are finished, and gives series and members back."""

    def array_for(self, first: int, last: int) -> NDArray[np.float64]:
        """Return an array ``(members, instants, series)`` that a thread may fill."""

    def put(self, first: int, values: NDArray[np.float64], outcome: BlockOutcome) -> None:
        """Keep a finished block that begins with member ``first``."""

    def series(self, k: int) -> FloatArray:
        """Return one series of all members, shape ``(members, instants)``."""

    def member(self, i: int) -> FloatArray:
        """Return all series of one member, shape ``(instants, series)``."""


class ArrayStore:
    """Keeps everything in one array, in memory or mapped from a file."""

    def __init__(self, values: NDArray[np.float64]) -> None:
        self._values = values

    def array_for(self, first: int, last: int) -> NDArray[np.float64]:
        """See `Store`."""
        return self._values[first:last]

    def put(self, first: int, values: NDArray[np.float64], outcome: BlockOutcome) -> None:
        """See `Store`; values computed in this process are already stored."""
        target = self._values[first : first + len(values)]
        if not np.may_share_memory(target, values):
            target[:] = values

    def series(self, k: int) -> FloatArray:
        """See `Store`."""
        return self._values[:, :, k]

    def member(self, i: int) -> FloatArray:
        """See `Store`."""
        return np.asarray(self._values[i])


class ParquetStore:
    """Writes one row for every member and instant; blocks in order, each a group of rows.

    Parameters
    ----------
    path, temporary : Path
        Where the file is read when it is complete, and where it is written.
    members, t, columns
        What the rows are.
    size : int
        Members of a block.
    unfinished : Unfinished, optional
        Gets every block as soon as it is finished, for who resumes a sweep that was killed.
    """

    def __init__(
        self,
        path: Path,
        temporary: Path,
        members: Members,
        t: FloatArray,
        columns: tuple[SeriesColumn, ...],
        size: int,
        unfinished: Unfinished | None = None,
    ) -> None:
        arrow, self._parquet = (
            import_optional("pyarrow", "data"),
            import_optional("pyarrow.parquet", "data"),
        )
        self._path, self._members, self._t, self._size = path, members, t, size
        self._names = series_names(columns)
        keys = [*RESERVED, *parameter_names(members, columns)]
        fields = [
            arrow.field("member", arrow.int64()),
            arrow.field("t", arrow.float64(), metadata={"unit": "s"}),
            arrow.field("status", arrow.int64()),
            *(arrow.field(name, arrow.float64()) for name in keys[3:]),
            *(
                arrow.field(name, arrow.float64(), metadata={"unit": column.unit})
                for name, column in zip(self._names, columns, strict=True)
            ),
        ]
        self._arrow, self._schema = arrow, arrow.schema(fields)
        # Parameters repeat, motions do not: looking for repetitions there only costs time.
        self._writer = self._parquet.ParquetWriter(
            temporary, self._schema, use_dictionary=keys, write_page_checksum=True
        )
        self._key, self._header = "", b""
        self._waiting: dict[int, tuple[NDArray[np.float64], BlockOutcome]] = {}
        self._next, self._unfinished = 0, unfinished

    def array_for(self, first: int, last: int) -> NDArray[np.float64]:
        """See `Store`."""
        return np.empty((last - first, len(self._t), len(self._names)))

    def put(self, first: int, values: NDArray[np.float64], outcome: BlockOutcome) -> None:
        """See `Store`."""
        self._waiting[first] = values, outcome
        while self._next in self._waiting:
            self._next = self._write(self._next, *self._waiting.pop(self._next))
        if self._unfinished is not None:
            self._unfinished.put(first, values, outcome)

    def appear(self, begun: Iterable[Finished]) -> None:
        """Let the unfinished file be seen: with parts of blocks it has all that another had."""
        if self._unfinished is not None:
            for part in begun:
                self._unfinished.put(*part)
            self._unfinished.appear()

    def close(self, header: Mapping[str, Any], entries: Mapping[str, str] | None = None) -> None:
        """Finish the file; ``header`` describes it, ``entries`` are for who resumes it."""
        text = json.dumps(expressible(dict(header)), allow_nan=False)
        self._writer.add_key_value_metadata({"mbdgen": text, **(entries or {})})
        self._writer.close()
        known = {"mbdgen": text, **(entries or {})}
        self._key = SWEEP if SWEEP in known else "mbdgen"
        self._header = known[self._key].encode()

    def abandon(self) -> None:
        """Close a file that will not be finished."""
        self._writer.close()

    def series(self, k: int) -> FloatArray:
        """See `Store`."""
        name = self._names[k]
        table = self._read([name], len(self._members) * len(self._t))
        return np.asarray(table[name]).reshape(len(self._members), len(self._t))

    def member(self, i: int) -> FloatArray:
        """See `Store`."""
        block, first = divmod(i, self._size)
        count = min(self._size, len(self._members) - block * self._size)
        table = self._read(self._names, count * len(self._t), block)
        rows = slice(first * len(self._t), (first + 1) * len(self._t))
        parts = [np.asarray(table[name])[rows] for name in self._names]
        return np.column_stack(parts) if parts else np.zeros((len(self._t), 0))

    def _read(self, names: list[str], rows: int, block: int | None = None) -> Any:
        """Read columns of the file, or of one block, if it still is what was written."""
        try:
            file = self._parquet.ParquetFile(self._path, page_checksum_verification=True)
            if file.metadata.metadata.get(self._key.encode()) != self._header:
                raise ValueError("it is that of another ensemble")
            if not file.schema_arrow.equals(self._schema):
                raise ValueError("its columns have changed")
            if block is None:
                table = file.read(columns=names, use_threads=False)
            else:
                table = file.read_row_group(block, columns=names, use_threads=False)
            if names and (len(table) != rows or any(table[name].null_count for name in names)):
                raise ValueError("it has lost values")
        except (OSError, MemoryError, *DAMAGED) as error:
            raise OptionError(
                f"Cannot read '{self._path}' any more ({str(error).partition(chr(10))[0]}).",
                "The series of this ensemble are in that file: put it back.",
            ) from error
        return table

    def _write(self, first: int, values: NDArray[np.float64], outcome: BlockOutcome) -> int:
        count, instants = len(values), len(self._t)
        members = self._members.part(first, first + count)
        arrays = [
            np.repeat(np.arange(first, first + count), instants),
            np.tile(self._t, count),
            np.repeat(outcome.status, instants),
            *(np.repeat(column, instants) for column in members.values.T),
            *(np.ascontiguousarray(values[:, :, k].ravel()) for k in range(len(self._names))),
        ]
        table = self._arrow.table([self._arrow.array(a) for a in arrays], schema=self._schema)
        self._writer.write_table(table, row_group_size=max(1, count * instants))
        return first + count


def series_names(columns: tuple[SeriesColumn, ...]) -> list[str]:
    """Return names of the series in tables that have columns of other names too."""
    return [f"output.{c.name}" if c.name in RESERVED else c.name for c in columns]


def parameter_names(members: Members, columns: tuple[SeriesColumn, ...]) -> list[str]:
    """Return names of the parameters that no series has too."""
    taken = {*RESERVED, *series_names(columns)}
    return [f"parameter.{name}" if name in taken else name for name in members.names]


@contextmanager
def opened(
    out: object,
    members: Members,
    t: FloatArray,
    columns: tuple[SeriesColumn, ...],
    size: int,
    identity: Identity,
) -> Iterator[Store]:
    """Provide a store for the time of the computation; a file appears complete or not at all.

    Blocks of a file that does not appear are kept in an unfinished one.
    """
    if out is None:
        yield ArrayStore(_array((len(members), len(t), len(columns))))
        return
    path = check_out(out)
    with keeping(path, identity) as unfinished, replacing(path) as temporary:
        store = ParquetStore(path, temporary, members, t, columns, size, unfinished)
        try:
            yield store
        except BaseException:
            store.abandon()
            raise


def check_out(out: object) -> Path:
    """Validate the name of the file before anything is computed."""
    if not isinstance(out, str | os.PathLike) or Path(out).suffix.lower() != ".parquet":
        raise OptionError(
            f"out = {out!r} is no Parquet file.", "Give a name such as 'out.parquet'."
        )
    import_optional("pyarrow.parquet", "data")
    path = Path(out)
    if not path.parent.is_dir():
        raise OptionError(
            f"Cannot write '{path}': there is no folder '{path.parent}'.",
            "Give a file name in an existing, writable folder.",
        )
    return path


def _array(shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Allocate memory, or a temporary file that is deleted with the array."""
    size = 8 * int(np.prod(shape, dtype=np.float64))
    if size <= memory_limit():
        return np.empty(shape)
    folder = tempfile.gettempdir()
    # A mapped file that runs out of disk space later would end the process.
    if shutil.disk_usage(folder).free < 1.05 * size:
        raise OptionError(
            f"The ensemble needs {size / 1e9:.3g} GB, which neither the memory nor '{folder}' has.",
            "Keep fewer series or instants (series=, every=, t_eval=), or give out='file.parquet'.",
        )
    with tempfile.TemporaryFile() as file:
        return np.asarray(np.memmap(file, np.float64, "w+", shape=shape))


def memory_limit() -> float:
    """Return the bytes that a result may take in memory."""
    try:
        return MEMORY_SHARE * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not available on every system
        return 2e9
