"""Archive of a result as npz, complete and readable by `load_result`."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.interface import MOTION_PARTS
from mbdgen.numpy_files import DAMAGED, arrays_of
from mbdgen.runtime.accuracy.result_accuracy import Accuracy
from mbdgen.runtime.monitors.chart_switch_log import Switch
from mbdgen.runtime.monitors.contact_events import Impact
from mbdgen.runtime.results.beam_results import LineMotion, StoredLines
from mbdgen.runtime.results.body_motion import BodyMotion
from mbdgen.runtime.results.result import STATE_ARRAYS, Result
from mbdgen.runtime.results.scene_figures import Scene
from mbdgen.runtime.sensitivities.sensitivity_series import Sensitivities, Sensitivity
from mbdgen.runtime.stepping.run_info import Counters, RunInfo
from mbdgen.runtime.system.system_data import FloatArray, Names


def write_npz(result: Result, path: Path) -> None:
    """Write all data of a result."""
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
        "accuracy": asdict(result.accuracy),
        "warnings": result.warnings,
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
    """Return the sensitivities by parameters of these names and units; None if there are none."""
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
    """Return the motion of the bodies; None if the file is of an older version."""
    if names is None:
        return None
    return BodyMotion(tuple(names), **{part: stored[f"body_{part}"] for part in MOTION_PARTS})


def _read_lines(stored: Mapping[str, FloatArray], beams: Sequence[Any]) -> StoredLines | None:
    """Return the results along beams; None if there are none, or in files of older versions."""
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


def load_result(path: str | os.PathLike[str]) -> Result:
    """Read a result that was saved as npz.

    Raises
    ------
    OptionError
        If the file is missing or was not written by `save`.
    """
    try:
        with arrays_of(path) as stored:
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
                accuracy=Accuracy(**header.get("accuracy", {})),
                warnings=tuple(header.get("warnings", ())),
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
    except DAMAGED as error:
        raise OptionError(
            f"'{path}' is not a result of mbdgen.",
            "Give a file written by result.save('name.npz').",
        ) from error
