"""Ensembles as tables, data sets and files; the libraries are imported where they are needed."""

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.runtime.ensembles.ensemble_members import Members
from mbdgen.runtime.ensembles.ensemble_result import EnsembleResult
from mbdgen.runtime.ensembles.job import BlockOutcome
from mbdgen.runtime.ensembles.parallel import block_size
from mbdgen.runtime.ensembles.series_stores import (
    MOST_MESSAGES,
    ParquetStore,
    check_out,
    parameter_names,
    series_names,
)
from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.program.optional_libraries import import_optional

if TYPE_CHECKING:
    import pandas
    import xarray

COUNTS = ("steps", "newton_iterations", "factorisations", "rejected")
NUMBERS = ("t_end", "max_phi", "max_phi_dot", "max_phi_ddot", "energy_drift", "energy_scale")


def header(result: EnsembleResult) -> dict[str, Any]:
    """Describe an ensemble in the header of its file."""
    found = result.summary()
    texts = {key: list(found[key].items())[:MOST_MESSAGES] for key in ("failures", "warnings")}
    return {**found, **{key: dict(items) for key, items in texts.items()}}


def to_pandas(result: EnsembleResult) -> "pandas.DataFrame":
    """Make a table of members: parameters, status, counters, final value of every series."""
    pandas = import_optional("pandas", "data")
    names = parameter_names(_members(result), result.columns)
    columns: dict[str, Any] = dict(zip(names, result.parameters.values(), strict=True))
    columns["status"] = result.status
    columns |= dict(zip(COUNTS, result.counters.T, strict=True))
    columns |= dict(zip(NUMBERS, result.numbers.T, strict=True))
    for k, name in enumerate(series_names(result.columns)):
        columns[name] = result.store.series(k)[:, -1]
    return pandas.DataFrame(columns, index=pandas.RangeIndex(len(result), name="member"))


def to_xarray(result: EnsembleResult) -> "xarray.Dataset":
    """Make a data set; parameters and status are coordinates of the axis ``member``."""
    xarray = import_optional("xarray", "data")
    names = parameter_names(_members(result), result.columns)
    labels: dict[str, Any] = {
        "member": np.arange(len(result)),
        "t": ("t", result.t, {"units": "s", "long_name": "time"}),
        "status": ("member", result.status),
    }
    for name, values in zip(names, result.parameters.values(), strict=True):
        labels[name] = ("member", np.asarray(values))
    variables = {
        name: (("member", "t"), result.store.series(k), {"units": result.columns[k].unit})
        for k, name in enumerate(series_names(result.columns))
    }
    return xarray.Dataset(variables, coords=labels, attrs={"model": result.info.model})


def to_parquet(result: EnsembleResult, path: str | os.PathLike[str]) -> None:
    """Write the file that ``simulate_many(..., out=path)`` would have written."""
    members, width = _members(result), 8 * len(result.t) * len(result.columns)
    size, target = block_size(len(result), width), check_out(path)
    with replacing(target) as temporary:
        store = ParquetStore(target, temporary, members, result.t, result.columns, size)
        try:
            for first in range(0, len(result), size):
                last = min(first + size, len(result))
                values = np.stack([result.store.member(i) for i in range(first, last)])
                rows = slice(first, last)
                found = BlockOutcome(
                    result.status[rows], result.counters[rows], result.numbers[rows]
                )
                store.put(first, values, found)
            store.close(header(result))
        except BaseException:
            store.abandon()
            raise


def _members(result: EnsembleResult) -> Members:
    values = list(result.parameters.values())
    table = np.column_stack(values) if values else np.zeros((len(result), 0))
    return Members(tuple(result.parameters), table)
