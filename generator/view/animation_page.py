"""Self-contained page with the animation of a result, for any browser."""

import base64
import json
import os
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.results.result_series import SeriesColumn
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.view.animation_frames import Frames, frames_of, quaternions
from mbdgen.view.beam_lines import PicturedBeam
from mbdgen.view.extent import Extent, extent_of
from mbdgen.view.palette import STRAINS, colours
from mbdgen.view.plot_series import series_of
from mbdgen.view.ribbons import steps

if TYPE_CHECKING:
    from mbdgen.runtime.results.result import Result

FOLDER = "html/animation"
SCRIPTS = ("algebra", "meshes", "renderer", "camera", "beams", "scene", "plots", "player")
MOST_ARROWS = 200
DIGITS = 9


def page(result: "Result") -> str:
    """Return the page of a result as text.

    Poses and series are 32-bit floats, at no more instants than a screen can show.
    """
    folder = Path(str(files("mbdgen.templates"))) / FOLDER
    text = (folder / "page.html").read_text("utf-8")
    script = "\n".join((folder / f"{name}.js").read_text("utf-8") for name in SCRIPTS)
    data = embedded(page_data(result))
    style = (folder / "page.css").read_text("utf-8")
    for place, part in (("STYLE", style), ("SCRIPT", script), ("DATA", data)):
        text = text.replace(f"/*{place}*/", part)
    return text


def save_page(result: "Result", path: str | os.PathLike[str]) -> None:
    """Write the page of a result; the file appears complete or not at all."""
    text = page(result)
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def page_data(result: "Result") -> dict[str, Any]:
    """Return the data read by the scripts of the page."""
    frames = frames_of(result)
    extent = extent_of(frames)
    poses = np.concatenate([frames.r, quaternions(frames.R)], axis=2)
    painted = colours(frames)
    few = len(frames.bodies) <= MOST_ARROWS
    return {
        "model": result.info.model,
        "about": _about(result),
        "bodies": [
            {"name": name, "colour": painted[name], "of": of}
            for name, of in zip(frames.bodies, frames.owners, strict=True)
        ],
        "beams": [_beam(x, painted[x.name], frames.most_strain, extent) for x in frames.lines],
        "strain": frames.most_strain,
        "strainColours": STRAINS,
        "figures": [
            (f.kind, f.name, f.bodies, f.colour, _rounded(f.numbers)) for f in frames.scene.figures
        ],
        "t": encoded(frames.t),
        "poses": encoded(poses),
        "velocities": encoded(frames.v) if few else None,
        "forces": _forces(result, frames),
        "series": _series(result),
        **_view(frames, extent),
    }


def encoded(values: FloatArray) -> str:
    """Encode numbers as 32-bit little-endian floats in base 64."""
    return base64.b64encode(np.ascontiguousarray(values, "<f4").tobytes()).decode("ascii")


def _about(result: "Result") -> str:
    info = result.info
    step = f", h = {info.h:g} s" if info.h else ""
    return f"{info.method}{step}, {len(result.t)} instants up to {info.t_end:g} s"


def _beam(line: PicturedBeam, colour: str, most: float, extent: Extent) -> dict[str, Any]:
    """Return the data of a beam for the page; in the plane the section axes follow the midline."""
    nodes = np.concatenate([line.r, line.slope], axis=2)
    share = np.round(255 * line.strain / most if most else 0 * line.strain).astype(np.uint8)
    return {
        "name": line.name,
        "colour": colour,
        "size": line.size,
        "round": line.round,
        "strained": line.strained,
        "lengths": _rounded(line.lengths),
        "knots": line.knots.tolist(),
        "steps": steps(len(line.lengths)),
        "nodes": encoded(nodes),
        "axes": None if extent.plane else encoded(line.e2),
        "strain": base64.b64encode(share.tobytes()).decode("ascii"),
    }


def _rounded(numbers: FloatArray) -> list[float]:
    return [float(f"{x:.{DIGITS}g}") for x in numbers]


def _view(frames: Frames, extent: Extent) -> dict[str, Any]:
    angles = {
        kind: _rounded(found[0].numbers)[0] if (found := frames.scene.of(kind)) else None
        for kind in ("azimuth", "elevation")
    }
    return {
        **angles,
        "up": _rounded(extent.up),
        "plane": extent.plane,
        "corners": [_rounded(c) for c in extent.corners],
        "nearby": [_rounded(c) for c in extent.nearby],
        "middle": _rounded((extent.low + extent.high) / 2),
        "span": _rounded(extent.high - extent.low),
        "reach": float(np.linalg.norm(extent.high - extent.low) / 2),
        "size": float(extent.size),
        "travels": extent.travels,
    }


def _forces(result: "Result", frames: Frames) -> list[dict[str, Any]]:
    """Return the force outputs, with their points of application."""
    return [
        {
            "name": figure.name,
            "body": figure.bodies[0],
            "place": _rounded(figure.numbers),
            "values": encoded(_finite(result[figure.name][frames.rows])),
        }
        for figure in frames.scene.of("force")
        if figure.name in result
    ]


def _series(result: "Result") -> dict[str, Any]:
    series = series_of(result)
    return {
        "t": encoded(series.t),
        "names": series.names,
        "units": series.units,
        "values": [encoded(_finite(row)) for row in series.values],
        "first": _first(result, series.names),
    }


def _first(result: "Result", names: tuple[str, ...]) -> list[str]:
    """Return the series plotted at first: the first output, and the energies."""
    outputs = [c for c in result.directory.everything if c.source == "outputs" and c.chosen]
    head = [c.name for c in outputs if _family(c) == _family(outputs[0])]
    energies = [f"energy.{kind}" for kind in ("kinetic", "potential", "total")]
    return [name for name in (*head[:3], *energies) if name in names]


def _family(column: SeriesColumn) -> tuple[str, str]:
    return column.group or column.name, column.unit


def _finite(values: FloatArray) -> FloatArray:
    """Replace values that are not finite by zero."""
    return np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)


# JSON data inside a page.
def embedded(data: object) -> str:
    """Return data as JSON for a script element; no name in it can end the script.

    HTML ends a script at ``</script`` and begins a comment at ``<!--``: JSON without ``<`` contains
    neither.
    """
    return json.dumps(data, allow_nan=False).replace("<", "\\u003c")
