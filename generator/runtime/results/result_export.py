"""Export of results to tables, data sets and files of other programs."""

import csv
import json
import math
import os
from collections.abc import Callable
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.program.optional_libraries import import_optional
from mbdgen.runtime.results import result_series as naming
from mbdgen.runtime.results.body_series import AXES, EULER, QUANTITIES
from mbdgen.runtime.results.json_files import expressible, json_text
from mbdgen.runtime.results.matlab_files import write_matlab
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.results.result_archive import write_npz
from mbdgen.runtime.system.system_data import FloatArray

if TYPE_CHECKING:
    import pandas
    import xarray

INFO_KEYS = (
    "model",
    "method",
    "formulation",
    "backend",
    "layout",
    "reduced",
    "dof",
    "n_q",
    "n_phi",
    "redundant",
    "t_end",
    "h",
)
STAGES = ("derive_s", "emit_s", "compile_s", "solve_s")


def summary(result: Result) -> dict[str, Any]:
    """Return a flat dictionary of a run; stages that did not run took 0 s.

    The keys are those of ``mbdgen run --json`` and stable, because users' scripts read them.
    """
    info = asdict(result.info)
    final = result.outputs[-1] if len(result.t) else np.full(result.outputs.shape[1], np.nan)
    return {
        **{key: info[key] for key in INFO_KEYS},
        **asdict(result.counters),
        **{stage: float(result.timings.get(stage, 0.0)) for stage in STAGES},
        **result.measures,
        "accuracy": asdict(result.accuracy),
        "warnings": list(result.warnings),
        **_verification(result),
        "status": int(result.status),
        "message": result.message,
        "outputs": {n: float(x) for n, x in zip(result.names.outputs, final, strict=False)},
    }


def _verification(result: Result) -> dict[str, Any]:
    """Return the results of a verification run, if there was one."""
    found = result.verification
    return {} if found is None else {"verification": {**asdict(found), "passed": found.passed}}


def table(result: Result) -> tuple[list[str], list[str], FloatArray]:
    """Return names, units and values ``(n_t, 1 + n)`` of all series, the time first."""
    everything = result.directory.everything
    values = np.column_stack([result.t, naming.matrix(result, everything)])
    names = ["t", *(column.name for column in everything)]
    return names, ["s", *(column.unit for column in everything)], values


def to_pandas(result: Result) -> "pandas.DataFrame":
    """Make a data frame indexed by the time, one column per series."""
    pandas = import_optional("pandas", "data")
    names, units, values = table(result)
    index = pandas.Index(values[:, 0], name="t")
    frame = pandas.DataFrame(values[:, 1:], index=index, columns=names[1:])
    frame.attrs["units"] = dict(zip(names, units, strict=True))
    return frame


def to_xarray(result: Result) -> "xarray.Dataset":
    """Make a data set: each output, ``q, v, a`` by coordinate, ``lam`` by multiplier, ``energy``.

    Vectors of bodies are called ``body.r``, ``body.p`` and so on, with the axes body and component.
    The state stays in four arrays: a variable per coordinate would mean thousands of them.
    """
    xarray = import_optional("xarray", "data")
    names = result.names
    coordinates = list(names.coordinates)
    units = [naming.coordinate_unit(name) for name in coordinates]
    variables: dict[str, Any] = {
        "q": (("t", "coordinate"), result.q, {"long_name": "coordinates"}),
        "v": (("t", "coordinate"), result.v, {"long_name": "velocities dq/dt"}),
        "a": (("t", "coordinate"), result.a, {"long_name": "accelerations dv/dt"}),
        "lam": (("t", "multiplier"), result.lam, {"long_name": "multipliers"}),
        "energy": (("t", "kind"), naming.with_total(result.energies), {"units": "J"}),
    }
    labels = {
        "t": ("t", result.t, {"units": "s", "long_name": "time"}),
        "coordinate": np.array(coordinates, dtype=object),
        "coordinate_units": ("coordinate", np.array(units, dtype=object)),
        "multiplier": np.array(names.multipliers, dtype=object),
        "kind": np.array(naming.ENERGIES, dtype=object),
    }
    for column in result.directory.everything:
        if column.source == "outputs":
            reserved = column.name in variables or column.name in labels
            name = f"output.{column.name}" if reserved else column.name
            variables[name] = ("t", result.outputs[:, column.index], {"units": column.unit})
    if result.places is not None:
        variables |= {
            f"body.{x.name}": (
                ("t", "body", "parameter" if x.name == "p" else "component"),
                result.bodies.quantity(x.name),
                {"units": x.unit, "long_name": x.meaning},
            )
            for x in QUANTITIES
        }
        labels["body"] = np.array(result.bodies.names, dtype=object)
        labels |= {"component": list(AXES), "parameter": list(EULER)}
    nested = ("outputs", "accuracy", "verification")
    flat = {k: _attribute(x) for k, x in summary(result).items() if k not in nested}
    flat |= {f"accuracy.{k}": x for k, x in asdict(result.accuracy).items()}
    return xarray.Dataset(variables, coords=labels, attrs=flat)


def _attribute(x: Any) -> Any:
    """Return a netCDF attribute, which can be neither None nor a bool."""
    if x is None:
        return math.nan
    if isinstance(x, list):
        return " ".join(x)
    return int(x) if isinstance(x, bool) else x


def _write_csv(result: Result, path: Path) -> None:
    names, units, values = table(result)
    # utf-8 and \n on every system; Python's repr of a float is its shortest round-trip text.
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([f"{n} [{u}]" if u else n for n, u in zip(names, units, strict=True)])
        writer.writerows(values.tolist())


def _write_parquet(result: Result, path: Path) -> None:
    arrow, parquet = import_optional("pyarrow", "data"), import_optional("pyarrow.parquet", "data")
    names, units, values = table(result)
    fields = [
        arrow.field(name, arrow.float64(), metadata={"unit": unit})
        for name, unit in zip(names, units, strict=True)
    ]
    metadata = {"mbdgen": json.dumps(expressible(summary(result)))}
    contents = [arrow.array(np.ascontiguousarray(column)) for column in values.T]
    parquet.write_table(arrow.table(contents, arrow.schema(fields, metadata)), str(path))


def _write_netcdf(result: Result, path: Path) -> None:
    # h5netcdf does not install the HDF5 library.
    for module in ("h5netcdf", "h5py"):
        import_optional(module, "data")
    # In memory: on a full disk, HDF5 aborts the process when it closes the file.
    content = BytesIO()
    to_xarray(result).to_netcdf(content, engine="h5netcdf")
    path.write_bytes(content.getvalue())


def _write_json(result: Result, path: Path) -> None:
    path.write_text(json_text(summary(result)), encoding="utf-8")


WRITERS: dict[str, Callable[[Result, Path], None]] = {
    ".npz": write_npz,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".nc": _write_netcdf,
    ".mat": write_matlab,
    ".json": _write_json,
}


def save(result: Result, path: str | os.PathLike[str]) -> None:
    """Write ``result`` to ``path`` in the format of its suffix, atomically."""
    if not isinstance(path, str | os.PathLike):
        raise OptionError(f"{path!r} is not a file name.", "Give a path such as 'result.npz'.")
    suffix = Path(path).suffix.lower()
    if suffix not in WRITERS:
        raise OptionError(
            f"Cannot save a result as '{path}': the suffix {suffix!r} is unknown.",
            f"Use one of {', '.join(WRITERS)}.",
        )
    with replacing(path) as temporary:
        WRITERS[suffix](result, temporary)
