"""Resumption of a parameter sweep: parts of its unfinished or finished file."""

import base64
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.numpy_files import DAMAGED
from mbdgen.runtime.ensembles.job import BlockOutcome
from mbdgen.runtime.ensembles.series_stores import SWEEP, series_names
from mbdgen.runtime.ensembles.sweep_identity import Identity, check_same_sweep
from mbdgen.runtime.ensembles.unfinished_sweep import (
    Finished,
    packed,
    unfinished_parts,
    unfinished_path,
    unpacked,
)
from mbdgen.runtime.program.optional_libraries import import_optional
from mbdgen.runtime.results.result_series import SeriesColumn
from mbdgen.runtime.stepping.driver import INTERRUPTED

MEMBERS = "mbdgen.members.{}"
"""Entries of a Parquet file's header: how its members ended."""
ENTRY = 100_000
"""Members in an entry; readers refuse entries that are too long."""


def entries(identity: Identity, outcome: BlockOutcome) -> dict[str, str]:
    """Return what a finished file says for who resumes it."""
    found = {SWEEP: json.dumps(identity)}
    for k, first in enumerate(range(0, len(outcome.status), ENTRY)):
        part = portion(outcome, first, min(first + ENTRY, len(outcome.status)))
        found[MEMBERS.format(k)] = base64.b64encode(zlib.compress(packed(part))).decode()
    return found


def portion(outcome: BlockOutcome, first: int, last: int) -> BlockOutcome:
    """Return how the members ``first .. last - 1`` ended."""
    rows = slice(first, last)
    return replace(
        outcome,
        status=outcome.status[rows],
        counters=outcome.counters[rows],
        numbers=outcome.numbers[rows],
        messages={k - first: x for k, x in outcome.messages.items() if first <= k < last},
        warnings={k - first: x for k, x in outcome.warnings.items() if first <= k < last},
        cpu_s=outcome.cpu_s * (last - first) / max(1, len(outcome.status)),
    )


def joined(head: BlockOutcome, tail: BlockOutcome) -> BlockOutcome:
    """Return how the members of two neighbouring parts ended."""
    return BlockOutcome(
        status=np.concatenate([head.status, tail.status]),
        counters=np.concatenate([head.counters, tail.counters]),
        numbers=np.concatenate([head.numbers, tail.numbers]),
        messages=head.messages | {k + len(head.status): x for k, x in tail.messages.items()},
        cpu_s=head.cpu_s + tail.cpu_s,
        warnings=head.warnings | {k + len(head.status): x for k, x in tail.warnings.items()},
    )


def finished_parts(
    path: Path, identity: Identity, instants: int, columns: tuple[SeriesColumn, ...]
) -> Iterator[Finished]:
    """Read the members that were computed, by parts that begin where blocks do.

    Raises
    ------
    OptionError
        If a file is of another sweep, or damaged.
    """
    if unfinished_path(path).exists():
        found = unfinished_parts(path, identity, (instants, len(columns)))
    elif path.exists():
        found = _parts_of_result(path, identity, instants, series_names(columns))
    else:
        return
    for first, values, outcome in found:
        count = int(np.argmax(np.append(outcome.status, -INTERRUPTED) == -INTERRUPTED))
        if count:
            yield first, values[:count], portion(outcome, 0, count)


def _parts_of_result(
    path: Path, identity: Identity, instants: int, names: list[str]
) -> Iterator[Finished]:
    parquet = import_optional("pyarrow.parquet", "data")
    try:
        file = parquet.ParquetFile(path, page_checksum_verification=True)
    except (OSError, *DAMAGED) as error:
        raise OptionError(
            f"'{path}' is no Parquet file ({error}).",
            "Give another file, or leave resume away: then it is written anew.",
        ) from error
    with file:
        stored: Mapping[bytes, bytes] = file.metadata.metadata or {}
        if SWEEP.encode() not in stored:
            raise OptionError(
                f"'{path}' does not say which sweep it is of.",
                "Only files that simulate_many(out=) or mbdgen sweep --out have written are "
                "resumed; give another file, or leave resume away.",
            )
        try:
            check_same_sweep(path, json.loads(stored[SWEEP.encode()]), identity)
            yield from _groups(file, _outcome(stored, identity), instants, names)
        except (OSError, *DAMAGED) as error:
            raise OptionError(
                f"'{path}' is damaged ({type(error).__name__}: {error}).",
                "Leave resume away: then it is written anew.",
            ) from error


def _outcome(stored: Mapping[bytes, bytes], identity: Identity) -> BlockOutcome:
    """Return how all members of a file ended."""
    members = int(identity["number of members"])
    parts = []
    for k, first in enumerate(range(0, members, ENTRY)):
        text = zlib.decompress(base64.b64decode(stored[MEMBERS.format(k).encode()]))
        parts.append(unpacked(text, min(ENTRY, members - first)))
    return reduce(joined, parts)


def _groups(
    file: Any, outcome: BlockOutcome, instants: int, names: list[str]
) -> Iterator[Finished]:
    first = 0
    for group in range(file.num_row_groups):
        table = file.read_row_group(group, columns=names, use_threads=False)
        count = table.num_rows // instants
        columns = [np.asarray(table[name]).reshape(count, instants) for name in names]
        yield first, np.stack(columns, axis=-1), portion(outcome, first, first + count)
        first += count
    if first != len(outcome.status):
        raise ValueError("it has another number of members")
