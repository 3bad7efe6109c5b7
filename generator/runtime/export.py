"""Results as tables, data sets and files. Optional libraries are imported where they are needed."""

import csv
import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.interface import MOTION_PARTS
from mbdgen.runtime import columns as naming
from mbdgen.runtime.along import LineMotion, StoredLines
from mbdgen.runtime.atomic import replacing
from mbdgen.runtime.body_motion import BodyMotion
from mbdgen.runtime.body_series import AXES, EULER, QUANTITIES
from mbdgen.runtime.contacts import Impact
from mbdgen.runtime.data import FloatArray, Names
from mbdgen.runtime.json_file import expressible, json_text
from mbdgen.runtime.matlab import write_matlab
from mbdgen.runtime.result import STATE_ARRAYS, Result
from mbdgen.runtime.run_info import Counters, RunInfo
from mbdgen.runtime.scene import Scene
from mbdgen.runtime.sensitivities.series import Sensitivities, Sensitivity
from mbdgen.runtime.switches import Switch

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


def require(module: str, extra: str) -> Any:
    """Import an optional library, or say which extra of mbdgen brings it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise OptionError(
            f"This needs {module}, which is not installed.",
            f"Install it by: pip install 'mbdgen[{extra}]'.",
        ) from error


def summary(result: Result) -> dict[str, Any]:
    """Flat dictionary of a run; a stage that did not run took 0 s.

    The keys are those of ``mbdgen run --json`` and stay as they are: users' scripts read them.
    """
    info = asdict(result.info)
    final = result.outputs[-1] if len(result.t) else np.full(result.outputs.shape[1], np.nan)
    return {
        **{key: info[key] for key in INFO_KEYS},
        **asdict(result.counters),
        **{stage: float(result.timings.get(stage, 0.0)) for stage in STAGES},
        **result.measures,
        "status": int(result.status),
        "message": result.message,
        "outputs": {n: float(x) for n, x in zip(result.names.outputs, final, strict=False)},
    }


def table(result: Result) -> tuple[list[str], list[str], FloatArray]:
    """Names, units and values ``(n_t, 1 + n)`` of all series, the time first."""
    everything = result.directory.everything
    values = np.column_stack([result.t, naming.matrix(result, everything)])
    names = ["t", *(column.name for column in everything)]
    return names, ["s", *(column.unit for column in everything)], values


def to_pandas(result: Result) -> "pandas.DataFrame":
    """Make a data frame indexed by the time, one column per series."""
    pandas = require("pandas", "data")
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
    xarray = require("xarray", "data")
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
    flat = {k: _attribute(x) for k, x in summary(result).items() if k != "outputs"}
    return xarray.Dataset(variables, coords=labels, attrs=flat)


def _attribute(x: Any) -> Any:
    """Return a netCDF attribute: there is no None and no truth value."""
    if x is None:
        return math.nan
    return int(x) if isinstance(x, bool) else x


def _write_npz(result: Result, path: Path) -> None:
    header = {
        "format": 1,
        "names": asdict(result.names),
        "counters": asdict(result.counters),
        "info": asdict(result.info),
        "timings": result.timings,
        "measures": result.measures,
        "success": bool(result.success),
        "status": int(result.status),
        "message": result.message,
        "n_events": len(result.t_events),
        "sensitivities": [(one.name, one.unit) for one in _derivatives(result)],
        "switches": result.switches,
        "scene": result.scene and result.scene.rows(),
        "contacts": result.contacts,
    }
    arrays: dict[str, Any] = {name: getattr(result, name) for name in STATE_ARRAYS}
    events: dict[str, Any] = {
        f"t_event_{k}": instants for k, instants in enumerate(result.t_events)
    }
    derivatives = {
        f"by_{k}_{name}": getattr(one, name)
        for k, one in enumerate(_derivatives(result))
        for name in STATE_ARRAYS
    }
    if result.places is not None:
        header["bodies"] = result.bodies.names
        arrays |= {f"body_{part}": getattr(result.bodies, part) for part in MOTION_PARTS}
    lines = [(beam, result.line(beam)) for beam in result.beams]
    header["lines"] = [(beam, line.names, line.units) for beam, line in lines]
    if lines:
        arrays["strain_energy"] = result.strain_energy
    for k, (_, line) in enumerate(lines):
        arrays[f"line_{k}"] = line.values.astype(np.float32)
        arrays |= {f"line_{k}_lengths": line.lengths, f"line_{k}_places": line.places}
    # numpy appends .npz to names but not to open files.
    with path.open("wb") as file:
        text = np.array(json.dumps(header, default=_plain))
        np.savez_compressed(file, header=text, t=result.t, **arrays, **events, **derivatives)


def _derivatives(result: Result) -> tuple[Sensitivity, ...]:
    return () if result.sensitivities is None else result.sensitivities.by


def _read_derivatives(
    stored: Mapping[str, FloatArray], by: Sequence[Sequence[str]], names: Names
) -> Sensitivities | None:
    """Return the derivatives by numbers of these names and units; None if there are none."""
    found = tuple(
        Sensitivity(
            name, unit, stored["t"], **{one: stored[f"by_{k}_{one}"] for one in STATE_ARRAYS}
        )
        for k, (name, unit) in enumerate(by)
    )
    return Sensitivities(names, found) if found else None


def _read_scene(rows: Sequence[Any] | None) -> Scene | None:
    return None if rows is None else Scene.of_rows(rows)


def _read_bodies(
    stored: Mapping[str, FloatArray], names: Sequence[str] | None
) -> BodyMotion | None:
    """Return the motion of the bodies; None if the file is older than that."""
    if names is None:
        return None
    return BodyMotion(tuple(names), **{part: stored[f"body_{part}"] for part in MOTION_PARTS})


def _read_lines(stored: Mapping[str, FloatArray], beams: Sequence[Any]) -> StoredLines | None:
    """Return what is known along beams; None if there are none, or the file is older than that."""
    motions = {
        beam: LineMotion(
            tuple(names),
            tuple(units),
            stored[f"line_{k}_lengths"],
            stored[f"line_{k}_places"],
            stored[f"line_{k}"].astype(np.float64),
        )
        for k, (beam, names, units) in enumerate(beams)
    }
    return StoredLines(motions, stored["strain_energy"]) if motions else None


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"cannot write {type(value).__name__}")


def _write_csv(result: Result, path: Path) -> None:
    names, units, values = table(result)
    # utf-8 and \n on every system; Python's repr of a float is the shortest text that reads back.
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([f"{n} [{u}]" if u else n for n, u in zip(names, units, strict=True)])
        writer.writerows(values.tolist())


def _write_parquet(result: Result, path: Path) -> None:
    arrow, parquet = require("pyarrow", "data"), require("pyarrow.parquet", "data")
    names, units, values = table(result)
    fields = [
        arrow.field(name, arrow.float64(), metadata={"unit": unit})
        for name, unit in zip(names, units, strict=True)
    ]
    metadata = {"mbdgen": json.dumps(expressible(summary(result)))}
    contents = [arrow.array(np.ascontiguousarray(column)) for column in values.T]
    parquet.write_table(arrow.table(contents, arrow.schema(fields, metadata)), str(path))


def _write_netcdf(result: Result, path: Path) -> None:
    # h5netcdf does not bring the HDF5 library by itself.
    for module in ("h5netcdf", "h5py"):
        require(module, "data")
    to_xarray(result).to_netcdf(path, engine="h5netcdf")


def _write_json(result: Result, path: Path) -> None:
    path.write_text(json_text(summary(result)), encoding="utf-8")


WRITERS: dict[str, Callable[[Result, Path], None]] = {
    ".npz": _write_npz,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".nc": _write_netcdf,
    ".mat": write_matlab,
    ".json": _write_json,
}


def save(result: Result, path: str | os.PathLike[str]) -> None:
    """Write ``result`` to ``path`` in the format of its suffix, completely or not at all."""
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


def load_result(path: str | os.PathLike[str]) -> Result:
    """Read a result that was saved as npz.

    Raises
    ------
    OptionError
        If the file is missing or was not written by `save`.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            header = json.loads(str(stored["header"]))
            arrays = {name: stored[name] for name in ("t", *STATE_ARRAYS)}
            events = [stored[f"t_event_{k}"] for k in range(header["n_events"])]
            labels = {key: tuple(labels) for key, labels in header["names"].items()}
            names = Names(**labels)
            return Result(
                **arrays,
                names=names,
                counters=Counters(**header["counters"]),
                info=RunInfo(**header["info"]),
                timings=header["timings"],
                measures=header.get("measures", {}),
                success=header["success"],
                status=header["status"],
                message=header["message"],
                t_events=events,
                sensitivities=_read_derivatives(stored, header.get("sensitivities", ()), names),
                scene=_read_scene(header.get("scene")),
                switches=tuple(Switch(*each) for each in header.get("switches", ())),
                places=_read_bodies(stored, header.get("bodies")),
                contacts=tuple(Impact(*each) for each in header.get("contacts", ())),
                lines=_read_lines(stored, header.get("lines", ())),
            )
    except OSError as error:
        reason = error.strerror or "it is not a numpy archive"
        raise OptionError(
            f"Cannot read '{path}': {reason}.", "Give a result saved as .npz."
        ) from error
    except (AttributeError, BadZipFile, EOFError, KeyError, TypeError, ValueError) as error:
        raise OptionError(
            f"'{path}' is not a result of mbdgen.",
            "Give a file written by result.save('name.npz').",
        ) from error
