"""Parameter sets of a sweep: combinations of ranges and rows of a table."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mbdgen.cli import command_options
from mbdgen.errors import OptionError

if TYPE_CHECKING:
    from mbdgen.runtime.system.system_data import FloatArray


def parameter_sets(param: Sequence[str], table: Path | None) -> "dict[str, FloatArray]":
    """Return a column for every parameter: all combinations of ``--param`` and rows of ``--table``.

    Raises
    ------
    OptionError
        If a range, a list or the table is invalid, or a parameter is given twice.
    """
    import numpy as np

    from mbdgen.runtime.ensembles.ensemble_members import grid

    axes = {
        name: as_values(text, name)
        for name, text in command_options.assignments(param, "--param").items()
    }
    rows = {} if table is None else read_table(table)
    for name in axes:
        if name in rows:
            raise OptionError(f"--param and --table both give '{name}'.", "Give it in one of them.")
    if not axes and not rows:
        raise OptionError("There is nothing to sweep.", "Give --param NAME=START:STOP:COUNT.")
    if not rows:
        return grid(**axes)
    count = len(next(iter(rows.values())))
    combined = grid(**{"": np.arange(count)}, **axes)
    chosen = combined.pop("").astype(int)
    return {**{name: column[chosen] for name, column in rows.items()}, **combined}


def as_values(text: str, name: str) -> "FloatArray":
    """Parse ``1:2:100`` (start, stop, count), ``0.5,1,2`` or one number."""
    import numpy as np

    from mbdgen.runtime.ensembles.ensemble_members import check_member_count

    parts = text.split(":")
    what = f"--param {name}"
    if len(parts) == 1:
        return np.array([command_options.as_number(part, what) for part in text.split(",")])
    count = parts[-1].strip()
    if len(parts) != 3 or not count.isdecimal() or int(count) == 0:
        raise OptionError(
            f"{what}={text} is not a range.", "Write START:STOP:COUNT, for example 1:2:100."
        )
    check_member_count(int(count), f"{what}={text}")
    start, stop = (command_options.as_number(part, what) for part in parts[:2])
    return np.linspace(start, stop, int(count))


def read_table(path: Path) -> "dict[str, FloatArray]":
    """Read a CSV file: names in the first line, one member in every other."""
    import numpy as np

    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            lines = [line for line in csv.reader(file) if line]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise OptionError(
            f"--table '{path}' cannot be read ({reason}).", "Give a CSV file in UTF-8."
        ) from error
    names = [name.strip() for name in lines[0]] if lines else []
    if len(lines) < 2 or len(set(names)) != len(names):
        reason = "has no rows" if len(lines) < 2 else "names a column twice"
        raise OptionError(
            f"--table '{path}' {reason}.", "Write names in the first line, then a row per member."
        )
    values = np.empty((len(lines) - 1, len(names)))
    for k, line in enumerate(lines[1:]):
        if len(line) != len(names):
            raise OptionError(
                f"Row {k + 1} of --table '{path}' has {len(line)} numbers, not {len(names)}.",
                "Give a number for every column.",
            )
        what = f"row {k + 1} of --table '{path}'"
        pairs = zip(names, line, strict=True)
        values[k] = [command_options.as_number(text, f"{name} in {what}") for name, text in pairs]
    return dict(zip(names, np.ascontiguousarray(values.T), strict=True))
